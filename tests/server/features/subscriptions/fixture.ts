// Subscriptions to act on, made through the calls of a running server.
import type { JsonObject } from '../../../../src/contract/types.ts';
import type { TestServer } from '../../../support/server.ts';

export const ADDRESS = {
  firstName: 'Ann',
  lastName: 'Lee',
  address1: '1 Elm Street',
  city: 'Brooklyn',
  zip: '11201',
  provinceCode: 'NY',
  countryCode: 'US',
};
export const inDays = (days: number, from = Date.now()): number => Math.floor(from / 1000) + days * 86_400;
const STORE = 1;

export interface Goods {
  plain: number;
  other: number;
  digital: number;
  soldOut: number;
  gone: number;
  giftCard: number;
}

/** Products of our own beside the seed's: plain ones, one without shipping, one out of stock, one deleted, a gift card. Ids of variants. */
export async function stockGoods({ services: { db } }: TestServer): Promise<Goods> {
  const ids = { plain: 501, other: 502, digital: 503, soldOut: 504, gone: 505, giftCard: 506 };
  await db.asOwner(async trx => {
    for (const [name, id] of Object.entries(ids)) {
      await trx
        .insertInto('products')
        .values({
          store_id: STORE,
          id,
          shopify_id: 600_000 + id,
          handle: `goods-${name}`,
          title: `Goods ${name}`,
          is_gift_card: name === 'giftCard',
        })
        .execute();
      await trx
        .insertInto('variants')
        .values({
          store_id: STORE,
          id,
          product_id: id,
          shopify_id: 700_000 + id,
          title: 'Default Title',
          price: 2000,
          requires_shipping: name !== 'digital',
          weight_in_grams: 250,
          deleted_at: name === 'gone' ? new Date(0) : null,
          ...(name === 'soldOut' ? { inventory_management: 'shopify', inventory_policy: 'deny', inventory_quantity: 0 } : {}),
        })
        .execute();
    }
  });
  return ids;
}

let customers = 900_000;
/** A customer with saved cards, the first token being the primary one. */
export async function customerWith({ services: { db } }: TestServer, ...tokens: string[]): Promise<{ id: number; methods: number[] }> {
  const id = ++customers;
  return db.asOwner(async trx => {
    await trx
      .insertInto('customers')
      .values({
        store_id: STORE,
        id,
        shopify_id: id,
        email: `person${id}@mail.example`,
        first_name: 'Ann',
        last_name: 'Lee',
        portal_token: 'b'.repeat(32),
      })
      .execute();
    const methods: number[] = [];
    for (const [i, token] of tokens.entries())
      methods.push(
        (
          await trx
            .insertInto('payment_methods')
            .values({
              store_id: STORE,
              shopify_id: `pm_${id}_${i}`,
              customer_id: id,
              last_digits: '4242',
              expiry_month: 12,
              expiry_year: 2090,
              gateway_token: token,
            })
            .returning('id')
            .executeTakeFirstOrThrow()
        ).id,
      );
    return { id, methods };
  });
}

export interface Made {
  id: number;
  shopifyId: number;
  customerId: number;
  methods: number[];
  lines: JsonObject[];
  view: JsonObject;
}

/** Creates a subscription by the call: two products, monthly, first order in 30 days. */
export async function makeContract(server: TestServer, goods: Goods, over: JsonObject & { tokens?: string[] } = {}): Promise<Made> {
  const { tokens = ['tok_success', 'tok_success'], ...rest } = over;
  const customer = await customerWith(server, ...tokens);
  const answer = await server.call('subscription-contract.create', {
    customerId: customer.id,
    lines: [
      { variantId: goods.plain, discountType: 'NONE' },
      { variantId: goods.digital, discountType: 'NONE' },
    ],
    billingPolicy: { interval: 'MONTH', intervalCount: 1 },
    nextBillingDateEpoch: inDays(30),
    paymentMethodId: customer.methods[0] as number,
    address: ADDRESS,
    optionCode: 'STANDARD',
    ...rest,
  });
  if (answer.status !== 200) throw new Error(`create answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return {
    id: answer.data.id,
    shopifyId: answer.data.shopifyId,
    customerId: customer.id,
    methods: customer.methods,
    lines: answer.data.lines,
    view: answer.data,
  };
}

/** Everything the database holds about a contract, to see that nothing changed. */
export async function rowsOf({ services: { db } }: TestServer, id: number): Promise<unknown> {
  return db.asOwner(async trx => {
    const of = (table: 'contract_lines' | 'contract_discounts' | 'orders' | 'billing_attempts' | 'events' | 'credit_transactions') =>
      trx.selectFrom(table).selectAll().where('store_id', '=', STORE).where('contract_id', '=', id).orderBy('id').execute();
    return {
      contract: await trx.selectFrom('contracts').selectAll().where('store_id', '=', STORE).where('id', '=', id).execute(),
      lines: await of('contract_lines'),
      discounts: await of('contract_discounts'),
      orders: await of('orders'),
      attempts: await of('billing_attempts'),
      activity: await of('events'),
      credits: await of('credit_transactions'),
      mails: await trx.selectFrom('outbox').selectAll().where('store_id', '=', STORE).where('contract_id', '=', id).orderBy('id').execute(),
    };
  });
}

/** A published group of two plans on products: 88101 monthly with 10 % off and at least 2 orders, 88102 every two weeks with 20 % off. Made once. */
export async function offerPlans({ services: { db } }: TestServer, productIds: readonly number[]): Promise<void> {
  const plan = (lspId: number, name: string, interval: string, count: number, discount: number, more: JsonObject = {}): JsonObject => ({
    lspId,
    name,
    optionLabel: name,
    recurringBillingPolicyInterval: interval,
    recurringBillingPolicyIntervalCount: count,
    recurringDeliveryPolicyInterval: interval,
    recurringDeliveryPolicyIntervalCount: count,
    fixedDiscountType: 'PERCENTAGE',
    fixedDiscountValue: discount,
    ...more,
  });
  const data = {
    name: 'Goods plans',
    merchantCode: 'goods-plans',
    status: 'ACTIVE',
    sellingPlans: [
      plan(88_101, 'Monthly', 'MONTH', 1, 10, { recurringBillingPolicyMinCycles: 2 }),
      plan(88_102, 'Fortnightly', 'WEEK', 2, 20),
    ],
  };
  const there = await db.ownerQuery("select 1 from records where store_id = 1 and entity = 'selling-plan-group' and id = 77101");
  if (there.rows.length) return;
  await db.ownerQuery("insert into records (store_id, entity, id, data) values (1, 'selling-plan-group', 77101, $1)", [
    JSON.stringify(data),
  ]);
  for (const product of productIds)
    await db.ownerQuery('insert into plan_products (store_id, group_id, product_id, variant_id) values (1, 77101, $1, null)', [product]);
}
