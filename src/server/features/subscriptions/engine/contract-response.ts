// A contract, its orders and its attempts as they go over the wire.
import { variantName } from '../../../../domain/text/variant-name.ts';
import { sql } from 'kysely';
import { sum, toDecimal, toMinor } from '../../../../domain/money/money.ts';
import { ORDER_TYPES } from '../../../../domain/schedule/order-schedule-settings.ts';
import type { UpcomingOrder } from '../../../../domain/schedule/schedule.ts';
import type { JsonObject, JsonValue } from '../../../../contract/types.ts';
import { notFound } from '../../../platform/context.ts';
import { prepared } from '../../../platform/db/prepared-statements.ts';
import { isSwappedOnce, isOpen, loadAggregates, methodById, momentOf, orderIdOf, type Aggregate } from './aggregate.ts';
import type { EngineContext } from './context.ts';
import { wireMethod } from './edits/payment-methods.ts';

import { linesOfOrder, nameOf, priceOrder, type OrderLine } from './price.ts';
import type { AttemptRow, OrderRow } from './rows.ts';
import { billingOf, deliveryOf, isByDelivery, openCharges, upcomingOrders } from './schedule.ts';
import { allowedActions, refusalOf, refusedActions, STATUS_CODES, type Status } from './states.ts';
import { epoch } from './status.ts';
import { retryOf } from './charging/stock.ts';
import { UnitOfWork } from './unit-of-work.ts';

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;
const seconds = (at: Date | null): number | null => (at ? epoch(at) : null);

/** A contract read for showing, with everything that its rules look at. @throws Refusal 404 */
export async function readContract(context: EngineContext, contractId: number): Promise<{ a: Aggregate; work: UnitOfWork }> {
  const [work, [a]] = await Promise.all([
    UnitOfWork.open(context),
    loadAggregates(context.trx, context.storeId, [contractId], { lock: false }),
  ]);
  if (!a) throw notFound('subscription');
  work.add(a);
  await work.loadVariants([a]);
  return { a, work };
}

