// A contract's orders, ahead and past, and its attempts as they go over the wire.
import type { OrderDispute } from './charging/dispute.ts';
import { refundable } from './charging/refund.ts';
import { sql } from 'kysely';
import type { JsonObject, JsonValue } from '../../contract/types.ts';
import { toDecimal } from '../../domain/money/money.ts';
import { ORDER_TYPES } from '../../domain/schedule/order-schedule-settings.ts';
import type { UpcomingOrder } from '../../domain/schedule/schedule.ts';
import { prepared } from '../platform/db/prepared-statements.ts';
import { type Aggregate, isOpen, orderIdOf } from './aggregate.ts';
import { retryOf } from './charging/stock.ts';
import type { EngineContext } from './context.ts';
import { linesOfOrder, priceOrder } from './price.ts';
import type { AttemptRow, OrderRow } from './rows.ts';
import { upcomingOrders, openCharges, isByDelivery } from './schedule.ts';
import { refusalOf, type Status } from './states.ts';
import { epoch } from './status.ts';
import { onOpenDay } from './delivery/open-days.ts';
import type { UnitOfWork } from './unit-of-work.ts';
import { t } from '../../domain/text/t.ts';

export const iso = (at: Date | null): string | null => at?.toISOString() ?? null;
export const seconds = (at: Date | null): number | null => (at ? epoch(at) : null);

/** The newest billing attempt of a contract. */
export async function lastAttempt({ trx, storeId }: EngineContext, contractId: number): Promise<AttemptRow | undefined> {
  const { rows } = await prepared(
    sql<AttemptRow>`select * from billing_attempts where store_id = ${storeId}::integer and contract_id = ${contractId}::bigint
        order by created_at desc, id desc limit 1`,
  ).execute(trx);
  return rows[0];
}

export function wireAttempt(row: AttemptRow, nextRetryAt: Date | null = null): JsonObject {
  return {
    id: row.id,
    orderId: row.order_id,
    contractId: row.contract_id,
    createdAt: iso(row.created_at),
    completedAt: iso(row.completed_at),
    ready: row.ready,
    success: row.success,
    idempotencyKey: row.idempotency_key,
    paymentMethodId: row.payment_method_id,
    isBackup: row.is_backup,
    attemptNumber: row.attempt_number,
    trigger: row.trigger,
    startedBy: row.started_by,
    amount: toDecimal(row.amount, row.currency_code),
    currencyCode: row.currency_code,
    errorCode: row.error_code,
    errorMessage: row.error_message,
    errorCategory: row.error_category,
    nextActionUrl: row.next_action_url,
    gateway: row.gateway,
    gatewayReference: row.gateway_reference,
    lookUpAt: iso(row.ready ? null : row.look_up_at),
    nextRetryDateEpoch: row.ready && row.success === false ? seconds(nextRetryAt) : null,
  };
}

const retryView = (order: OrderRow): JsonObject | null => {
  const state = retryOf(order);
  return state && order.next_retry_at
    ? {
        attemptsMade: order.attempts,
        maxAttempts: (state.maxRetries ?? 0) + 1,
        nextRetryDateEpoch: seconds(order.next_retry_at),
        isLast: state.isLast ?? false,
        kind: state.kind,
      }
    : null;
};

