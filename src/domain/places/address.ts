// Addresses: what must be filled in for which country, and cleaning of what people type.
import type { FieldError } from '../../contract/types.ts';
import { cleanZip, countryOf, needsProvince, needsZip, noCountry, noProvince, provinceOf, zipLike } from './places.ts';
import { t } from '../text/t.ts';

export type Address = {
  firstName?: string | null;
  lastName?: string;
  company?: string | null;
  address1?: string;
  address2?: string | null;
  zip?: string | null;
  city?: string;
  country?: string | null;
  countryCode?: string;
  province?: string | null;
  provinceCode?: string | null;
  phone?: string | null;
};

const PHONE = /^\+[1-9]\d{6,14}$/;

const COUNTRIES = new Intl.DisplayNames(['en'], { type: 'region' });

/**
 * An address as it is saved: without the blanks around its parts, its country and province by their codes, however they were written.
 * What is no country or province stays for `addressErrors`.
 */
export function cleanAddress(address: Address): Address {
  const clean = Object.fromEntries(
    Object.entries(address).map(([name, value]) => [name, typeof value === 'string' ? value.trim() : value]),
  ) as Address;
  const country = countryOf(clean.countryCode || clean.country || '');
  if (!country) return clean;
  const named = clean.provinceCode || clean.province;
  const province = named ? provinceOf(country, named) : undefined;
  return {
    ...clean,
    ...(clean.zip ? { zip: cleanZip(clean.zip) } : {}),
    countryCode: country,
    ...(clean.country ? { country: COUNTRIES.of(country) ?? country } : {}),
    ...(province && province.code !== clean.provinceCode ? { provinceCode: province.code, province: province.name } : {}),
    ...(!province && named ? { provinceCode: named } : {}),
  };
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
  const [zip, province] = [address.zip ?? '', address.provinceCode ?? ''];
  if (country && countryOf(country) !== country)
    errors.push({ pointer: `${at}/countryCode`, rule: 'pattern', message: noCountry(country) });
  if (needsZip(country)) need('zip', t`Enter a ZIP or postal code`);
  const like = zipLike(country, zip);
  if (like !== undefined)
    errors.push({ pointer: `${at}/zip`, rule: 'pattern', message: t`“${zip}” is no postal code of this country. Write it like ${like}.` });
  if (needsProvince(country)) need('provinceCode', t`Select a state or province`);
  if (province && !provinceOf(country, province))
    errors.push({ pointer: `${at}/provinceCode`, rule: 'pattern', message: noProvince(country, province) });
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