/** The whole record of a contract (subscriptions: contract record). */
export async function contractView(
  context: EngineContext,
  contractId: number,
  known?: { a: Aggregate; work: UnitOfWork },
): Promise<JsonObject> {
  const { a, work } = known ?? (await readContract(context, contractId));
  const { contract: c } = a;
  const money = (minor: number): string => toDecimal(minor, c.currency_code);
  const [customer, attempt, ids] = await Promise.all([
    customerPart(context, c.customer_id),
    lastAttempt(context, c.id),
    platformIds(context, a),
  ]);
  const recurring = a.lines.filter(line => !line.one_time_added);
  const priced = priceOrder(c, a.discounts, {
    lines: recurring,
    orderNumber: c.completed_orders + 1,
    isPrepaidDelivery: false,
    prepaidShippingCharge: work.settings.prepaidShippingCharge,
  });
  const next = upcomingOrders(a, work.zone, context.now()).find(order => order.status === 'SCHEDULED');
  const primary = methodById(a, c.payment_method_id),
    backup = methodById(a, c.backup_payment_method_id);
  return {
    id: c.id,
    shopifyId: c.shopify_id,
    version: c.version,
    status: c.status,
    statusCode: STATUS_CODES[c.status as Status],
    customerName: c.customer_name || c.customer_email || 'Customer without a name',
    customerEmail: c.customer_email,
    customerId: c.customer_id,
    customer,
    products: c.products_label,
    frequency: c.frequency,
    productIds: c.product_ids,
    variantIds: c.variant_ids,
    planGroupIds: c.plan_group_ids,
    createdAt: iso(c.created_at),
    updatedAt: iso(c.updated_at),
    createdAtEpoch: epoch(c.created_at),
    updatedAtEpoch: epoch(c.updated_at),
    originOrderShopifyId: c.origin_order_shopify_id,
    source: c.source,
    currencyCode: c.currency_code,
    total: money(c.total),
    totalLineItemPrice: money(priced.subtotal),
    totalLineItemDiscountedPrice: toDecimal(sumOf(priced.lines, c.currency_code), c.currency_code),
    deliveryPrice: money(c.delivery_price),
    nextBillingDateEpoch: seconds(c.next_billing_at),
    nextOrderId: next ? orderIdOf(c.id, next.cycle) : c.status === 'PAUSED' ? orderIdOf(c.id, c.next_cycle) : null,
    chargeOffsetDays: c.charge_offset_days,
    scheduleType: c.schedule_type,
    billingDays: c.billing_days,
    completedOrdersCount: c.completed_orders,
    lastPaymentStatus: c.last_payment_status,
    paymentFailureReason: c.last_payment_category,
    lastInventoryAction: c.last_inventory_action,
    hasCustomPlan: c.has_custom_plan,
    hasDiscount: c.has_discount,
    isPrepaid: c.is_prepaid,
    isMarkedForCancellation: c.is_marked_for_cancellation,
    prepaidCreditsLeft: c.prepaid_credits,
    billingInterval: c.billing_interval,
    billingIntervalCount: c.billing_interval_count,
    deliveryInterval: c.delivery_interval,
    deliveryIntervalCount: c.delivery_interval_count,
    minCycles: c.min_cycles,
    maxCycles: c.max_cycles,
    billingPolicy: {
      ...billingOf(c),
      minCycles: c.min_cycles,
      maxCycles: c.max_cycles,
      anchorType: c.anchor_type,
      anchorDay: c.anchor_day,
      anchorMonth: c.anchor_month,
    },
    deliveryPolicy: { ...deliveryOf(c) },
    ordersUntilCancellable: Math.max(0, (c.min_cycles ?? 0) - c.completed_orders),
    deliveryType: c.delivery_type,
    deliveryMethod: c.delivery_method as JsonValue,
    shippingAddress: c.shipping_address as JsonValue,
    countryCode: c.country_code,
    presentmentCountryCode: c.country_code,
    customerPaymentMethodId: c.payment_method_id,
    backupPaymentMethodId: c.backup_payment_method_id,
    paymentMethod: primary ? wireMethod(primary, momentOf(context), c) : null,
    backupPaymentMethod: backup ? wireMethod(backup, momentOf(context), c) : null,
    lines: a.lines.map(line => wireLine(work, a, line, ids, priced.lines)),
    discounts: a.discounts.map(row => ({
      id: row.id,
      kind: row.kind,
      title: row.title,
      code: row.code,
      type: row.type,
      value: row.value === null ? null : plainNumber(row.value),
      appliesOnEachItem: row.applies_on_each_item,
      targetType: row.target_type,
      lineIds: row.line_ids,
      orderLimit: row.order_limit,
      usageCount: row.usage_count,
      rejectionReason: row.rejection_reason,
      amount: money(priced.discounts.find(one => one.id === row.id)?.amount ?? 0),
    })),
    bundles: bundlesOf(a),
    customAttributes: c.custom_attributes as JsonValue,
    note: c.note,
    tags: c.tags,
    pausedAt: iso(c.paused_at),
    resumeDateEpoch: seconds(c.resume_at),
    cancelledAt: iso(c.cancelled_at),
    expiredAt: iso(c.expired_at),
    cancellationReason: c.cancellation_reason,
    cancellationComment: c.cancellation_comment,
    cancellationSource: c.cancellation_source,
    dunning: c.dunning as JsonValue,
    lastBillingAttempt: attempt ? wireAttempt(attempt, nextRetryOf(a, attempt)) : null,
    actions: allowedActions(work, a),
    refusals: refusedActions(work, a),
  };
}

const plainNumber = (value: string): string => (value.includes('.') ? value.replace(/\.?0+$/, '') : value);
const sumOf = (lines: readonly OrderLine[], currency: string): number => sum(lines.map(line => toMinor(line.discountedPrice, currency)));
const nextRetryOf = (a: Aggregate, attempt: AttemptRow): Date | null =>
  a.orders.find(order => order.id === attempt.order_id)?.next_retry_at ?? null;

function bundlesOf(a: Aggregate): JsonObject[] {
  const bundles = new Map<string, { bundleTransactionId: string; name: string; lineIds: number[] }>();
  for (const line of a.lines) {
    if (!line.bundle_transaction_id) continue;
    const bundle = bundles.get(line.bundle_transaction_id) ?? {
      bundleTransactionId: line.bundle_transaction_id,
      name: line.product_title,
      lineIds: [],
    };
    bundle.lineIds.push(line.id);
    bundles.set(line.bundle_transaction_id, bundle);
  }
  return [...bundles.values()] as unknown as JsonObject[];
}

