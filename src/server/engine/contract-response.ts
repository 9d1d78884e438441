// A contract, its orders and its attempts as they go over the wire.
import { variantName } from '../../domain/text/variant-name.ts';
import { sql } from 'kysely';
import { sum, toDecimal, toMinor } from '../../domain/money/money.ts';
import type { JsonObject, JsonValue } from '../../contract/types.ts';
import { notFound } from '../platform/context.ts';
import { prepared } from '../platform/db/prepared-statements.ts';
import { bundlesWire } from './bundles-response.ts';
import { isSwappedOnce, loadAggregates, methodById, momentOf, orderIdOf, type Aggregate } from './aggregate.ts';
import type { EngineContext } from './context.ts';
import { wireMethod } from './edits/payment-methods.ts';

import { nameOf, priceOrder, type OrderLine } from './price.ts';
import type { AttemptRow } from './rows.ts';
import { billingOf, deliveryOf, upcomingOrders } from './schedule.ts';
import { allowedActions, refusedActions, STATUS_CODES, type Status } from './states.ts';
import { epoch } from './status.ts';
import { UnitOfWork } from './unit-of-work.ts';
import { iso, seconds, lastAttempt, wireAttempt } from './orders-response.ts';
import { later, t } from '../../domain/text/t.ts';

/** A contract read for showing, with everything that its rules look at. @throws Refusal 404 */
export async function readContract(context: EngineContext, contractId: number): Promise<{ subscription: Aggregate; work: UnitOfWork }> {
  const [work, [subscription]] = await Promise.all([
    UnitOfWork.open(context),
    loadAggregates(context.trx, context.storeId, [contractId], { lock: false }),
  ]);
  if (!subscription) throw notFound(later`subscription`);
  work.add(subscription);
  await work.loadVariants([subscription]);
  return { subscription, work };
}

/** The whole record of a contract (subscriptions: contract record). */
export async function contractView(
  context: EngineContext,
  contractId: number,
  known?: { subscription: Aggregate; work: UnitOfWork },
): Promise<JsonObject> {
  const { subscription, work } = known ?? (await readContract(context, contractId));
  const { contract: c } = subscription;
  const money = (minor: number): string => toDecimal(minor, c.currency_code);
  const [customer, attempt, ids] = await Promise.all([
    customerPart(context, c.customer_id),
    lastAttempt(context, c.id),
    platformIds(context, subscription),
  ]);
  const recurring = subscription.lines.filter(line => !line.one_time_added);
  const priced = priceOrder(c, subscription.discounts, {
    lines: recurring,
    orderNumber: c.completed_orders + 1,
    isPrepaidDelivery: false,
    prepaidShippingCharge: work.settings.prepaidShippingCharge,
  });
  const next = upcomingOrders(subscription, work.zone, context.now()).find(order => order.status === 'SCHEDULED');
  const primary = methodById(subscription, c.payment_method_id),
    backup = methodById(subscription, c.backup_payment_method_id);
  return {
    id: c.id,
    shopifyId: c.shopify_id,
    version: c.version,
    status: c.status,
    statusCode: STATUS_CODES[c.status as Status],
    customerName: c.customer_name || c.customer_email || t`Customer without a name`,
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
    externalId: c.external_id,
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
    lines: subscription.lines.map(line => wireLine(work, subscription, line, ids, priced.lines)),
    discounts: subscription.discounts.map(row => ({
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
    bundles: bundlesWire(subscription, priced.lines),
    bundleIds: c.bundle_ids ?? [],
    customAttributes: c.custom_attributes as JsonValue,
    note: c.note,
    nextOrderNote: c.next_order_note,
    tags: c.tags,
    pausedAt: iso(c.paused_at),
    resumeDateEpoch: seconds(c.resume_at),
    cancelledAt: iso(c.cancelled_at),
    expiredAt: iso(c.expired_at),
    cancellationReason: c.cancellation_reason,
    cancellationComment: c.cancellation_comment,
    cancellationSource: c.cancellation_source,
    dunning: c.dunning as JsonValue,
    lastBillingAttempt: attempt ? wireAttempt(attempt, nextRetryOf(subscription, attempt)) : null,
    actions: allowedActions(work, subscription),
    refusals: refusedActions(work, subscription),
  };
}

const plainNumber = (value: string): string => (value.includes('.') ? value.replace(/\.?0+$/, '') : value);
const sumOf = (lines: readonly OrderLine[], currency: string): number => sum(lines.map(line => toMinor(line.discountedPrice, currency)));
const nextRetryOf = (subscription: Aggregate, attempt: AttemptRow): Date | null =>
  subscription.orders.find(order => order.id === attempt.order_id)?.next_retry_at ?? null;

interface PlatformIds {
  variants: Map<number, number>;
  products: Map<number, number>;
}
async function platformIds({ trx, storeId }: EngineContext, subscription: Aggregate): Promise<PlatformIds> {
  const ids = subscription.lines.flatMap(line => line.variant_id ?? []);
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
  subscription: Aggregate,
  line: Aggregate['lines'][number],
  ids: PlatformIds,
  priced: readonly OrderLine[],
): JsonObject {
  const currency = subscription.contract.currency_code;
  const variant = line.variant_id === null ? undefined : work.variants.get(line.variant_id);
  const inCharge = priced.find(one => one.lineId === line.id);
  const removedAhead =
    line.one_time_removed_cycle !== null &&
    (line.one_time_removed_cycle >= subscription.contract.next_cycle || isSwappedOnce(line, subscription.lines));
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
    oneTimeOrderId: oneTimeCycle === null ? null : orderIdOf(subscription.contract.id, oneTimeCycle),
    isUpsell: line.is_upsell,
    bundleTransactionId: line.bundle_transaction_id,
    weightInGrams: line.weight_in_grams,
    requiresShipping: line.requires_shipping,
    taxable: line.taxable,
    discounts: (inCharge?.discounts ?? []) as JsonValue,
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
