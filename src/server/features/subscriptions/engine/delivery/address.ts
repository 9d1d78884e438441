// Addresses: what must be filled in for which country, and cleaning of what people type.
import type { FieldError } from '../../../../../contract/types.ts';
import type { Address } from './delivery-options.ts';
import { t } from '../../../../../domain/text/t.ts';

/** Countries and territories without postal codes. */
const WITHOUT_ZIP = new Set(
  (
    'AE AG AO AW BF BI BJ BO BQ BS BW BZ CD CF CG CI CK CM CW DJ DM ER FJ GA GD GH GM GQ GY HK JM KI KM KN KP LC ML MO MR MW ' +
    'NR NU PA QA RW SB SC SL SR SS ST SX SY TD TF TG TK TL TO TT TV UG VU YE ZW'
  ).split(' '),
);
/** Countries whose addresses name a state or province. */
const WITH_PROVINCE = new Set('AU BR CA IN MX US'.split(' '));
/** Whether an address of the country has a postal code, a state or province. */
export const needsZip = (country: string): boolean => !WITHOUT_ZIP.has(country);
export const needsProvince = (country: string): boolean => WITH_PROVINCE.has(country);
const PHONE = /^\+[1-9]\d{6,14}$/;

const COUNTRIES = new Intl.DisplayNames(['en'], { type: 'region' });

/** An address with the blanks around its parts removed; the country's name is that of its code, which is all that people choose. */
export function cleanAddress(address: Address): Address {
  const clean = Object.fromEntries(
    Object.entries(address).map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value]),
  ) as Address;
  return /^[A-Z]{2}$/.test(clean.countryCode ?? '') && clean.country
    ? { ...clean, country: COUNTRIES.of(clean.countryCode as string) ?? clean.country }
    : clean;
}

/** What is missing in an address, each with its pointer below `at`. Local delivery needs a phone number with the country code. */
export function addressErrors(address: Address, at = '/address', options: { phone?: boolean } = {}): FieldError[] {
  const errors: FieldError[] = [];
  const need = (name: keyof Address, message: string) => {
    if (!address[name]) errors.push({ pointer: `${at}/${name}`, rule: 'required', message });
  };
  need('lastName', t`Enter a last name`);
  need('address1', t`Enter an address`);
  need('city', t`Enter a city`);
  need('countryCode', t`Select a country`);
  const country = address.countryCode ?? '';
  if (country && !WITHOUT_ZIP.has(country)) need('zip', t`Enter a ZIP or postal code`);
  if (WITH_PROVINCE.has(country)) need('provinceCode', t`Select a state or province`);
  if (options.phone || address.phone) {
    const phone = (address.phone ?? '').replace(/[\s().-]/g, '');
    if (!PHONE.test(phone) && (options.phone || phone !== ''))
      errors.push({ pointer: `${at}/phone`, rule: 'pattern', message: t`Enter a phone number with country code` });
  }
  return errors;
}

/** Whether two addresses are the same place and person. */
export const sameAddress = (a: Address | null, b: Address | null): boolean => {
  const parts: (keyof Address)[] = [
    'firstName',
    'lastName',
    'company',
    'address1',
    'address2',
    'zip',
    'city',
    'countryCode',
    'provinceCode',
  ];
  return a !== null && b !== null && parts.every(name => (a[name] ?? '') === (b[name] ?? ''));
};
