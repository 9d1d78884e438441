// What stands around the record of a connection.
import { sql } from 'kysely';
import { rules, type Derivation } from '../../platform/records/rules.ts';
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
    else {
      // Orders that are paid and not made yet stay: once a shop is connected again they are made there.
      await trx.deleteFrom('platform_changes').where('store_id', '=', storeId).execute();
      await trx.deleteFrom('platform_ids').where('store_id', '=', storeId).execute();
    }
  },
});

export const platformOrder = rules({
  derive: inWords,
  columns: ({ storeId }) => ({
    orderNumber: sql`(select o.shopify_order_number from orders o where o.store_id = ${storeId}::integer and o.id = r.id)`,
  }),
  async after(verb, { record }, { trx, storeId }) {
    if (verb === 'move')
      await sql`update platform_orders set try_at = now(), tries = 0
        where store_id = ${storeId}::integer and id = ${Number(record?.id)}::bigint`.execute(trx);
  },
});
