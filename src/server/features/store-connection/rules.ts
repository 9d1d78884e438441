// What stands around the record of a connection.
import { sql } from 'kysely';
import type { JsonObject } from '../../../contract/types.ts';
import { rules, type Derivation, type Rules } from '../../platform/records/rules.ts';
import { formatMoney, toMinor } from '../../../domain/money/money.ts';
import { t } from '../../../domain/text/t.ts';
import { faultText } from '../../platform/store-platform/shop-fault.ts';
import { invalidState } from '../../platform/context.ts';

/** What is wrong is kept as a code, and said in the reader's language. */
const inWords: Derivation = {
  needs: ['error'],
  members: ['error'],
  of: records => records.map(({ error }) => ({ error: faultText(error) })),
};

export const storeConnection = rules({
  derive: inWords,
  columns: ({ storeId }) => {
    const count = (kind: string) =>
      sql`(select count(*)::integer from platform_ids i where i.store_id = ${storeId}::integer and i.kind = ${kind})`;
    return {
      products: count('PRODUCT'),
      customers: count('CUSTOMER'),
      orders: sql`(select count(*)::integer from platform_orders o where o.store_id = ${storeId}::integer and o.state = 'MADE')`,
      ordersWaiting: sql`(select count(*)::integer from platform_orders o where o.store_id = ${storeId}::integer and o.state <> 'MADE')`,
      purchases: sql`(select count(*)::integer from platform_purchases o where o.store_id = ${storeId}::integer and o.state = 'MADE')`,
      purchasesWaiting: sql`(select count(*)::integer from platform_purchases o
        where o.store_id = ${storeId}::integer and o.state <> 'MADE')`,
      refundsWaiting: sql`(select count(*)::integer from platform_refunds o where o.store_id = ${storeId}::integer and o.state <> 'MADE')`,
      differences: sql`(select count(*)::integer from platform_differences o where o.store_id = ${storeId}::integer)`,
      waiting: sql`(select count(*)::integer from platform_changes c where c.store_id = ${storeId}::integer)`,
    };
  },
  fill: (verb, _written, { user }) => ({ status: 'CHECKING', ...(verb === 'create' ? { createdBy: user.email } : {}) }),
  async validate(verb, _written, { trx, storeId }) {
    if (verb !== 'create') return undefined;
    const other = await trx.selectFrom('store_connections').select('id').where('store_id', '=', storeId).executeTakeFirst();
    return other && invalidState(t`This store is connected already. Disconnect it first.`);
  },
  async after(verb, { before, record }, { trx, storeId }) {
    const id = Number((record ?? before)?.id);
    if (verb !== 'delete')
      await sql`update store_connections set due_at = now(), failures = 0, error = null, reading = null
        where store_id = ${storeId}::integer and id = ${id}::bigint`.execute(trx);
    // What came over is forgotten in steps. Orders that are paid and not made yet stay: once a shop is connected again they are made there.
  },
});

/** What is tried again is tried at once. */
const againNow =
  (table: 'platform_orders' | 'platform_purchases' | 'platform_refunds'): NonNullable<Rules['after']> =>
  async (verb, { record }, { trx, storeId }) => {
    if (verb === 'move')
      await sql`update ${sql.table(table)} set try_at = now(), tries = 0
        where store_id = ${storeId}::integer and id = ${Number(record?.id)}::bigint`.execute(trx);
  };

export const platformOrder = rules({
  derive: inWords,
  columns: ({ storeId }) => ({
    orderNumber: sql`(select o.shopify_order_number from orders o where o.store_id = ${storeId}::integer and o.id = r.id)`,
  }),
  after: againNow('platform_orders'),
});

export const platformPurchase = rules({ derive: inWords, after: againNow('platform_purchases') });

export const platformRefund = rules({
  derive: inWords,
  columns: ({ storeId }) => ({
    number: sql`(select o.number from platform_orders o where o.store_id = ${storeId}::integer and o.id = r.order_id)`,
  }),
  after: againNow('platform_refunds'),
});

/** Both values beside each other, for lists on small screens too. */
const bothValues: Derivation = {
  needs: ['error', 'fact', 'here', 'there'],
  members: ['error', 'values'],
  of: (records, { store }) =>
    records.map(({ error, fact, ...values }) => {
      const currency = store.currency_code;
      const say = (value: unknown): string => (fact === 'TITLE' ? String(value) : formatMoney(toMinor(String(value), currency), currency));
      return { error: faultText(error), values: t`${say(values.here)} here, ${say(values.there)} in the shop` };
    }),
};

export const platformDifference = rules({
  derive: bothValues,
  async after(verb, { record }, { trx, storeId }) {
    if (verb !== 'move') return;
    const id = Number(record?.id);
    await sql`update platform_differences set try_at = now(), tries = 0, error = null
      where store_id = ${storeId}::integer and id = ${id}::bigint`.execute(trx);
    // The shop is read again, and this time its value comes over.
    await sql`insert into platform_changes (store_id, kind, platform_id, told_at)
      select store_id, kind, platform_id, clock_timestamp() from platform_differences
      where store_id = ${storeId}::integer and id = ${id}::bigint and state = 'HERE'
      on conflict (store_id, kind, platform_id) do update set told_at = excluded.told_at`.execute(trx);
  },
});

/** What was given back of an order is made the same by giving it back. */
export const guards = {
  isOfProducts: (_context: unknown, { kind }: JsonObject): string | undefined =>
    kind === 'ORDER' ? t`Of an order only the money can be given back here.` : undefined,
};
