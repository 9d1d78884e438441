// The customers of the demo store: names, towns and addresses of twelve countries. All invented; e-mail addresses end in example domains.
import type { Random } from './random.ts';

interface Country {
  code: string;
  name: string;
  currency: string;
  share: number;
  first: string[];
  last: string[];
  dial: string;
  /** town, province code, province, postal code pattern (# a digit, @ a letter) */
  towns: [string, string, string, string][];
  streets: string[];
  numberFirst: boolean;
}

export const COUNTRIES: readonly Country[] = [
  {
    code: 'US',
    name: 'United States',
    currency: 'USD',
    share: 46,
    dial: '+1',
    numberFirst: true,
    first: [
      'Olivia',
      'Noah',
      'Ava',
      'Liam',
      'Maya',
      'Ethan',
      'Grace',
      'Caleb',
      'Naomi',
      'Wyatt',
      'Ruth',
      'Elijah',
      'Hazel',
      'Marcus',
      'June',
      'Theo',
      'Priya',
      'Diego',
      'Mei',
      'Jamal',
    ],
    last: [
      'Walker',
      'Nguyen',
      'Ramirez',
      'Coleman',
      'Brooks',
      'Patel',
      'Sullivan',
      'Price',
      'Bennett',
      'Ortiz',
      'Hayes',
      'Foster',
      'Kim',
      'Reyes',
      'Barnes',
      'Fischer',
      'Okafor',
      'Dunn',
    ],
    towns: [
      ['Portland', 'OR', 'Oregon', '972##'],
      ['Austin', 'TX', 'Texas', '787##'],
      ['Brooklyn', 'NY', 'New York', '112##'],
      ['Denver', 'CO', 'Colorado', '802##'],
      ['Madison', 'WI', 'Wisconsin', '537##'],
      ['Savannah', 'GA', 'Georgia', '314##'],
      ['Burlington', 'VT', 'Vermont', '054##'],
    ],
    streets: ['Maple Street', 'Alder Avenue', 'Linden Road', 'Mill Lane', 'Harbor Way', 'Juniper Court', 'Second Street'],
  },
  {
    code: 'CA',
    name: 'Canada',
    currency: 'CAD',
    share: 10,
    dial: '+1',
    numberFirst: true,
    first: ['Emma', 'Lucas', 'Chloe', 'Owen', 'Amélie', 'Félix', 'Sophie', 'Nathan'],
    last: ['Tremblay', 'MacLeod', 'Gagnon', 'Singh', 'Roy', 'Campbell', 'Bouchard', 'Chen'],
    towns: [
      ['Toronto', 'ON', 'Ontario', 'M#@ #@#'],
      ['Montréal', 'QC', 'Quebec', 'H#@ #@#'],
      ['Vancouver', 'BC', 'British Columbia', 'V#@ #@#'],
      ['Halifax', 'NS', 'Nova Scotia', 'B#@ #@#'],
    ],
    streets: ['Birch Crescent', 'Queen Street', 'Rue des Érables', 'Lakeshore Road'],
  },
  {
    code: 'GB',
    name: 'United Kingdom',
    currency: 'GBP',
    share: 11,
    dial: '+44',
    numberFirst: true,
    first: ['Amelia', 'Oliver', 'Isla', 'Harry', 'Poppy', 'Arthur', 'Freya', 'Idris'],
    last: ['Thompson', 'Evans', 'Wright', 'Hughes', 'Shah', 'Campbell', 'Bailey', 'Adeyemi'],
    towns: [
      ['Bristol', '', '', 'BS# #@@'],
      ['Leeds', '', '', 'LS# #@@'],
      ['Edinburgh', '', '', 'EH# #@@'],
      ['London', '', '', 'SE## #@@'],
    ],
    streets: ['Orchard Road', 'Station Road', 'Church Lane', 'Victoria Terrace'],
  },
  {
    code: 'DE',
    name: 'Germany',
    currency: 'EUR',
    share: 8,
    dial: '+49',
    numberFirst: false,
    first: ['Lena', 'Jonas', 'Clara', 'Emil', 'Mara', 'Felix', 'Jule', 'Anton'],
    last: ['Becker', 'Schäfer', 'Vogel', 'Krüger', 'Yılmaz', 'Lorenz', 'Brandt', 'Hofmann'],
    towns: [
      ['Leipzig', '', '', '04###'],
      ['Köln', '', '', '50###'],
      ['Freiburg', '', '', '79###'],
      ['Hamburg', '', '', '22###'],
    ],
    streets: ['Lindenstraße', 'Am Markt', 'Gartenweg', 'Goethestraße'],
  },
  {
    code: 'FR',
    name: 'France',
    currency: 'EUR',
    share: 5,
    dial: '+33',
    numberFirst: true,
    first: ['Camille', 'Hugo', 'Léa', 'Jules', 'Inès', 'Louis'],
    last: ['Moreau', 'Lefèvre', 'Garnier', 'Chevalier', 'Benali', 'Rousseau'],
    towns: [
      ['Lyon', '', '', '6900#'],
      ['Nantes', '', '', '44###'],
      ['Lille', '', '', '59###'],
    ],
    streets: ['rue du Moulin', 'avenue des Tilleuls', 'rue Pasteur'],
  },
  {
    code: 'NL',
    name: 'Netherlands',
    currency: 'EUR',
    share: 3,
    dial: '+31',
    numberFirst: false,
    first: ['Sanne', 'Daan', 'Fleur', 'Bram', 'Noor'],
    last: ['de Vries', 'Bakker', 'Visser', 'van Dijk', 'Smit'],
    towns: [
      ['Utrecht', '', '', '35## @@'],
      ['Groningen', '', '', '97## @@'],
    ],
    streets: ['Dorpsstraat', 'Molenweg', 'Kerkstraat'],
  },
  {
    code: 'ES',
    name: 'Spain',
    currency: 'EUR',
    share: 3,
    dial: '+34',
    numberFirst: false,
    first: ['Lucía', 'Mateo', 'Carmen', 'Pablo', 'Nerea'],
    last: ['García', 'Serrano', 'Molina', 'Iglesias', 'Vega'],
    towns: [
      ['Valencia', 'V', 'Valencia', '460##'],
      ['Bilbao', 'BI', 'Biscay', '480##'],
    ],
    streets: ['Calle Mayor', 'Calle del Olmo', 'Avenida del Mar'],
  },
  {
    code: 'IT',
    name: 'Italy',
    currency: 'EUR',
    share: 3,
    dial: '+39',
    numberFirst: false,
    first: ['Giulia', 'Lorenzo', 'Chiara', 'Matteo', 'Elena'],
    last: ['Ricci', 'Conti', 'Greco', 'Ferrara', 'Marino'],
    towns: [
      ['Bologna', 'BO', 'Bologna', '401##'],
      ['Torino', 'TO', 'Turin', '101##'],
    ],
    streets: ['Via Roma', 'Via dei Mille', 'Corso Italia'],
  },
  {
    code: 'SE',
    name: 'Sweden',
    currency: 'SEK',
    share: 3,
    dial: '+46',
    numberFirst: false,
    first: ['Alma', 'Elias', 'Wilma', 'Nils', 'Saga'],
    last: ['Lindberg', 'Nyström', 'Ekström', 'Sandberg', 'Holm'],
    towns: [
      ['Göteborg', '', '', '411 ##'],
      ['Uppsala', '', '', '753 ##'],
    ],
    streets: ['Storgatan', 'Björkvägen', 'Ringvägen'],
  },
  {
    code: 'AU',
    name: 'Australia',
    currency: 'AUD',
    share: 4,
    dial: '+61',
    numberFirst: true,
    first: ['Charlotte', 'Jack', 'Matilda', 'Cooper', 'Ruby'],
    last: ['Mitchell', 'Kelly', 'Nguyen', 'Murray', 'Papadopoulos'],
    towns: [
      ['Melbourne', 'VIC', 'Victoria', '30##'],
      ['Hobart', 'TAS', 'Tasmania', '70##'],
    ],
    streets: ['Banksia Street', 'Esplanade', 'Wattle Road'],
  },
  {
    code: 'JP',
    name: 'Japan',
    currency: 'JPY',
    share: 2,
    dial: '+81',
    numberFirst: true,
    first: ['Yui', 'Haruto', 'Aoi', 'Ren', 'Sakura'],
    last: ['Tanaka', 'Kobayashi', 'Watanabe', 'Mori', 'Ishikawa'],
    towns: [
      ['Kyoto', 'JP-26', 'Kyoto', '60#-00##'],
      ['Sapporo', 'JP-01', 'Hokkaido', '06#-00##'],
    ],
    streets: ['Sakura-dori', 'Kita 3-jo', 'Higashiyama'],
  },
  {
    code: 'MX',
    name: 'Mexico',
    currency: 'MXN',
    share: 2,
    dial: '+52',
    numberFirst: false,
    first: ['Valentina', 'Santiago', 'Ximena', 'Emiliano'],
    last: ['Hernández', 'Flores', 'Cruz', 'Mendoza'],
    towns: [
      ['Oaxaca', 'OAX', 'Oaxaca', '680##'],
      ['Mérida', 'YUC', 'Yucatán', '970##'],
    ],
    streets: ['Calle Reforma', 'Avenida Juárez'],
  },
];