/** The orders ahead: as planned, with those that wait for stock before them. */
export function scheduleView(work: UnitOfWork, subscription: Aggregate, from: Date, limit = 10): JsonObject[] {
  const waiting = subscription.orders.filter(
    order => order.status === 'SCHEDULED' && order.cycle < subscription.contract.next_cycle && isOpen(order),
  );
  const ahead = chargesAhead(upcomingOrders(subscription, work.zone, from, limit), openCharges(subscription));
  const next = ahead.find(({ planned }) => planned.status === 'SCHEDULED')?.planned;
  // What was added once goes with the first of the orders that it may go with.
  const once = new Set<number>();
  return [
    ...waiting.map(order =>
      scheduledOrder(
        work,
        subscription,
        {
          cycle: order.cycle,
          orderNumber: order.order_number,
          billingAt: order.billing_at.getTime(),
          deliveryAt: order.delivery_at.getTime(),
          status: 'SCHEDULED',
          isPrepaidDelivery: order.is_prepaid_delivery,
          isRescheduled: false,
        },
        { ordersAhead: 0, isNext: false, once },
        order,
      ),
    ),
    ...ahead.map(({ planned, ordersAhead }) =>
      scheduledOrder(work, subscription, planned, { ordersAhead, isNext: planned === next, once }),
    ),
  ];
}
/**
 * How many charges come before each order, so that a discount for three orders is not shown on a fourth; `open` are under way, retried or
 * wait for stock.
 */
function chargesAhead(orders: readonly UpcomingOrder[], open: number): { planned: UpcomingOrder; ordersAhead: number }[] {
  let charges = open;
  return orders.map(planned => {
    const ordersAhead = charges;
    if (planned.status === 'SCHEDULED' && !planned.isPrepaidDelivery) charges += 1;
    return { planned, ordersAhead };
  });
}

/** `isNext`: the one that is placed next. `once` holds the products added once that stand in an order before. */
interface Place {
  ordersAhead: number;
  isNext: boolean;
  once: Set<number>;
}

function scheduledOrder(
  work: UnitOfWork,
  subscription: Aggregate,
  planned: UpcomingOrder,
  { ordersAhead, isNext, once }: Place,
  waiting?: OrderRow,
): JsonObject {
  const { contract: c } = subscription;
  const money = (minor: number): string => toDecimal(minor, c.currency_code);
  const lines = linesOfOrder(
    subscription.lines.filter(line => !once.has(line.id)),
    planned.cycle,
  );
  if (planned.status === 'SCHEDULED') for (const line of lines) if (line.one_time_added) once.add(line.id);
  const priced = priceOrder(c, subscription.discounts, {
    lines,
    orderNumber: planned.orderNumber,
    isPrepaidDelivery: planned.isPrepaidDelivery,
    ordersAhead,
    prepaidShippingCharge: work.settings.prepaidShippingCharge,
  });
  const canEdit = refusalOf(work, subscription, 'skipOrder') === null;
  const isScheduled = planned.status === 'SCHEDULED';
  const actions = !canEdit
    ? []
    : waiting
      ? ['skipOrder', 'chargeNow']
      : isScheduled
        ? ['skipOrder', 'rescheduleOneOrder', ...(isNext && refusalOf(work, subscription, 'chargeNow') === null ? ['chargeNow'] : [])]
        : planned.billingAt > work.context.now().getTime()
          ? ['unSkipOrder']
          : [];
  return {
    id: orderIdOf(c.id, planned.cycle),
    contractId: c.id,
    orderNumberInSubscription: planned.orderNumber,
    status: planned.status,
    cycle: planned.cycle,
    billingDateEpoch: Math.floor(planned.billingAt / 1000),
    deliveryDateEpoch: Math.floor(onOpenDay(work, planned.deliveryAt) / 1000),
    type: ORDER_TYPES[isByDelivery(c) ? 'DELIVERY' : 'BILLING'],
    currencyCode: c.currency_code,
    total: money(priced.total),
    estimatedTotal: {
      subtotal: money(priced.subtotal),
      discount: money(priced.discount),
      shipping: money(priced.shipping),
      tax: null,
      total: money(priced.total),
    },
    isPrepaidDelivery: planned.isPrepaidDelivery,
    isRescheduled: planned.isRescheduled,
    isDelayed: waiting !== undefined,
    retry: waiting ? retryView(waiting) : null,
    lines: priced.lines as JsonValue,
    actions,
  };
}

