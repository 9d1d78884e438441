// What the forms of the shop share: what was typed, what is wrong with it, and the words of the parts of an address.
import { t } from '../../../../domain/text/t.ts';

export type Errors = ReadonlyMap<string, string>;
export type Typed = Readonly<Record<string, string>>;

export const LABELS: Readonly<Record<string, () => string>> = {
  firstName: () => t`First name`,
  lastName: () => t`Last name`,
  company: () => t`Company (optional)`,
  addressLine1: () => t`Street and number`,
  addressLine2: () => t`Apartment, floor (optional)`,
  postalCode: () => t`Postal code`,
  city: () => t`City`,
  country: () => t`Country`,
  province: () => t`State or province`,
  phone: () => t`Phone with country code (optional)`,
};
/** What the buyer of gifts alone fills in: each gift has the address of its recipient. */
export const NAMES: ReadonlySet<string> = new Set(['firstName', 'lastName']);
export const HALF: ReadonlySet<string> = new Set(['firstName', 'lastName', 'zip', 'city']);
