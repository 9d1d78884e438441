// A link that orders: what it gives with its charge, and its use, which counts only when the charge is paid.
import { sql } from 'kysely';
import type { Aggregate } from '../aggregate.ts';
import type { EngineContext } from '../context.ts';
import type { OrderRow } from '../rows.ts';

/** Rows of the subscription that came with a charge. */
export interface CameWith {
  lineIds: readonly number[];
  discountIds: readonly number[];
}

/** The use of a link whose charge was declined is none: it is forgotten with what this work writes, and the link works again. */
export async function forgetDeclined(
  { trx, storeId }: Pick<EngineContext, 'trx' | 'storeId'>,
  changed: readonly Aggregate[],
): Promise<void> {
  const wasAsked = (subscription: Aggregate, { id }: OrderRow): boolean => (subscription.before.orders.get(id)?.came_with ?? null) !== null;
  const ids = changed.flatMap(subscription =>
    subscription.orders.flatMap(order =>
      order.status !== 'PAID' && order.came_with === null && wasAsked(subscription, order) ? order.id : [],
    ),
  );
  if (ids.length) await sql`delete from link_events where store_id = ${storeId}::integer and order_id = any(${ids}::bigint[])`.execute(trx);
}
