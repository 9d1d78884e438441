// Orders that are paid while the store is connected are to be made in the shop, and what is given back of them is to be written down there.
import { sql } from 'kysely';
import type { EventConsumer } from '../../../platform/events/consumer.ts';

const KEYS = new Set(['order_placed', 'order_refunded']);

export const storeConnection: EventConsumer = {
  name: 'store-connection',
  keys: () => KEYS,
  async handle({ trx, store }, { key, contractId, payload, at }) {
    if (contractId === null || typeof payload.orderId !== 'number') return;
    if (key === 'order_placed')
      await sql`insert into platform_orders (store_id, id, contract_id, created_at)
        select ${store.id}::integer, ${payload.orderId}::bigint, ${contractId}::bigint, ${at}::timestamptz
        where exists (select from store_connections where store_id = ${store.id}::integer)
        on conflict do nothing`.execute(trx);
    // All of the order that are done: one event may stand for several, and comes again. What the shop gave back itself it knows.
    else
      await sql`insert into platform_refunds (store_id, id, order_id, contract_id, amount, currency_code, created_at)
        select r.store_id, r.id, r.order_id, r.contract_id, r.amount, r.currency_code, ${at}::timestamptz from refunds r
        join platform_orders o on o.store_id = r.store_id and o.id = r.order_id
        where r.store_id = ${store.id}::integer and r.order_id = ${payload.orderId}::bigint and r.status = 'DONE' and r.gateway <> 'SHOP'
        on conflict do nothing`.execute(trx);
  },
};
