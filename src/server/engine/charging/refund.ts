// Gives money of an order back. As a charge it is written down first, then made at the gateway that took the money, then settled, so that
// a process that dies in between refunds nothing twice and loses nothing.
import { sql } from 'kysely';
import { toDecimal } from '../../../domain/money/money.ts';
import type { JsonObject } from '../../../contract/types.ts';
import { later, t } from '../../../domain/text/t.ts';
import type { GatewayName, Refund, RefundAnswer, Refunding } from '../../platform/gateway/gateway.ts';
import { invalid, invalidState, notFound } from '../../platform/context.ts';
import { orderById, type Aggregate } from '../aggregate.ts';
import { amountOf } from '../amount.ts';
import type { EngineContext } from '../context.ts';
import type { OrderRow } from '../rows.ts';
import type { Transact } from '../runtime.ts';
import { UnitOfWork } from '../unit-of-work.ts';
import { tellRefunded } from './tell-refunded.ts';
import { nextLookUp } from './look-up.ts';
import type { ChargedBy } from './place-order.ts';

/** A refund that is written down and waits for the gateway. */
export interface PendingRefund {
  refundId: number;
  contractId: number;
  orderId: number;
  refund: Refund;
  /** How long ago (ms) the gateway was first called, where this is not the first time. */
  firstCalledMs?: number;
}

/** What of an order can be given back (minor units); 0 for one that was paid by no charge of ours. */
export const refundable = (order: Pick<OrderRow, 'status' | 'total' | 'refunded' | 'refunding'>): number =>
  order.status === 'PAID' ? order.total - order.refunded - order.refunding : 0;

/** Writes down that `amount` (decimal, of the order's currency) is given back. @throws Refusal 404, 409 INVALID_STATE, 422 */
export async function beginRefund(
  work: UnitOfWork,
  subscription: Aggregate,
  { orderId, amount, reason = '' }: { orderId: number; amount: string; reason?: string },
): Promise<PendingRefund> {
  const { trx, storeId } = work.context;
  const order = orderById(subscription, orderId);
  if (!order) throw notFound(later`order`);
  if (order.refunding > 0) throw invalidState(t`A refund of this order is under way. Wait until it is done.`);
  const { rows } = await sql<ChargedBy>`
    select gateway, gateway_reference as reference from billing_attempts
    where store_id = ${storeId}::integer and order_id = ${orderId}::bigint and success and gateway_reference is not null`.execute(trx);
  const charge = rows[0] ?? (order.charged as ChargedBy | null);
  if (order.status !== 'PAID' || !charge)
    throw invalidState(t`Nothing was charged here for this order, so nothing can be given back here.`);
  const rest = refundable(order);
  const minor = amountOf(amount, order.currency_code, '/amount');
  if (rest === 0) throw invalidState(t`This order is refunded already.`);
  if (minor <= 0 || minor > rest)
    throw invalid([
      { pointer: '/amount', rule: 'maximum', message: t`Enter an amount above 0, at most ${toDecimal(rest, order.currency_code)}.` },
    ]);
  order.refunding = minor;
  const before = await sql<{ n: number }>`select count(*)::integer as n from refunds
    where store_id = ${storeId}::integer and order_id = ${orderId}::bigint`.execute(trx);
  const made = await trx
    .insertInto('refunds')
    .values({
      store_id: storeId,
      order_id: orderId,
      contract_id: subscription.contract.id,
      gateway: charge.gateway,
      charge_reference: charge.reference,
      // The subscription is locked, so no other refund has this number.
      idempotency_key: `refund-${storeId}-${orderId}-${(before.rows[0]?.n ?? 0) + 1}`,
      amount: minor,
      currency_code: order.currency_code,
      reason: reason.trim(),
      created_by: work.actor(),
      created_at: work.at,
    })
    .returning(['id', 'idempotency_key'])
    .executeTakeFirstOrThrow();
  return {
    refundId: made.id,
    contractId: subscription.contract.id,
    orderId,
    refund: {
      storeId,
      key: made.idempotency_key,
      gateway: charge.gateway,
      reference: charge.reference,
      amount: minor,
      currency: order.currency_code,
      at: work.at,
    },
  };
}

