// A Vendure shop, asked over its Admin API.
import type { JsonObject } from '../../../contract/types.ts';
import { ShopError } from '../../platform/store-platform/shop-fault.ts';
import type { ShopCustomer, ShopLink, ShopPage, StorePlatform } from '../../platform/store-platform/store-platform.ts';
import { ask, id, list, object, text, whole } from './ask.ts';
import { CUSTOMERS } from './documents/customers.ts';
import { LISTEN } from './documents/listen.ts';
import { PLACE_ORDER } from './documents/place-order.ts';
import { PRODUCTS } from './documents/products.ts';
import { SHOP } from './documents/shop.ts';
import { VARIANTS } from './documents/variants.ts';
import { readProducts } from './read-products.ts';

/** An answer may have a megabyte: products have many variants. */
const PRODUCTS_A_PAGE = 25;
const CUSTOMERS_A_PAGE = 100;

/** Pages in the order of ids; `from` is how many came before. What slips through when one is deleted meanwhile is read by its id. */
const pageOptions = (from: string | null, take: number): JsonObject => ({
  options: { skip: Number(from ?? 0), take, sort: { id: 'ASC' } },
});
const byIds = (ids: readonly string[]): JsonObject => ({ options: { take: ids.length, filter: { id: { in: [...ids] } } } });

function page<T>(from: string | null, total: number, items: T[]): ShopPage<T> {
  const end = Number(from ?? 0) + items.length;
  return { items, next: items.length > 0 && end < total ? String(end) : null };
}

function readCustomer(given: JsonObject): ShopCustomer {
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

const customersIn = (data: JsonObject): { items: ShopCustomer[]; total: number } => {
  const { items, totalItems } = object(data.customers, 'customers');
  return { items: list(items, 'customers').map(readCustomer), total: whole(totalItems, 'how many customers there are') };
};

async function productsIn(link: ShopLink, variables: JsonObject) {
  const data = await ask(link, PRODUCTS, variables);
  return readProducts(data);
}

export const vendure: StorePlatform = {
  async check(link) {
    const { activeChannel } = await ask(link, SHOP);
    return { currency: text(object(activeChannel, 'the channel').defaultCurrencyCode, 'the currency', 3) };
  },
  async listen(link, to) {
    const { setSettingsStoreValue } = await ask(link, LISTEN, { value: { ...to } });
    return object(setSettingsStoreValue, 'the address of events').result === true;
  },
  async products(link, from) {
    const { items, total } = await productsIn(link, pageOptions(from, PRODUCTS_A_PAGE));
    return page(from, total, items);
  },
  async productsById(link, ids) {
    return ids.length === 0 ? [] : (await productsIn(link, byIds(ids))).items;
  },
  async productsOf(link, variants) {
    if (variants.length === 0) return [];
    const { productVariants } = await ask(link, VARIANTS, byIds(variants));
    return list(object(productVariants, 'variants').items, 'variants').map(one => id(one.productId, 'the product of a variant'));
  },
  async customers(link, from) {
    const { items, total } = customersIn(await ask(link, CUSTOMERS, pageOptions(from, CUSTOMERS_A_PAGE)));
    return page(from, total, items);
  },
  async placeOrder(link, { key, customer, lines, address, total, payment }) {
    const { placePerennialOrder } = await ask(link, PLACE_ORDER, {
      input: {
        key,
        total,
        payment,
        customerId: customer.id,
        customer: {
          emailAddress: customer.email,
          firstName: customer.firstName,
          lastName: customer.lastName,
          ...(customer.phone ? { phoneNumber: customer.phone } : {}),
        },
        lines: lines.map(({ variant, quantity }) => ({ variantId: variant, quantity })),
        address: address && {
          fullName: address.name,
          company: address.company,
          streetLine1: address.street,
          streetLine2: address.street2,
          city: address.city,
          province: address.province,
          postalCode: address.postalCode,
          countryCode: address.countryCode,
          phoneNumber: address.phone,
        },
      },
    }).catch(async (error: unknown) => {
      if (!(error instanceof ShopError) || error.code !== 'REFUSED') throw error;
      // Where the shop lets the key in at all, only orders are refused: products are followed all the same.
      await ask(link, SHOP);
      throw new ShopError('WRONG', 'ORDERS_REFUSED', {}, { cause: error });
    });
    const order = object(placePerennialOrder, 'the order');
    // It is about money: what the shop wrote down is what was paid, or a person looks.
    if (whole(order.totalWithTax, 'the total of the order') !== total)
      throw new ShopError('WRONG', 'OTHER_TOTAL', { total: whole(order.totalWithTax, 'the total') / 100 });
    return { id: id(order.id, 'the id of the order'), number: text(order.code, 'the number of the order', 100) };
  },
  async customersById(link, ids) {
    return ids.length === 0 ? [] : customersIn(await ask(link, CUSTOMERS, byIds(ids))).items;
  },
};
