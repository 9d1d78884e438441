// Countries, their provinces and postal codes: what is one, by which names it is known, and what an address must have. The table
// is Google's address data (scripts/places.ts writes it); it stays out of the browser, which sends what people typed.
import { distance } from 'fastest-levenshtein';
import { COUNTRIES } from '../text/countries.ts';
import { fold } from '../text/fold.ts';
import { t } from '../text/t.ts';
import table from './table.json' with { type: 'json' };

interface Place {
  /** A regular expression of the whole code; empty where any will do. Absent where addresses have none. */
  zip?: string;
  example?: string;
  needsZip?: boolean;
  /** Each with its code, its name, and further names. */
  provinces?: string[][];
  /** Addresses there need no province, and what is not among them may be written as well. */
  isLoose?: true;
}
const PLACES: Record<string, Place | undefined> = table as Record<string, Place>;
const KNOWN = new Set(COUNTRIES);
/** Codes that are often written in place of those of ISO 3166. */
const ALIASES: Record<string, string> = { UK: 'GB', EL: 'GR', USA: 'US', UAE: 'AE', FX: 'FR' };
/** Countries whose addresses must name a state or province. */
const WITH_PROVINCE = new Set('AU BR CA IN MX US'.split(' '));

/** Words by which names are compared: without accents, case, signs, and the word for what it is. */
const plain = (text: string): string =>
  fold(text)
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim()
    .replace(/^(?:co|county|province of|state of) (?=.)/, '')
    .replace(/(?<=.) (?:county|province|state|prefecture)$/, '');

let byName: Map<string, string> | undefined;
const countryNames = (): Map<string, string> => {
  if (byName) return byName;
  const names = new Intl.DisplayNames(['en'], { type: 'region' });
  byName = new Map(COUNTRIES.map(code => [plain(names.of(code) ?? code), code]));
  return byName;
};

/** The ISO 3166 code of a country by its code in any case, a code that is used for it (UK, EL), or its English name; undefined: none. */
export function countryOf(text: string): string | undefined {
  const code = text.trim().toUpperCase();
  if (KNOWN.has(code)) return code;
  return ALIASES[code] ?? countryNames().get(plain(text));
}

/** What is wrong with a country that is none. */
export const noCountry = (text: string): string => t`“${text}” is no country. Use its two letters, such as US.`;

/**
 * A province of a country by its code or one of its names, in any case and with or without accents: its code and name. Where addresses need
 * none, a region that is not known is what was written, a code in capital letters. Undefined: the country has no such province.
 */
export function provinceOf(country: string, text: string): { code: string; name: string } | undefined {
  const given = text.trim();
  const { provinces, isLoose } = PLACES[country] ?? {};
  const found = provinces && among(country, provinces, given);
  if (found) return found;
  return provinces && !isLoose ? undefined : { code: given.length <= 6 ? given.toUpperCase() : given, name: given };
}

function among(country: string, provinces: string[][], given: string): { code: string; name: string } | undefined {
  const code = given.toUpperCase();
  const words = plain(given);
  const found =
    provinces.find(([own = '']) => own === code || own === `${country}-${code}` || `${country}-${own}` === code) ??
    provinces.find(one => one.some(name => plain(name) === words));
  return found && { code: found[0] as string, name: found[1] ?? (found[0] as string) };
}

/** The codes that a province of this code or name has in any country, for what is compared without one; the text itself where none has. */
export function provinceCodes(text: string): string[] {
  const given = text.trim();
  const found = Object.entries(PLACES).flatMap(([country, place]) => among(country, place?.provinces ?? [], given)?.code ?? []);
  return found.length ? [...new Set(found)] : [given];
}

/** What is wrong with a province that is none, naming those that were most likely meant. */
export function noProvince(country: string, text: string): string {
  const words = plain(text);
  const near = (PLACES[country]?.provinces ?? [])
    .map(([code = '', ...names]) => ({
      code,
      name: names[0] ?? code,
      far: Math.min(...[code, ...names].map(one => farFrom(words, plain(one)))),
    }))
    .sort((x, y) => x.far - y.far)
    .slice(0, 3)
    .map(({ code, name }) => (name === code ? code : `${name} (${code})`));
  const where = new Intl.DisplayNames(['en'], { type: 'region' }).of(country) ?? country;
  const [given, names] = [text.trim(), near.join(', ')];
  return t`“${given}” is no state or province of ${where}. Did you mean ${names}?`;
}
const farFrom = (given: string, name: string): number =>
  name.startsWith(given) || given.startsWith(name) ? Math.abs(name.length - given.length) / 10 : distance(given, name);

/** Whether addresses of a country have a postal code at all; they may where nothing is known of them. */
export const hasZip = (country: string): boolean => PLACES[country] === undefined || PLACES[country].zip !== undefined;

/**
 * What stands for a state or province in a form: the ones to choose from, by their names; NONE where addresses of the country name none;
 * ANY where free text is taken.
 */
export function provincesToChoose(country: string): readonly { code: string; name: string }[] | 'NONE' | 'ANY' {
  const place = PLACES[country];
  if (!place) return 'ANY';
  if (place.isLoose || !place.provinces) return 'NONE';
  return place.provinces.map(([code = '', name = code]) => ({ code, name })).sort((one, other) => one.name.localeCompare(other.name, 'en'));
}

/** Whether addresses of a country must have a postal code, or a state or province. */
export const needsZip = (country: string): boolean => PLACES[country]?.needsZip === true;
export const needsProvince = (country: string): boolean => WITH_PROVINCE.has(country);

/** A postal code as it is saved: in capital letters, with one space at most. */
export const cleanZip = (zip: string): string => zip.trim().replace(/\s+/g, ' ').toUpperCase();

/** An example of a postal code of the country where this one has not its form; undefined: it is right, or nothing is known of its form. */
export function zipLike(country: string, zip: string): string | undefined {
  const place = PLACES[country];
  if (!place?.zip || !zip) return undefined;
  return new RegExp(`^(?:${place.zip})$`, 'i').test(cleanZip(zip)) ? undefined : place.example;
}

/** A country and provinces of it as they are saved: by their codes. What is none stays, for `regionErrors`. */
export function regionOf(country: string, provinces: readonly string[]): { country: string; provinces: string[] } {
  const code = countryOf(country) ?? country;
  return { country: code, provinces: [...new Set(provinces.map(one => provinceOf(code, one)?.code ?? one))] };
}

/** What is wrong with a country and provinces of it, each with the pointers of both. */
export function regionErrors(
  country: string,
  provinces: readonly string[],
  at: { country: string; provinces: string },
): { pointer: string; rule: string; message: string }[] {
  if (countryOf(country) !== country) return [{ pointer: at.country, rule: 'pattern', message: noCountry(country) }];
  return provinces.flatMap((province, i) =>
    provinceOf(country, province) ? [] : [{ pointer: `${at.provinces}/${i}`, rule: 'pattern', message: noProvince(country, province) }],
  );
}
