// Charges of which the payment provider can't tell whether they were made: a person of the store looks there and says so.
import { sql } from 'kysely';
import { toDecimal } from '../../../domain/money/money.ts';
import type { JsonObject } from '../../../contract/types.ts';
import { invalidState, notFound } from '../../platform/context.ts';
import { later, t } from '../../../domain/text/t.ts';
import { orderById, type Aggregate } from '../aggregate.ts';
import { copyOf, type AttemptRow, type OrderRow } from '../rows.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import { applyOutcome } from './charge-outcome.ts';
import { attempt as tryAgain, type PendingCharge } from './place-order.ts';
import { releaseStock, retryOf, type RetryState } from './stock.ts';

/** Nothing more is charged for the order until a person has decided. */
export function markUnclear(work: UnitOfWork, subscription: Aggregate, order: OrderRow, attempt: AttemptRow): void {
  if (order.unclear_since) return;
  order.unclear_since = work.at;
  work.note(subscription, 'charge_unclear', about(order, attempt));
}

const about = (order: OrderRow, attempt: AttemptRow): JsonObject => ({
  orderId: order.id,
  orderNumber: order.order_number,
  amount: toDecimal(attempt.amount, attempt.currency_code),
  currencyCode: attempt.currency_code,
  key: attempt.idempotency_key,
});

/** It was charged: the order is paid. @throws Refusal 404, 409 INVALID_STATE */
export async function confirmCharge(work: UnitOfWork, subscription: Aggregate, { orderId }: { orderId: number }): Promise<void> {
  const { order, attempt } = await unclear(work, subscription, orderId);
  work.note(subscription, 'charge_confirmed', { ...about(order, attempt), by: work.actor() });
  applyOutcome(work, subscription, order, attempt, { ok: true, reference: attempt.idempotency_key });
  // What the provider calls it is not known, so it can't be given back from here; the test gateway finds it by our key.
  if (attempt.gateway !== 'TEST') attempt.gateway_reference = null;
}

/** It was not charged: it is now, as a new attempt under a key of its own. @throws Refusal 404, 409 INVALID_STATE */
export async function chargeAgain(
  work: UnitOfWork,
  subscription: Aggregate,
  { orderId }: { orderId: number },
): Promise<PendingCharge | null> {
  const { order, attempt } = await unclear(work, subscription, orderId);
  work.note(subscription, 'charge_repeated', { ...about(order, attempt), by: work.actor() });
  // It neither succeeded nor was it declined, so it counts among neither: only that it is over is known.
  Object.assign(attempt, {
    ready: true,
    success: null,
    completed_at: work.at,
    error_message: 'The payment provider did not answer, and a person of the store found that nothing was charged.',
  });
  const state: RetryState = retryOf(order) ?? { kind: 'PAYMENT' };
  order.retry = { ...state, notCharged: (state.notCharged ?? 0) + 1 } satisfies RetryState;
  releaseStock(work, order);
  return tryAgain(work, subscription, order, 'MANUAL');
}

async function unclear(work: UnitOfWork, subscription: Aggregate, orderId: number): Promise<{ order: OrderRow; attempt: AttemptRow }> {
  const order = orderById(subscription, orderId);
  if (!order) throw notFound(later`order`);
  if (!order.unclear_since || order.status !== 'PROCESSING')
    throw invalidState(t`The outcome of this charge is known now. Reload the page to see it.`);
  const { rows } = await sql<AttemptRow>`select * from billing_attempts where store_id = ${work.context.storeId}::integer
    and order_id = ${orderId}::bigint and not ready`.execute(work.context.trx);
  const [attempt] = rows;
  if (!attempt) throw notFound(later`order`);
  work.attempts.set(attempt.id, { row: attempt, before: copyOf(attempt) });
  return { order, attempt };
}
