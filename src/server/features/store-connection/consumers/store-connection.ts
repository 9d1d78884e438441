// Orders that are paid while the store is connected are to be made in the shop.
import { sql } from 'kysely';
import type { EventConsumer } from '../../../platform/events/consumer.ts';

const KEYS = new Set(['order_placed']);

export const storeConnection: EventConsumer = {
  name: 'store-connection',
  keys: () => KEYS,
  async handle({ trx, store }, { contractId, payload, at }) {
    if (contractId === null || typeof payload.orderId !== 'number') return;
    await sql`insert into platform_orders (store_id, id, contract_id, created_at)
      select ${store.id}::integer, ${payload.orderId}::bigint, ${contractId}::bigint, ${at}::timestamptz
      where exists (select from store_connections where store_id = ${store.id}::integer)
      on conflict do nothing`.execute(trx);
  },
};
