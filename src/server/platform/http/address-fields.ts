// The fields of an address by its country, on every page where a customer writes one.
import { hasZip, provincesToChoose } from '../../../domain/places/places.ts';
import { countriesIn } from '../../../domain/text/countries.ts';
import type { Address } from '../../../domain/places/address.ts';
import type { Field } from './form-fields.ts';

export type AddressPart =
  | 'firstName'
  | 'lastName'
  | 'company'
  | 'address1'
  | 'address2'
  | 'zip'
  | 'city'
  | 'countryCode'
  | 'provinceCode'
  | 'phone';
/** Parts of an address in their order: the key of the store's words, what browsers call it, and how long it may be. */
const PARTS: readonly [AddressPart, string, string, number][] = [
  ['firstName', 'firstName', 'given-name', 255],
  ['lastName', 'lastName', 'family-name', 255],
  ['company', 'company', 'organization', 255],
  ['address1', 'addressLine1', 'address-line1', 255],
  ['address2', 'addressLine2', 'address-line2', 255],
  ['zip', 'postalCode', 'postal-code', 20],
  ['city', 'city', 'address-level2', 255],
  ['countryCode', 'country', 'country', 2],
  ['provinceCode', 'province', 'address-level1', 100],
  ['phone', 'phone', 'tel', 40],
];
const NEEDED: ReadonlySet<AddressPart> = new Set(['lastName', 'address1', 'city', 'countryCode']);

/** Whether addresses of a country have this part; what is written there already stays in view. */
const isAsked = (name: AddressPart, country: string, value: string): boolean =>
  value !== '' || (name === 'zip' ? hasZip(country) : name !== 'provinceCode' || provincesToChoose(country) !== 'NONE');

/** What the fields follow from. `label` gives the words of a key; `isTyped`: a province that is not chosen from a list. */
interface Asked {
  country: string;
  home: string;
  language: string;
  valueOf(name: AddressPart): string;
  label(key: string): string;
  errorOf(name: AddressPart, isTyped: boolean): string | undefined;
}

export function addressFields({ country, home, language, valueOf, label, errorOf }: Asked): (Field & { name: AddressPart })[] {
  const provinces = provincesToChoose(country);
  return PARTS.filter(([name]) => isAsked(name, country, valueOf(name))).map(([name, key, autocomplete, maxLength]) => {
    const error = errorOf(name, name === 'provinceCode' && !Array.isArray(provinces));
    return {
      name,
      label: label(key),
      value: name === 'countryCode' ? country : valueOf(name),
      // Whether there is a province follows from the country, which the same form may change: a browser must not insist on one.
      isRequired: NEEDED.has(name),
      ...(name === 'phone' ? { type: 'tel' as const } : {}),
      ...(name === 'countryCode'
        ? { options: countriesIn(home, language).map(one => ({ value: one.code, label: one.name })) }
        : name === 'provinceCode' && Array.isArray(provinces)
          ? { options: [{ value: '', label: '–' }, ...provinces.map(one => ({ value: one.code, label: one.name }))] }
          : { maxLength }),
      autocomplete,
      ...(error ? { error } : {}),
    };
  });
}

/** The fields of an address that is there already, with what was typed in its place; its country as well. */
export function changedAddressFields({
  typed,
  present,
  ...asked
}: Omit<Asked, 'country' | 'valueOf'> & { typed: Readonly<Record<string, string>>; present: unknown }): {
  country: string;
  fields: ReturnType<typeof addressFields>;
} {
  const valueOf = (name: AddressPart): string => typed[name] ?? ((present ?? {}) as Address)[name] ?? '';
  const country = valueOf('countryCode') || asked.home;
  return { country, fields: addressFields({ ...asked, country, valueOf }) };
}

/** The address of a form. */
export function addressIn(form: Readonly<Record<string, string>>): Address {
  const given = Object.fromEntries(PARTS.map(([name, , , most]) => [name, (form[name] ?? '').trim().slice(0, most)])) as Record<
    AddressPart,
    string
  >;
  const { phone, ...rest } = given;
  // The form had the provinces of another country: none of them was meant.
  const provinceCode = (form.partsOf ?? given.countryCode) === given.countryCode ? given.provinceCode : '';
  return { ...rest, provinceCode: provinceCode || null, country: given.countryCode, ...(phone ? { phone } : {}) };
}

/** The lines of an address, its country in the language of the page. */
export function addressLines(given: unknown, language: string): string[] {
  const { firstName, lastName, company, address1, address2, zip, city, province, country, countryCode } = (given ?? {}) as Address;
  const countryName = countryCode ? new Intl.DisplayNames([language], { type: 'region' }).of(countryCode) : undefined;
  const joined = (...parts: (string | null | undefined)[]): string => parts.filter(Boolean).join(' ');
  return [
    joined(firstName, lastName),
    joined(company),
    joined(address1),
    joined(address2),
    joined(zip, city),
    joined(province, countryName ?? country),
  ].filter(Boolean);
}