/** How a dispute of its payment stands; nulls where there is none. */
function disputeOf(order: OrderRow, money: (minor: number) => string): JsonObject {
  const dispute = order.dispute as OrderDispute | null;
  return {
    disputeStatus: dispute?.status ?? null,
    disputeReason: dispute?.reason ?? null,
    disputeAmount: dispute ? money(dispute.amount) : null,
    disputeDueEpoch: dispute?.dueEpoch ?? null,
  };
}

/** A past order with its attempts. */
export function orderView(order: OrderRow, attempts: readonly AttemptRow[] = [], status: Status = 'ACTIVE'): JsonObject {
  const money = (minor: number): string => toDecimal(minor, order.currency_code);
  const processed = iso(order.status === 'PAID' ? order.processed_at : null);
  const isCharged = order.charged !== null || attempts.some(row => row.success === true && row.gateway_reference !== null);
  const mayRefund = isCharged && refundable(order) > 0;
  const running = status === 'ACTIVE' || status === 'PAUSED' || status === 'FAILED';
  return {
    id: order.id,
    contractId: order.contract_id,
    cycle: order.cycle,
    orderNumberInSubscription: order.order_number,
    shopifyId: order.shopify_id,
    shopifyOrderNumber: order.shopify_order_number,
    status: order.status,
    orderType: order.order_type,
    isCheckoutOrder: order.order_type === 'CHECKOUT',
    isPrepaidDelivery: order.is_prepaid_delivery,
    isRescheduled: order.is_rescheduled,
    billingDateEpoch: epoch(order.billing_at),
    deliveryDateEpoch: epoch(order.delivery_at),
    processedAtEpoch: seconds(order.processed_at),
    shopifyCreatedAt: processed,
    shopifyProcessedAt: processed,
    shopifyUpdatedAt: processed === null ? null : iso(order.updated_at),
    totalPrice: money(order.total),
    totalPriceUsd: toDecimal(order.total_usd, 'USD'),
    exchangeRate: order.rate,
    totalTax: money(order.tax),
    totalDiscount: money(order.discount),
    totalLineItemsPrice: money(order.subtotal),
    totalShippingPrice: money(order.shipping),
    totalRefunded: money(order.refunded),
    refunding: money(order.refunding),
    ...disputeOf(order, money),
    refundable: money(mayRefund ? refundable(order) : 0),
    currencyCode: order.currency_code,
    financialStatus:
      order.status === 'PAID'
        ? order.refunded >= order.total && order.total > 0
          ? 'REFUNDED'
          : order.refunded > 0
            ? 'PARTIALLY_REFUNDED'
            : 'PAID'
        : null,
    fulfillmentStatus: order.fulfillment_status,
    idempotencyKey: order.idempotency_key,
    errorCode: order.error_code,
    errorMessage: order.error_message,
    errorCategory: order.error_category,
    skipReason: order.skip_reason,
    attemptsCount: order.attempts,
    attempts: attempts.map(row => wireAttempt(row, order.next_retry_at)),
    retry: retryView(order),
    nextRetryDateEpoch: seconds(order.next_retry_at),
    partial: { isPartial: (order.omitted_lines as unknown[]).length > 0, omittedLines: order.omitted_lines as JsonValue },
    lines: order.lines as JsonValue,
    shippingLines: order.shipping > 0 ? [{ title: t`Shipping`, price: money(order.shipping) }] : [],
    shippingAddress: order.shipping_address as JsonValue,
    billingAddress: order.shipping_address as JsonValue,
    customAttributes: order.custom_attributes as JsonValue,
    note: order.note,
    tags: order.tags,
    unclearSinceEpoch: seconds(order.unclear_since),
    actions: [
      ...(mayRefund ? ['refundOrder'] : []),
      ...(order.dispute ? ['disputeEvidence'] : []),
      ...(!running
        ? []
        : order.unclear_since
          ? ['confirmCharge', 'chargeAgain']
          : order.status === 'FAILED'
            ? ['chargeNow', ...(status === 'ACTIVE' ? ['skipOrder'] : [])]
            : []),
    ],
  };
}
