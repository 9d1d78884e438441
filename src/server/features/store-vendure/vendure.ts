// A Vendure shop, asked over its Admin API.
import type { JsonObject } from '../../../contract/types.ts';
import { toDecimal } from '../../../domain/money/money.ts';
import type { PriceRule } from '../../../domain/money/pricing.ts';
import { ShopError, type FaultCode } from '../../platform/store-platform/shop-fault.ts';
import type { ShopCustomer, ShopLink, ShopPage, StorePlatform } from '../../platform/store-platform/store-platform.ts';
import { ask, id, list, object, text, whole } from './ask.ts';
import { PRICED, RENAME, REPRICE } from './documents/change-product.ts';
import { CUSTOMERS } from './documents/customers.ts';
import { LISTEN } from './documents/listen.ts';
import { PLACE_ORDER } from './documents/place-order.ts';
import { PRODUCTS } from './documents/products.ts';
import { SHOP } from './documents/shop.ts';
import { VARIANTS } from './documents/variants.ts';
import { OFFER, PLANS } from './documents/offer-plans.ts';
import { ORDERS } from './documents/orders.ts';
import { fromShop, toShop } from './money.ts';
import { REFUND } from './documents/refund.ts';
import { readCustomer } from './read-customers.ts';
import { readOrders } from './read-orders.ts';
import { readProducts } from './read-products.ts';

/** An answer may have a megabyte: products have many variants. */
const PRODUCTS_A_PAGE = 25;
const CUSTOMERS_A_PAGE = 100;
const ORDERS_A_PAGE = 50;
const OFFERED_AT_ONCE = 200;

/** Pages in the order of ids; `from` is how many came before. What slips through when one is deleted meanwhile is read by its id. */
const pageOptions = (from: string | null, take: number): JsonObject => ({
  options: { skip: Number(from ?? 0), take, sort: { id: 'ASC' } },
});
const byIds = (ids: readonly string[]): JsonObject => ({ options: { take: ids.length, filter: { id: { in: [...ids] } } } });

function page<T>(from: string | null, total: number, items: T[]): ShopPage<T> {
  const end = Number(from ?? 0) + items.length;
  return { items, next: items.length > 0 && end < total ? String(end) : null };
}

const customersIn = (data: JsonObject): { items: ShopCustomer[]; total: number } => {
  const { items, totalItems } = object(data.customers, 'customers');
  return { items: list(items, 'customers').map(readCustomer), total: whole(totalItems, 'how many customers there are') };
};

/** Where the shop lets the key in at all, only orders are refused: products are followed all the same. @throws ShopError */
const forOrdersAlone =
  (link: ShopLink, is: FaultCode) =>
  async (error: unknown): Promise<never> => {
    if (!(error instanceof ShopError) || error.code !== 'REFUSED') throw error;
    await ask(link, SHOP);
    throw new ShopError('WRONG', is, {}, { cause: error });
  };

/** Amounts of a plan as the shop counts them; a percentage is one everywhere. */
const ruleThere = (link: ShopLink, rule: PriceRule): JsonObject => ({
  type: rule.type,
  value: rule.type === 'PERCENTAGE' || rule.type === 'NONE' ? rule.value : toShop(link, rule.value),
});

async function productsIn(link: ShopLink, variables: JsonObject) {
  const data = await ask(link, PRODUCTS, variables);
  return readProducts(link, data);
}