interface PlatformIds {
  variants: Map<number, number>;
  products: Map<number, number>;
}
async function platformIds({ trx, storeId }: EngineContext, a: Aggregate): Promise<PlatformIds> {
  const ids = a.lines.flatMap(line => line.variant_id ?? []);
  const { rows } =
    ids.length === 0
      ? { rows: [] }
      : await prepared(sql<{ id: number; shopify_id: number; product_id: number; product_shopify_id: number }>`
    select v.id, v.shopify_id, v.product_id, p.shopify_id as product_shopify_id from variants v join products p on p.store_id = v.store_id
      and p.id = v.product_id
    where v.store_id = ${storeId}::integer and v.id = any(${ids}::bigint[])`).execute(trx);
  return {
    variants: new Map(rows.map(row => [row.id, row.shopify_id])),
    products: new Map(rows.map(row => [row.product_id, row.product_shopify_id])),
  };
}

function wireLine(
  work: UnitOfWork,
  a: Aggregate,
  line: Aggregate['lines'][number],
  ids: PlatformIds,
  priced: readonly OrderLine[],
): JsonObject {
  const currency = a.contract.currency_code;
  const variant = line.variant_id === null ? undefined : work.variants.get(line.variant_id);
  const inCharge = priced.find(one => one.lineId === line.id);
  const removedAhead =
    line.one_time_removed_cycle !== null && (line.one_time_removed_cycle >= a.contract.next_cycle || isSwappedOnce(line, a.lines));
  const oneTimeCycle = line.one_time_added ? line.one_time_cycle : removedAhead ? line.one_time_removed_cycle : null;
  return {
    id: line.id,
    shopifyId: line.shopify_id,
    productId: line.product_id,
    variantId: line.variant_id,
    productShopifyId: ids.products.get(line.product_id ?? 0) ?? null,
    variantShopifyId: ids.variants.get(line.variant_id ?? 0) ?? null,
    name: nameOf(line),
    productTitle: line.product_title,
    variantTitle: variantName(line.variant_title),
    sku: line.sku,
    image: line.image,
    quantity: line.quantity,
    basePrice: toDecimal(line.base_price, currency),
    price: toDecimal(line.price, currency),
    discountedPrice: inCharge?.discountedPrice ?? toDecimal(line.price * line.quantity, currency),
    priceIsManual: line.price_is_manual,
    pricingPolicy: line.pricing_policy as JsonValue,
    sellingPlanId: line.selling_plan_id,
    sellingPlanGroupId: line.plan_group_id,
    sellingPlanName: line.selling_plan_name,
    sellingPlanGroupName: line.selling_plan_group_name,
    attributes: line.attributes as JsonValue,
    isOneTimeAdded: line.one_time_added,
    isOneTimeRemoved: removedAhead,
    oneTimeOrderId: oneTimeCycle === null ? null : orderIdOf(a.contract.id, oneTimeCycle),
    isUpsell: line.is_upsell,
    bundleTransactionId: line.bundle_transaction_id,
    weightInGrams: line.weight_in_grams,
    requiresShipping: line.requires_shipping,
    taxable: line.taxable,
    discounts: (inCharge?.discounts ?? []) as unknown as JsonValue,
    isDeleted: !variant || variant.deleted_at !== null,
    inventory: variant
      ? {
          inventory_management: variant.inventory_management,
          inventory_policy: variant.inventory_policy,
          inventory_quantity: variant.inventory_quantity,
          quantity: line.quantity,
        }
      : null,
  };
}

