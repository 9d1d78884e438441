// Gifts as the calls of the admin see them: the row of the gift with what its contract says, and what the state of a gift allows.
import { sql } from 'kysely';
import { allocate, toDecimal } from '../../../domain/money/money.ts';
import type { JsonObject } from '../../../contract/types.ts';
import { later, t, translated } from '../../../domain/text/t.ts';
import { invalidState, notFound, type Context } from '../../platform/context.ts';
import { needRow, viewOf } from '../../platform/records/record-repository.ts';
import { contractView, type EngineContext, engineOf, type GiftRow, hasPortal, type OrderRow, refundable } from '../../engine/index.ts';

/** The engine, for what is done to a gift as one. */
export const engineOfGift = (context: Context): EngineContext => ({ ...engineOf(context), isOfGift: true });

/** @throws Refusal 404 for a subscription that is no gift */
export async function needGift({ trx, storeId }: Context, id: number): Promise<GiftRow> {
  const { rows } = await sql<GiftRow>`select * from gifts where store_id = ${storeId}::integer and id = ${id}::bigint`.execute(trx);
  if (!rows[0]) throw notFound(later`gift`);
  return rows[0];
}

type State = 'UPCOMING' | 'ACTIVE' | 'CANCELLED' | 'COMPLETED';
const RUNNING: readonly State[] = ['UPCOMING', 'ACTIVE'];
const ACTIVE: readonly State[] = ['ACTIVE'];
/** Calls by the states of a gift that they are for. Each does what an action of its contract does, by the name beside it. */
export const ACTIONS: Readonly<Record<string, { states: readonly State[]; does: string }>> = {
  cancel: { states: RUNNING, does: 'cancel' },
  reactivate: { states: ['CANCELLED'], does: 'reactivate' },
  chargeNow: { states: ACTIVE, does: 'chargeNow' },
  rescheduleContract: { states: ACTIVE, does: 'reschedule' },
  swapLine: { states: ACTIVE, does: 'swapLine' },
  updateShippingAddress: { states: RUNNING, does: 'updateShippingDetails' },
  refund: { states: ['UPCOMING', 'ACTIVE', 'CANCELLED', 'COMPLETED'], does: 'refundOrder' },
  updateLocalDeliveryAddress: { states: RUNNING, does: 'updateLocalDeliveryAddress' },
};

const NOT_ACTIVE = later`This gift is not active.`;
const NOT_STARTED = later`This gift has not started yet.`;
const COMPLETED = later`This gift is already completed.`;
const NOT_CANCELLED = later`Only cancelled gifts can be reactivated.`;
/** The sentence that refuses a call in the state of a gift; undefined where the state is right. */
export function refusalOf(gift: Pick<GiftRow, 'status'>, call: string): string | undefined {
  const status = gift.status as State;
  if (ACTIONS[call]?.states.includes(status) !== false) return undefined;
  if (call === 'reactivate') return translated(NOT_CANCELLED);
  if (call === 'cancel' && status === 'COMPLETED') return translated(COMPLETED);
  return translated(status === 'UPCOMING' ? NOT_STARTED : NOT_ACTIVE);
}
/** @throws Refusal 404, 409 */
export async function giftFor(context: Context, id: number, call: string): Promise<GiftRow> {
  const gift = await needGift(context, id);
  const refusal = refusalOf(gift, call);
  if (refusal) throw invalidState(refusal);
  if (call === 'reactivate' && gift.completed_orders >= gift.total_orders) throw invalidState(t`No orders are left in this gift.`);
  return gift;
}

/** What of the payment is for orders that were not placed: all orders have the same share, and the first ones the odd minor units. */
function unsent({ paid_amount: paid, total_orders: all, completed_orders: placed }: GiftRow): number {
  const shares = allocate(
    paid,
    Array.from({ length: all }, () => 1),
  );
  return shares.slice(placed).reduce((sum, share) => sum + share, 0);
}

interface OriginOrder extends Pick<OrderRow, 'id' | 'status' | 'total' | 'refunded' | 'refunding' | 'charged'> {
  /** As the store's platform counts it. */
  number: number | null;
}
/** The order with which a gift was paid: the first one of its contract. */
export async function originOrder({ trx, storeId }: Pick<Context, 'trx' | 'storeId'>, id: number): Promise<OriginOrder | undefined> {
  const { rows } = await sql<OriginOrder>`select id, status, total, refunded, refunding, charged, shopify_order_number as number from orders
    where store_id = ${storeId}::integer and contract_id = ${id}::bigint order by cycle limit 1`.execute(trx);
  return rows[0];
}

/** A gift with everything that its page shows. @throws Refusal 404 */
export async function giftView(context: Context, id: number): Promise<JsonObject> {
  const gift = await needGift(context, id);
  const shape = context.shape('gift-subscription');
  const record = await viewOf(context, shape, await needRow(context, shape, id));
  const contract: JsonObject = await contractView(engineOfGift(context), id);
  const { frequency, nextOrderId, deliveryType, deliveryMethod, deliveryPrice, shippingAddress, lines } = contract;
  const { cancelledAt, cancellationReason, originOrderShopifyId } = contract;
  const origin = await originOrder(context, id);
  const left = origin?.charged ? refundable(origin) : 0;
  const allowed = new Set(contract.actions as string[]);
  const refused = contract.refusals as Record<string, string>;
  const actions: string[] = ['updateNote'];
  const refusals: Record<string, string> = {};
  for (const [call, { does }] of Object.entries(ACTIONS)) {
    const refusal = refusalOf(gift, call) ?? (allowed.has(does) ? undefined : refused[does]);
    if (call === 'refund' && left === 0) continue;
    if (refusal !== undefined) refusals[call] = refusal;
    else if (allowed.has(does)) actions.push(call);
  }
  return {
    ...record,
    remainingOrders: gift.total_orders - gift.completed_orders,
    unsentAmount: toDecimal(unsent(gift), gift.currency_code),
    frequency,
    nextOrderId,
    deliveryType,
    deliveryMethod,
    deliveryPrice,
    shippingAddress,
    lines,
    cancelledAt,
    cancellationReason,
    originOrderShopifyId,
    originOrderName: origin?.number ? `#${origin.number}` : null,
    refundedAmount: origin?.refunded ? toDecimal(origin.refunded, gift.currency_code) : null,
    refundableAmount: toDecimal(left, gift.currency_code),
    isRefundable: left > 0,
    hasPortal: await hasPortal(context),
    actions,
    refusals,
  } as JsonObject;
}