/** In which language the customers of a country buy. */
const LANGUAGES: Record<string, string> = {
  DE: 'de',
  FR: 'fr',
  NL: 'nl',
  ES: 'es',
  IT: 'it',
  SE: 'sv',
  JP: 'ja',
  MX: 'es-MX',
  GB: 'en-GB',
};
export const languageOf = (countryCode: string): string => LANGUAGES[countryCode] ?? 'en';

/** Minor units of a currency for one US cent, and the step that prices are rounded to. */
export const CURRENCIES: Record<string, { rate: number; step: number; usd: number }> = {
  USD: { rate: 1, step: 1, usd: 1 },
  CAD: { rate: 1.36, step: 50, usd: 0.735 },
  GBP: { rate: 0.79, step: 10, usd: 1.266 },
  EUR: { rate: 0.92, step: 10, usd: 1.087 },
  SEK: { rate: 10.4, step: 500, usd: 0.096 },
  AUD: { rate: 1.52, step: 50, usd: 0.658 },
  JPY: { rate: 1.5, step: 10, usd: 0.667 },
  MXN: { rate: 18.2, step: 500, usd: 0.055 },
};

/** A US price in another currency, rounded as a shop would. Both in minor units. */
export function priceIn(currency: string, cents: number): number {
  const { rate, step } = CURRENCIES[currency]!;
  return Math.max(step, Math.round((cents * rate) / step) * step);
}
/** US cents for an amount in minor units of `currency`. */
export const inUsd = (currency: string, minor: number): number => Math.round(minor * CURRENCIES[currency]!.usd);