export const vendure: StorePlatform = {
  async check(link) {
    const { activeChannel, globalSettings } = await ask(link, SHOP);
    const { serverConfig } = object(globalSettings, 'the settings of the shop');
    return {
      currency: text(object(activeChannel, 'the channel').defaultCurrencyCode, 'the currency', 3),
      precision: whole(object(serverConfig, 'the settings of the shop').moneyStrategyPrecision, 'the decimals of the shop'),
    };
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
  async offerPlans(link, { groups, variants }) {
    const inShop = groups.map(group => ({ ...group, plans: group.plans.map(plan => ({ ...plan, rule: ruleThere(link, plan.rule) })) }));
    const { setSettingsStoreValue } = await ask(link, PLANS, { value: { groups: inShop } as JsonObject });
    if (object(setSettingsStoreValue, 'the plans').result !== true) return false;
    for (let at = 0; at < variants.length; at += OFFERED_AT_ONCE)
      await ask(link, OFFER, {
        variants: variants.slice(at, at + OFFERED_AT_ONCE).map(one => ({ id: one.id, groups: one.groups.map(String) })),
      });
    return true;
  },
  async orders(link, since, from) {
    const changed = { updatedAt: { after: since.toISOString() }, orderPlacedAt: { isNull: false } };
    const options = { skip: Number(from ?? 0), take: ORDERS_A_PAGE, sort: { updatedAt: 'ASC' }, filter: changed };
    const { items, total } = readOrders(link, await ask(link, ORDERS, { options }));
    return page(from, total, items);
  },
  async ordersById(link, ids) {
    return ids.length === 0 ? [] : readOrders(link, await ask(link, ORDERS, byIds(ids))).items;
  },
  async placeOrder(link, { key, customer, lines, address, total, payment }) {
    const { placePerennialOrder } = await ask(link, PLACE_ORDER, {
      input: {
        key,
        total: toShop(link, total),
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
    }).catch(forOrdersAlone(link, 'ORDERS_REFUSED'));
    const order = object(placePerennialOrder, 'the order');
    // It is about money: what the shop wrote down is what was paid, or a person looks.
    const there = fromShop(link, whole(order.totalWithTax, 'the total of the order'));
    if (there !== total) throw new ShopError('WRONG', 'OTHER_TOTAL', { total: toDecimal(there, link.currency) });
    return { id: id(order.id, 'the id of the order'), number: text(order.code, 'the number of the order', 100) };
  },
  async refund(link, { order, key, amount }) {
    const { refundPerennialOrder } = await ask(link, REFUND, { input: { orderId: order, key, amount: toShop(link, amount) } }).catch(
      forOrdersAlone(link, 'REFUNDS_REFUSED'),
    );
    return { id: id(object(refundPerennialOrder, 'the refund').id, 'a refund') };
  },
  async rename(link, product, title) {
    const { activeChannel } = await ask(link, SHOP);
    const languageCode = text(object(activeChannel, 'the channel').defaultLanguageCode, 'the language of the shop', 10);
    const input = { id: product, translations: [{ languageCode, name: title }] };
    await ask(link, RENAME, { input }).catch(forOrdersAlone(link, 'CHANGES_REFUSED'));
  },
  async reprice(link, variant, price) {
    const { activeChannel, productVariant } = await ask(link, PRICED, { id: variant });
    const { value } = object(object(productVariant, 'a variant').taxRateApplied, 'the tax of a variant');
    if (typeof value !== 'number') throw new ShopError('WRONG', 'UNREADABLE', { what: 'the tax of a variant' });
    const isGross = object(activeChannel, 'the channel').pricesIncludeTax === true;
    const wanted = toShop(link, price);
    const set = isGross ? wanted : Math.round(wanted / (1 + value / 100));
    const nearest = isGross ? set : Math.round(set * (1 + value / 100));
    if (nearest !== wanted) throw new ShopError('WRONG', 'OTHER_PRICE', { price: toDecimal(fromShop(link, nearest), link.currency) });
    const input = [{ id: variant, price: set }];
    const { updateProductVariants } = await ask(link, REPRICE, { input }).catch(forOrdersAlone(link, 'CHANGES_REFUSED'));
    list(updateProductVariants, 'variants');
  },
  async customersById(link, ids) {
    return ids.length === 0 ? [] : customersIn(await ask(link, CUSTOMERS, byIds(ids))).items;
  },
};
