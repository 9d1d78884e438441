// What happened in a store while its clock was moved: shown when the move is over.
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../../generated/tables.ts';

/** Counts over the time after `from` up to `to`; instants of the store's clock. */
export interface ClockSummary {
  /** Orders that a charge paid. */
  charged: number;
  /** Tries of a charge that were refused. */
  refused: number;
  /** Orders paid after at least one refusal. */
  recovered: number;
  /** Subscriptions that customers bought. */
  started: number;
  cancelled: number;
  /** Subscriptions that customers paused, skipped an order of, or gave another card. */
  changed: number;
  /** Letters to customers and to the team. */
  letters: number;
}

/** Reads the summary of a store from its orders, charges, subscriptions, log and letters. */
export async function summaryOf(trx: Kysely<Tables>, storeId: number, from: Date, to: Date): Promise<ClockSummary> {
  const within = (column: string) => sql`store_id = ${storeId}::integer and ${sql.ref(column)} > ${from} and ${sql.ref(column)} <= ${to}`;
  const { rows } = await sql<ClockSummary>`select
    (select count(*)::integer from billing_attempts where ${within('completed_at')} and success) as charged,
    (select count(*)::integer from billing_attempts where ${within('completed_at')} and not success) as refused,
    (select count(*)::integer from orders where ${within('processed_at')} and status = 'PAID' and attempts > 1) as recovered,
    (select count(*)::integer from contracts where ${within('created_at')} and source = 'CHECKOUT') as started,
    (select count(*)::integer from contracts where ${within('cancelled_at')}) as cancelled,
    (select count(distinct contract_id)::integer from events where ${within('created_at')} and source = 'Customer portal'
      and key in ('subscription_paused', 'subscription_resumed', 'order_skipped', 'payment_method_changed')) as changed,
    (select count(*)::integer from outbox where ${within('created_at')}) as letters`.execute(trx);
  return rows[0] as ClockSummary;
}