export interface Person {
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
  country: Country;
  address: {
    firstName: string;
    lastName: string;
    company: string | null;
    address1: string;
    address2: string | null;
    zip: string;
    city: string;
    country: string;
    countryCode: string;
    province: string | null;
    provinceCode: string | null;
    phone: string;
  };
}

const COUNTRY_SHARES = COUNTRIES.map(country => [country, country.share] as const);
const MAILS = ['post.example', 'mail.example', 'inbox.example', 'letters.example'];
const plain = (text: string) =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/ß/g, 'ss')
    .replace(/ı/g, 'i')
    .toLowerCase()
    .replace(/[^a-z]+/g, '');

/** The n-th customer of a store; the number keeps e-mail addresses apart. */
export function person(chance: Random, n: number): Person {
  const country = chance.weighted(COUNTRY_SHARES);
  const firstName = chance.pick(country.first);
  const lastName = chance.pick(country.last);
  const [city, provinceCode, province, pattern] = chance.pick(country.towns);
  const zip = pattern.replace(/#/g, () => String(chance.between(0, 9))).replace(/@/g, () => 'ABEGHJLNPRTXY'[chance.between(0, 12)]!);
  const street = chance.pick(country.streets);
  const house = chance.between(1, 240);
  const digits = String(chance.between(0, 9_999_999)).padStart(7, '0');
  const phone = `${country.dial} 555 ${digits.slice(0, 3)} ${digits.slice(3)}`;
  const address = {
    firstName,
    lastName,
    company: chance.chance(0.06) ? `${lastName} Studio` : null,
    address1: country.numberFirst ? `${house} ${street}` : `${street} ${house}`,
    address2: chance.chance(0.18) ? `Apt ${chance.between(1, 40)}` : null,
    zip,
    city,
    country: country.name,
    countryCode: country.code,
    province: province || null,
    provinceCode: provinceCode || null,
    phone,
  };
  return { firstName, lastName, email: `${plain(firstName)}.${plain(lastName)}${n}@${chance.pick(MAILS)}`, phone, country, address };
}
