// The rows of a demo contract: lines, orders with their attempts, and its log.
import { labelOf, publicOrderId, type RetryState } from '../../engine/index.ts';
import { rateOfNow } from '../../platform/records/exchange-rates.ts';
import type { StoreCalendar } from './days.ts';
import type { Life, PastOrder, Sale } from './life.ts';
import { inUsd, languageOf, type Person, priceIn } from './people.ts';
import { planPrice } from './plans.ts';
import type { Random } from './random.ts';
import { SHOP_LOCATION, STORE_DETAILS, type SeedStore } from './store.ts';
import type { BulkWriter } from './write.ts';

const RATES = { currency_code: 'USD', details: STORE_DETAILS };
const SHOP = { id: SHOP_LOCATION.id, name: SHOP_LOCATION.name, address: SHOP_LOCATION.address };

/** A way to pay of a customer, as far as payments repeat it. */
export interface SoldMethod {
  id: number;
  type: string;
  brand: string;
}

interface Contract {
  id: number;
  who: Person;
  customerId: number;
  methods: SoldMethod[];
  sale: Sale;
  life: Life;
  orderNumber: number;
}

/** Writes a contract with its lines, orders, attempts and log; answers the next order number of the store. */
export async function writeContract(
  writer: BulkWriter,
  store: SeedStore,
  calendar: StoreCalendar,
  chance: Random,
  contract: Contract,
): Promise<number> {
  const { id, who, customerId, methods, sale, life } = contract;
  const { plan } = sale;
  const currency = who.country.currency;
  const convert = (cents: number) => priceIn(currency, cents);
  const delivery = plan.delivery ?? plan.billing;
  const nextNumber = life.completed + 1;
  const prices = sale.lines.map(line => planPrice(plan, convert(line.variant.price), nextNumber, convert));
  const subtotal = sale.lines.reduce((sum, line, i) => sum + prices[i]! * line.quantity, 0);
  const { shipping, createdAt } = life;
  const failing = life.orders.findLast(order => order.failures.length > 0 && order.status === 'FAILED');
  const last = life.orders.findLast(
    order => !order.credit && order.type === 'RECURRING' && (order.status === 'PAID' || order.failures.length > 0),
  );
  const shopifyId = 12_000_000_000 + id;
  const frequency = `Every ${delivery[1] === 1 ? delivery[0].toLowerCase() : `${delivery[1]} ${delivery[0].toLowerCase()}s`}`;
  const nearby = who.address.zip.startsWith('112') && chance.chance(0.5) ? (chance.chance(0.5) ? 'PICKUP' : 'LOCAL_DELIVERY') : 'SHIPPING';
  // Customers who pick up at the shop pay no shipping.
  const deliveryType = nearby === 'PICKUP' && shipping > 0 ? 'SHIPPING' : nearby;
  const tags = chance.chance(0.09) ? [chance.weighted(TAGS)] : [];
  const products = labelOf(
    sale.lines.map(line => ({
      quantity: line.quantity,
      product_title: line.variant.productTitle,
      variant_title: line.variant.variantTitle,
    })),
  );
  const retriesLeft = failing?.nextRetryAt ? 1 + Math.max(0, 4 - failing.failures.length) : 0;
  const lastFailure = failing?.failures.at(-1);
  const dunning =
    failing && lastFailure
      ? {
          state: failing.nextRetryAt ? 'IN_RECOVERY' : 'LOST',
          orderId: id * 10_000 + failing.cycle,
          cycleNumber: failing.cycle,
          firstFailedAtEpoch: Math.floor(failing.failures[0]!.at / 1000),
          attemptsMade: failing.failures.length,
          attemptsMax: 5,
          retriesLeft,
          nextRetryDateEpoch: failing.nextRetryAt ? Math.floor(failing.nextRetryAt / 1000) : null,
          lastErrorCategory: lastFailure.category,
          lastErrorCode: lastFailure.code,
          isHardDecline: lastFailure.category === 'card_expired',
          successiveFailedCycles: life.failedInARow,
          finalAction: 'SKIP',
          recoveredVia: null,
        }
      : null;
  const deliveryMethod =
    deliveryType === 'PICKUP'
      ? { type: 'PICKUP', pickup: { pickupOption: { code: `LOCATION-${SHOP.id}`, title: SHOP.name, location: SHOP } } }
      : deliveryType === 'LOCAL_DELIVERY'
        ? {
            type: 'LOCAL_DELIVERY',
            localDelivery: {
              address: who.address,
              localDeliveryOption: { code: 'BIKE', title: 'Bicycle courier', phone: who.phone, instructions: '' },
            },
          }
        : { type: 'SHIPPING', shipping: { address: who.address, shippingOption: { code: 'STANDARD', title: 'Standard shipping' } } };
  await writer.add('contracts', {
    store_id: store.id,
    id,
    shopify_id: shopifyId,
    version: 1,
    status: life.status,
    source: 'CHECKOUT',
    customer_id: customerId,
    origin_order_shopify_id: publicOrderId(contract.orderNumber),
    currency_code: currency,
    billing_interval: plan.billing[0],
    billing_interval_count: plan.billing[1],
    delivery_interval: delivery[0],
    delivery_interval_count: delivery[1],
    min_cycles: plan.min ?? null,
    max_cycles: plan.max ?? null,
    anchor_type: plan.anchor?.type ?? null,
    anchor_day: plan.anchor?.day ?? null,
    anchor_month: plan.anchor?.month ?? null,
    cut_off_days: plan.anchor?.cutOff ?? null,
    pre_anchor_behavior: plan.anchor?.behavior ?? null,
    base_at: iso(life.baseAt),
    base_cycle: life.baseCycle,
    next_cycle: life.nextCycle,
    next_billing_at: life.status === 'ACTIVE' ? iso(life.nextAt) : null,
    charge_offset_days: 0,
    resume_at: iso(life.resumeAt),
    completed_orders: life.completed,
    is_prepaid: life.deliveriesPerCharge > 1,
    prepaid_credits: life.status === 'CANCELLED' ? 0 : life.credits,
    is_marked_for_cancellation: life.marked,
    has_custom_plan: false,
    delivery_price: shipping,
    delivery_method: deliveryMethod,
    shipping_address: who.address,
    payment_method_id: methods[0]?.id,
    backup_payment_method_id: methods[1] && chance.chance(0.4) ? methods[1].id : null,
    note: chance.chance(0.07) ? chance.pick(NOTES) : '',
    custom_attributes: chance.chance(0.06)
      ? [{ key: 'Found us through', value: chance.pick(['A friend', 'The market', 'A podcast']) }]
      : [],
    dunning,
    successive_failed_cycles: life.failedInARow,
    last_payment_status: last ? (last.status === 'PAID' ? 'SUCCESS' : 'FAILED') : null,
    last_payment_category: last && last.status !== 'PAID' ? (last.failures.at(-1)?.category ?? null) : null,
    last_inventory_action: null,
    cancellation_reason: life.reason,
    cancellation_comment: life.comment,
    cancellation_source: life.source,
    paused_at: life.status === 'PAUSED' ? iso(life.endedAt) : null,
    cancelled_at: life.status === 'CANCELLED' ? iso(life.endedAt) : null,
    expired_at: life.status === 'EXPIRED' ? iso(life.endedAt) : null,
    created_at: iso(createdAt),
    updated_at: iso(Math.min(calendar.now, life.updatedAt)),
    customer_name: `${who.firstName} ${who.lastName}`,
    customer_first_name: who.firstName,
    customer_email: who.email,
    customer_locale: languageOf(who.country.code),
    country_code: who.country.code,
    delivery_type: deliveryType,
    frequency,
    products_label: products,
    subtotal: subtotal * life.deliveriesPerCharge,
    total: subtotal * life.deliveriesPerCharge + shipping,
    product_ids: [...new Set(sale.lines.map(line => line.variant.productId))],
    variant_ids: sale.lines.map(line => line.variant.variantId),
    plan_group_ids: [sale.groupId],
    tags,
    search: `${id} ${shopifyId} ${who.firstName} ${who.lastName} ${who.email} ${products}`.toLowerCase(),
  });
  const base = sale.lines.map(line => convert(line.variant.price));
  for (const [i, line] of sale.lines.entries()) {
    await writer.add('contract_lines', {
      store_id: store.id,
      id: id * 10 + i,
      contract_id: id,
      shopify_id: `gl_${id * 10 + i}`,
      product_id: line.variant.productId,
      variant_id: line.variant.variantId,
      product_title: line.variant.productTitle,
      variant_title: line.variant.variantTitle,
      sku: line.variant.sku,
      image: line.variant.image,
      quantity: line.quantity,
      base_price: base[i],
      price: prices[i],
      price_is_manual: false,
      pricing_policy: pricingPolicy(sale, base[i]!, currency, convert),
      selling_plan_id: sale.planId,
      plan_group_id: sale.groupId,
      selling_plan_name: plan.name,
      selling_plan_group_name: sale.group.name,
      attributes: [],
      one_time_added: false,
      is_upsell: i > 0 && chance.chance(0.4),
      weight_in_grams: line.variant.grams,
      requires_shipping: true,
      taxable: true,
      position: i + 1,
      created_at: iso(createdAt),
    });
  }
  let storeOrder = contract.orderNumber;
  for (const order of life.orders) {
    const orderId = id * 10_000 + order.cycle;
    const paid = order.status === 'PAID';
    storeOrder += paid ? 1 : 0;
    const failure = order.failures.at(-1);
    const attempts =
      order.type === 'CHECKOUT' || order.credit || (order.status === 'SKIPPED' && !failure) ? 0 : order.failures.length + (paid ? 1 : 0);
    await writer.add('orders', {
      store_id: store.id,
      id: orderId,
      contract_id: id,
      customer_id: customerId,
      cycle: order.cycle,
      order_number: order.number,
      shopify_id: paid ? publicOrderId(storeOrder) : null,
      shopify_order_number: paid ? storeOrder : null,
      status: order.status,
      order_type: order.type,
      is_prepaid_delivery: order.credit,
      is_rescheduled: false,
      scheduled_at: iso(order.scheduledAt),
      billing_at: iso(order.at),
      delivery_at: iso(order.at),
      processed_at: iso(order.paidAt),
      currency_code: currency,
      subtotal: order.subtotal,
      discount: 0,
      shipping: order.shipping,
      tax: 0,
      total: order.total,
      total_usd: inUsd(currency, order.total),
      rate: rateOfNow(RATES, currency),
      lines: sale.lines.map((line, i) => ({
        lineId: id * 10 + i,
        productId: line.variant.productId,
        variantId: line.variant.variantId,
        productTitle: line.variant.productTitle,
        variantTitle: line.variant.variantTitle,
        sku: line.variant.sku,
        image: line.variant.image,
        quantity: line.quantity,
        price: money(order.prices[i]!, currency),
        total: money(order.prices[i]! * line.quantity, currency),
        discountedPrice: money(order.prices[i]! * line.quantity, currency),
      })),
      shipping_address: null,
      tags: paid
        ? [
            'Subscription',
            order.type === 'CHECKOUT' ? 'Subscription First Order' : 'Subscription Recurring Order',
            `Subscription #${shopifyId}`,
          ]
        : [],
      skip_reason: order.skipReason,
      error_code: paid ? null : (failure?.code ?? null),
      error_message: paid ? null : (failure?.message ?? null),
      error_category: paid ? null : (failure?.category ?? null),
      attempts,
      next_retry_at: iso(order.nextRetryAt),
      retry: failure && !paid ? retryState(order) : null,
      idempotency_key: attempts ? `${orderId}-${attempts}` : null,
      fulfillment_status: paid ? 'FULFILLED' : null,
      created_at: iso(order.at),
      updated_at: iso(order.paidAt ?? failure?.at ?? order.at),
    });
    for (let n = 1; n <= attempts; n++) {
      const failed = order.failures[n - 1];
      const at = failed?.at ?? order.paidAt!;
      await writer.add('billing_attempts', {
        store_id: store.id,
        order_id: orderId,
        contract_id: id,
        attempt_number: n,
        trigger: n === 1 ? 'SCHEDULED' : 'RETRY',
        idempotency_key: `${orderId}-${n}`,
        payment_method_id: methods[0]?.id,
        method_type: methods[0]?.type,
        method_brand: methods[0]?.brand,
        is_backup: false,
        amount: order.total,
        currency_code: currency,
        rate: rateOfNow(RATES, currency),
        ready: true,
        success: !failed,
        error_code: failed?.code ?? null,
        error_message: failed?.message ?? null,
        error_category: failed?.category ?? null,
        gateway_reference: failed ? null : `ch_${orderId}_${n}`,
        created_at: iso(at - 3000),
        completed_at: iso(at),
      });
    }
  }
  for (const event of life.events) {
    const { total, amount } = event.data;
    await writer.add('events', {
      store_id: store.id,
      contract_id: id,
      key: event.key,
      source: event.source,
      entity: event.entity,
      data:
        typeof total === 'number'
          ? { ...event.data, total: money(total, currency), currencyCode: currency }
          : typeof amount === 'number'
            ? { ...event.data, amount: money(amount, currency), currencyCode: currency }
            : event.data,
      created_at: iso(event.at),
    });
  }
  return storeOrder + 1;
}

