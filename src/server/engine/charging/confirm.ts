// A payment that its customer has to confirm at their bank: refused while they were away, it is made once more when they are there.
import { sql } from 'kysely';
import { categoryOf } from '../../../domain/recovery/failure-codes.ts';
import { invalidState } from '../../platform/context.ts';
import { t } from '../../../domain/text/t.ts';
import { orderById, plannedFrom, type Aggregate } from '../aggregate.ts';
import type { EngineContext } from '../context.ts';
import { isBeingCharged } from '../guards.ts';
import type { OrderRow } from '../rows.ts';
import { dunningOf } from '../status.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import { unsettledOf } from './due.ts';
import { placeOrder, type PendingCharge } from './place-order.ts';

/** Refused for want of the customer, or not confirmed when they tried. */
const TO_CONFIRM = ['three_ds_failed', 'payment_cancelled'];

/** The order that its customer may pay by confirming it; undefined where it is paid, given up, or refused for another reason. */
export function orderToConfirm(subscription: Aggregate, orderId: number): OrderRow | undefined {
  const open = dunningOf(subscription);
  const order = open?.state === 'IN_RECOVERY' && open.orderId === orderId ? orderById(subscription, orderId) : undefined;
  const isOpen = order?.status === 'FAILED' && TO_CONFIRM.includes(categoryOf(order.error_code).key);
  return isOpen && subscription.contract.status === 'ACTIVE' && !isBeingCharged(subscription) ? order : undefined;
}

/** Charges it with the customer there; `backUrl`: where their bank leads them back to. @throws Refusal 409 INVALID_STATE */
export function confirmPayment(
  work: UnitOfWork,
  subscription: Aggregate,
  { orderId, backUrl }: { orderId: number; backUrl: string },
): PendingCharge | null {
  const order = orderToConfirm(subscription, orderId);
  if (!order) throw invalidState(t`There is no payment to confirm any more.`);
  const pending = placeOrder(work, subscription, plannedFrom(order), 'MANUAL');
  return pending && { ...pending, charge: { ...pending.charge, backUrl } };
}

/** Charges without an outcome of an order, or by their key, as they are looked up later anyway: to be looked up now. */
export async function lookUpNow(context: EngineContext, { orderId, key }: { orderId?: number; key?: string }): Promise<PendingCharge[]> {
  const { rows } = await sql<{ id: number }>`update billing_attempts set look_up_at = case when look_up_at is null then null
      else ${context.now()}::timestamptz end
    where store_id = ${context.storeId}::integer and not ready
      and (order_id = ${orderId ?? null}::bigint or idempotency_key = ${key ?? null}::text)
    returning order_id as id`.execute(context.trx);
  return unsettledOf(
    context,
    rows.map(({ id }) => id),
  );
}