/** The customer of a contract with counts over all their contracts. */
async function customerPart({ trx, storeId }: EngineContext, customerId: number): Promise<JsonObject | null> {
  const { rows } = await prepared(sql<{
    id: number;
    shopify_id: number;
    email: string;
    first_name: string;
    last_name: string;
    phone: string | null;
    tags: string[];
    country_code: string;
    version: number;
    active: number;
    paused: number;
    cancelled: number;
    total: number;
    next_at: Date | null;
  }>`
    select k.id, k.shopify_id, k.email, k.first_name, k.last_name, k.phone, k.tags, k.country_code, k.version,
      count(c.id) filter (where c.status = 'ACTIVE') as active, count(c.id) filter (where c.status = 'PAUSED') as paused,
        count(c.id) filter (where c.status = 'CANCELLED') as cancelled, count(c.id) as total,
      min(c.next_billing_at) filter (where c.status = 'ACTIVE') as next_at
    from customers k left join contracts c on c.store_id = k.store_id and c.customer_id = k.id
    where k.store_id = ${storeId}::integer and k.id = ${customerId}::bigint group by k.store_id, k.id`).execute(trx);
  const row = rows[0];
  return row
    ? {
        id: row.id,
        shopifyId: row.shopify_id,
        email: row.email,
        firstName: row.first_name,
        lastName: row.last_name,
        phone: row.phone,
        tags: row.tags,
        countryCode: row.country_code,
        version: row.version,
        activeSubscriptionsCount: row.active,
        pausedSubscriptionsCount: row.paused,
        cancelledSubscriptionsCount: row.cancelled,
        allSubscriptionsCount: row.total,
        nextBillingDateEpoch: seconds(row.next_at),
      }
    : null;
}

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
    gatewayReference: row.gateway_reference,
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
export function scheduleView(work: UnitOfWork, a: Aggregate, from: Date, limit = 10): JsonObject[] {
  const waiting = a.orders.filter(order => order.status === 'SCHEDULED' && order.cycle < a.contract.next_cycle && isOpen(order));
  const ahead = chargesAhead(upcomingOrders(a, work.zone, from, limit), openCharges(a));
  const next = ahead.find(({ planned }) => planned.status === 'SCHEDULED')?.planned;
  // What was added once goes with the first of the orders that it may go with.
  const once = new Set<number>();
  return [
    ...waiting.map(order =>
      scheduledOrder(
        work,
        a,
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
    ...ahead.map(({ planned, ordersAhead }) => scheduledOrder(work, a, planned, { ordersAhead, isNext: planned === next, once })),
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
  a: Aggregate,
  planned: UpcomingOrder,
  { ordersAhead, isNext, once }: Place,
  waiting?: OrderRow,
): JsonObject {
  const { contract: c } = a;
  const money = (minor: number): string => toDecimal(minor, c.currency_code);
  const lines = linesOfOrder(
    a.lines.filter(line => !once.has(line.id)),
    planned.cycle,
  );
  if (planned.status === 'SCHEDULED') for (const line of lines) if (line.one_time_added) once.add(line.id);
  const priced = priceOrder(c, a.discounts, {
    lines,
    orderNumber: planned.orderNumber,
    isPrepaidDelivery: planned.isPrepaidDelivery,
    ordersAhead,
    prepaidShippingCharge: work.settings.prepaidShippingCharge,
  });
  const canEdit = refusalOf(work, a, 'skipOrder') === null;
  const isScheduled = planned.status === 'SCHEDULED';
  const actions = !canEdit
    ? []
    : waiting
      ? ['skipOrder', 'chargeNow']
      : isScheduled
        ? ['skipOrder', 'rescheduleOneOrder', ...(isNext && refusalOf(work, a, 'chargeNow') === null ? ['chargeNow'] : [])]
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
    deliveryDateEpoch: Math.floor(planned.deliveryAt / 1000),
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
    lines: priced.lines as unknown as JsonValue,
    actions,
  };
}

/** A past order with its attempts. */
export function orderView(order: OrderRow, attempts: readonly AttemptRow[] = [], status: Status = 'ACTIVE'): JsonObject {
  const money = (minor: number): string => toDecimal(minor, order.currency_code);
  const processed = iso(order.status === 'PAID' ? order.processed_at : null);
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
    totalTax: money(order.tax),
    totalDiscount: money(order.discount),
    totalLineItemsPrice: money(order.subtotal),
    totalShippingPrice: money(order.shipping),
    totalRefunded: money(order.refunded),
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
    shippingLines: order.shipping > 0 ? [{ title: 'Shipping', price: money(order.shipping) }] : [],
    shippingAddress: order.shipping_address as JsonValue,
    billingAddress: order.shipping_address as JsonValue,
    customAttributes: order.custom_attributes as JsonValue,
    note: order.note,
    tags: order.tags,
    actions: running && order.status === 'FAILED' ? ['chargeNow', ...(status === 'ACTIVE' ? ['skipOrder'] : [])] : [],
  };
}