/** What the engine remembers of a recovery between its tries. */
function retryState({ failures, nextRetryAt }: PastOrder): RetryState {
  const made = failures.length - 1;
  return {
    kind: 'PAYMENT',
    firstFailedAt: failures[0]!.at,
    lastAttemptAt: failures.at(-1)!.at,
    retriesMade: made,
    maxRetries: 4,
    ...(nextRetryAt ? { plannedAt: nextRetryAt, isLast: made === 3 } : { isFinal: true }),
  };
}

/** The prices a contract carries from its plan (subscriptions.md, line item): the first, and the one after a number of orders. */
function pricingPolicy(sale: Sale, base: number, currency: string, convert: (cents: number) => number) {
  const { plan } = sale;
  const cycle = (rule: readonly [string, number, ...unknown[]] | undefined, afterCycle: number) =>
    rule
      ? [
          {
            afterCycle,
            adjustmentType: rule[0],
            adjustmentValue: rule[0] === 'PERCENTAGE' ? rule[1] : Number(money(convert(rule[1]), currency)),
            computedPrice: money(planPrice(plan, base, afterCycle + 1, convert), currency),
          },
        ]
      : [];
  const cycleDiscounts = [...cycle(plan.discount, 0), ...cycle(plan.then, plan.then?.[2] ?? 0)];
  return cycleDiscounts.length ? { basePrice: money(base, currency), cycleDiscounts } : null;
}
export const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString());
export const money = (minor: number, currency: string) => (currency === 'JPY' ? String(minor) : (minor / 100).toFixed(2));
export const NOTES = [
  'Please leave with the neighbour at number 12.',
  'No plastic tape, please.',
  'Grind a little finer if you can.',
  'Gate code 4411.',
  'Birthday card in the first box.',
];
export const TAGS = [
  ['vip', 4],
  ['wholesale', 2],
  ['founding member', 3],
  ['office', 3],
  ['gift', 2],
] as const;
