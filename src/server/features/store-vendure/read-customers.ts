// Vendure's customers in the words of the port.
import type { JsonObject } from '../../../contract/types.ts';
import type { ShopCustomer } from '../../platform/store-platform/store-platform.ts';
import { id, list, object, text } from './ask.ts';

/** @throws ShopError WRONG */
export function readCustomer(given: JsonObject): ShopCustomer {
  const addresses = list(given.addresses ?? [], 'addresses of a customer');
  const address = addresses.find(one => one.defaultShippingAddress === true) ?? addresses[0];
  const country = address ? text(object(address.country, 'the country of a customer').code, 'the country of a customer', 2) : null;
  return {
    id: id(given.id, 'the id of a customer'),
    email: text(given.emailAddress, 'the e-mail address of a customer', 254).trim(),
    firstName: text(given.firstName ?? '', 'the name of a customer').trim(),
    lastName: text(given.lastName ?? '', 'the name of a customer').trim(),
    isVerified: given.user !== null && object(given.user, 'the account of a customer').verified === true,
    phone: text(given.phoneNumber ?? '', 'the phone of a customer', 50).trim() || null,
    countryCode: country !== null && /^[A-Z]{2}$/.test(country) ? country : null,
  };
}