/** Makes a refund at the gateway and settles it. It rejects, and stays under way, while the outcome is unknown. */
export async function takeRefund(transact: Transact, gateway: Refunding, pending: PendingRefund): Promise<void> {
  const answer = await make(gateway, pending);
  await transact(context => settle(context, pending, answer));
}

/**
 * Looked up before it is made a second time, always. A gateway finds refunds by the charge, whatever it forgets of keys: one that it does
 * not know after that time was not made, and is for a person to make again.
 */
async function make(gateway: Refunding, { refund, firstCalledMs }: PendingRefund): Promise<RefundAnswer> {
  if (firstCalledMs === undefined) return gateway.refund(refund);
  const known = await gateway.lookupRefund(refund);
  if (known) return known;
  return firstCalledMs < gateway.keysLive(refund)
    ? gateway.refund(refund)
    : { ok: false, message: 'The payment provider does not know this refund: it was not made.' };
}

/** Writes down what became of a refund; one that is settled already is left alone. */
async function settle(
  context: EngineContext,
  { refundId, contractId, orderId, refund }: PendingRefund,
  answer: RefundAnswer,
): Promise<void> {
  const { trx, storeId } = context;
  const work = await UnitOfWork.open(context);
  const [subscription] = await work.load([contractId], [orderId]);
  const order = subscription && orderById(subscription, orderId);
  const row = await trx
    .selectFrom('refunds')
    .select(['created_at', 'reason', 'created_by'])
    .where('store_id', '=', storeId)
    .where('id', '=', refundId)
    .where('status', '=', 'PENDING')
    .executeTakeFirst();
  if (!subscription || !order || !row) return;
  const mine = trx.updateTable('refunds').where('store_id', '=', storeId).where('id', '=', refundId);
  if (answer === 'PENDING') {
    await mine.set({ look_up_at: nextLookUp(row.created_at, context.now()) }).execute();
    return;
  }
  order.refunding = 0;
  const about: JsonObject = {
    orderId,
    orderNumber: order.order_number,
    amount: toDecimal(refund.amount, refund.currency),
    currencyCode: refund.currency,
    by: row.created_by,
    ...(row.reason ? { reason: row.reason } : {}),
  };
  if (answer.ok) {
    order.refunded += refund.amount;
    work.note(subscription, 'order_refunded', about);
    await tellRefunded(work, subscription, order, { amount: refund.amount, once: refund.key });
    await mine.set({ status: 'DONE', gateway_reference: answer.reference, settled_at: context.now() }).execute();
  } else {
    work.note(subscription, 'refund_failed', { ...about, message: answer.message });
    await mine.set({ status: 'FAILED', error_message: answer.message, settled_at: context.now() }).execute();
  }
  await work.flush();
}

/**
 * Refunds of a store without an outcome, first called at least this long ago (ms); `orderId`: of this order, whenever it is looked up next.
 */
export async function unsettledRefunds(
  { trx, storeId, now }: EngineContext,
  { olderThanMs = 0, orderId }: { olderThanMs?: number; orderId?: number },
): Promise<PendingRefund[]> {
  const rows = await trx
    .selectFrom('refunds')
    .selectAll()
    .where('store_id', '=', storeId)
    .where('status', '=', 'PENDING')
    .where(({ eb, and, or }) =>
      orderId === undefined
        ? and([
            eb('created_at', '<=', new Date(now().getTime() - olderThanMs)),
            or([eb('look_up_at', 'is', null), eb('look_up_at', '<=', now())]),
          ])
        : eb('order_id', '=', orderId),
    )
    .orderBy('id')
    .limit(20)
    .execute();
  return rows.map(row => ({
    refundId: row.id,
    contractId: row.contract_id,
    orderId: row.order_id,
    firstCalledMs: now().getTime() - row.created_at.getTime(),
    refund: {
      storeId,
      key: row.idempotency_key,
      gateway: row.gateway as GatewayName,
      reference: row.charge_reference,
      amount: row.amount,
      currency: row.currency_code,
      at: row.created_at,
    },
  }));
}
