// Placing an order: which lines it holds, what the stock rules say, what it costs, and the attempt to charge it, written down before the
// gateway is asked.
import { times, toDecimal } from '../../../domain/money/money.ts';
import type { UpcomingOrder } from '../../../domain/schedule/schedule.ts';
import { invalidState } from '../../platform/context.ts';
import { gatewayOf, type Charge, type GatewayName } from '../../platform/gateway/gateway.ts';
import { isUsable, methodById, orderIdOf, type Aggregate, type Moment } from '../aggregate.ts';
import { writeDateField } from './date-field.ts';
import { onOpenDay } from '../delivery/open-days.ts';
import { recurringShippingPrice } from '../delivery/delivery-options.ts';
import { mailPartial } from '../mails.ts';
import { linesOfOrder, nameOf, priceOrder, type OrderLine } from '../price.ts';
import { rateOfNow } from '../../platform/records/exchange-rates.ts';
import type { AttemptRow, LineRow, MethodRow, OrderRow } from '../rows.ts';
import { deliveriesPerCharge } from '../schedule.ts';
import { applyFailed, applyPaid } from './charge-outcome.ts';
import { epoch, skipRow } from '../status.ts';
import { delayForStock, isLive, reserveStock, skipForStock, stockOfLines } from './stock.ts';
import { keepRate } from './rate-of-day.ts';
import { orderTags } from './tags.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import { t } from '../../../domain/text/t.ts';

export type Trigger = 'SCHEDULED' | 'RETRY' | 'BACKUP' | 'MANUAL' | 'CARD_UPDATE';

/** A charge that is written down and waits for the gateway. */
export interface PendingCharge {
  contractId: number;
  orderId: number;
  attemptId: number;
  charge: Charge;
  /** How long ago (ms) the gateway was first asked, where this is not the first time. */
  firstAskedMs?: number;
  /** The provider knows it and has not finished: it waits for that, however long ago it was asked. */
  isProcessing?: boolean;
}

/** The charge of a purchase, as the gateway calls it. */
export interface ChargedBy {
  gateway: GatewayName;
  reference: string;
}

/** What a shop elsewhere was paid for an order, in minor units. */
export interface PaidAs {
  /** In the order of the order's lines: for one piece, and for all of them after discounts. */
  lines: readonly { price: number; paid: number }[];
  shipping: number;
}

/** A fresh row for a cycle of the contract. */
export function newOrder(
  subscription: Aggregate,
  planned: Pick<UpcomingOrder, 'cycle' | 'orderNumber' | 'billingAt' | 'deliveryAt' | 'isPrepaidDelivery'>,
  at: Date,
): OrderRow {
  const { contract } = subscription;
  return {
    store_id: contract.store_id,
    id: orderIdOf(contract.id, planned.cycle),
    contract_id: contract.id,
    customer_id: contract.customer_id,
    cycle: planned.cycle,
    order_number: planned.orderNumber,
    shopify_id: null,
    shopify_order_number: null,
    status: 'SCHEDULED',
    order_type: 'RECURRING',
    is_prepaid_delivery: planned.isPrepaidDelivery,
    is_rescheduled: false,
    scheduled_at: new Date(planned.billingAt),
    billing_at: new Date(planned.billingAt),
    delivery_at: new Date(planned.deliveryAt),
    processed_at: null,
    currency_code: contract.currency_code,
    subtotal: 0,
    discount: 0,
    shipping: 0,
    tax: 0,
    total: 0,
    total_usd: 0,
    rate: null,
    is_estimated: false,
    refunded: 0,
    refunding: 0,
    charged: null,
    dispute: null,
    lines: [],
    omitted_lines: [],
    shipping_address: null,
    custom_attributes: [],
    note: '',
    tags: [],
    skip_reason: null,
    error_code: null,
    error_message: null,
    error_category: null,
    attempts: 0,
    next_retry_at: null,
    retry: null,
    came_with: null,
    idempotency_key: null,
    unclear_since: null,
    fulfillment_status: null,
    created_at: at,
    updated_at: at,
  };
}

/**
 * Places the order of a cycle: it becomes PROCESSING with an attempt (the answer is the charge to ask the gateway for), PAID at once when
 * nothing is to be
 * paid, SKIPPED or delayed by the stock rules, or FAILED when there is no method to charge. Reserve an attempt id and load the variants
 * before.
 */
export function placeOrder(
  work: UnitOfWork,
  subscription: Aggregate,
  planned: Pick<UpcomingOrder, 'cycle' | 'orderNumber' | 'billingAt' | 'deliveryAt' | 'isPrepaidDelivery'>,
  trigger: Trigger,
): PendingCharge | null {
  const { contract } = subscription;
  subscription.at = work.at;
  let order = subscription.orders.find(candidate => candidate.cycle === planned.cycle);
  if (!order) {
    order = newOrder(subscription, planned, work.at);
    subscription.orders.push(order);
  }
  const isNew = planned.cycle >= contract.next_cycle;
  if (isNew) {
    contract.next_cycle = planned.cycle + 1;
    order.billing_at = new Date(planned.billingAt);
    order.delivery_at = new Date(onOpenDay(work, planned.deliveryAt));
    order.is_prepaid_delivery = planned.isPrepaidDelivery;
    order.order_number = planned.orderNumber;
  } else if (order.is_prepaid_delivery && contract.prepaid_credits === 0) {
    // It waited, and the credit that would have paid for it is gone.
    order.is_prepaid_delivery = false;
  }
  if (!isNew && !order.is_prepaid_delivery) order.order_number = contract.completed_orders + 1;
  const wanted = linesOfOrder(subscription.lines, order.cycle).filter(line => isLive(work, line));
  if (wanted.length === 0) {
    if (trigger === 'MANUAL')
      throw invalidState(t`No product of this subscription is left in the store. Add a product before you charge it.`);
    skipRow(subscription, order, 'NO_PRODUCTS');
    work.note(subscription, 'order_skipped', {
      orderId: order.id,
      orderNumber: order.order_number,
      dateEpoch: epoch(order.billing_at),
      reason: 'NO_PRODUCTS',
    });
    return null;
  }
  const stock = stockOfLines(work, wanted);
  // What is left out of the charge for several deliveries would come with the others unpaid, and what is left out of those was paid: each
  // waits until it is whole.
  const isWholeOnly = stock.action === 'PARTIAL_ORDER' && deliveriesPerCharge(contract) > 1;
  if (isWholeOnly || stock.action === 'DELAY_ORDER' || stock.action === 'SKIP_ORDER') {
    if (trigger === 'MANUAL')
      throw invalidState(
        t`Products of this order are out of stock. Change the stock, the products or the stock rules, then charge it again.`,
      );
    if (stock.action === 'SKIP_ORDER') skipForStock(work, subscription, order);
    else delayForStock(work, subscription, order);
    return null;
  }
  const lines = wanted.filter(line => stock.billed.includes(line.id));
  contract.last_inventory_action = stock.omitted.length ? 'PARTIAL_ORDER' : null;
  if (work.settings.autoUpdateShippingPrice) updateShippingPrice(work, subscription, lines);
  fillOrder(
    work,
    subscription,
    order,
    lines,
    wanted.filter(line => stock.omitted.includes(line.id)),
  );
  if (stock.omitted.length) {
    const omitted = wanted.filter(line => stock.omitted.includes(line.id));
    work.note(subscription, 'order_partially_billed', { orderId: order.id, orderNumber: order.order_number, omitted: omitted.map(nameOf) });
    mailPartial(work, subscription, order, omitted);
  }
  return order.total === 0 ? payNothing(work, subscription, order) : attempt(work, subscription, order, trigger);
}

/**
 * The first order of a contract that was bought in the shop: it was paid there by `charged`, so nothing is charged here. Load the variants
 * before.
 */
export function placeCheckout(
  work: UnitOfWork,
  subscription: Aggregate,
  deliveryAt: number,
  charged: ChargedBy | null,
  paidAs?: PaidAs,
): OrderRow {
  const at = work.at.getTime();
  const order = newOrder(subscription, { cycle: 1, orderNumber: 1, billingAt: at, deliveryAt, isPrepaidDelivery: false }, work.at);
  order.order_type = 'CHECKOUT';
  order.charged = charged && { ...charged };
  subscription.orders.push(order);
  subscription.contract.next_cycle = 2;
  fillOrder(work, subscription, order, linesOfOrder(subscription.lines, 1), []);
  if (paidAs) billAs(work, order, paidAs);
  reserveStock(work, order);
  applyPaid(work, subscription, order, null, null);
  return order;
}

/** The order costs what was paid for it where it was sold, whatever it would have cost here. */
function billAs(work: UnitOfWork, order: OrderRow, { lines, shipping }: PaidAs): void {
  const currency = order.currency_code;
  const totals = (order.lines as OrderLine[]).map((line, index) => {
    const { price, paid } = lines[index] ?? { price: 0, paid: 0 };
    return { line, price, paid, total: times(price, line.quantity) };
  });
  order.lines = totals.map(({ line, price, paid, total }) => ({
    ...line,
    price: toDecimal(price, currency),
    total: toDecimal(total, currency),
    discountedPrice: toDecimal(paid, currency),
    discounts: [],
  }));
  order.subtotal = totals.reduce((sum, one) => sum + one.total, 0);
  order.shipping = shipping;
  order.total = totals.reduce((sum, one) => sum + one.paid, shipping);
  order.discount = order.subtotal + shipping - order.total;
  keepRate(work, order);
}

function payNothing(work: UnitOfWork, subscription: Aggregate, order: OrderRow): null {
  reserveStock(work, order);
  applyPaid(work, subscription, order, null, null);
  return null;
}

/** Writes down one try to charge an order; without a usable method it fails on the spot. */
export function attempt(work: UnitOfWork, subscription: Aggregate, order: OrderRow, trigger: Trigger): PendingCharge | null {
  const { storeId } = work.context;
  const method = methodById(
    subscription,
    trigger === 'BACKUP' ? subscription.contract.backup_payment_method_id : subscription.contract.payment_method_id,
  );
  order.attempts += 1;
  order.status = 'PROCESSING';
  order.next_retry_at = order.unclear_since = null;
  order.error_code = order.error_message = order.error_category = null;
  const asked = trigger === 'MANUAL' ? work.chargesAsked.get(subscription.contract.id) : undefined;
  order.idempotency_key = asked?.key ?? `${storeId}-${order.id}-${order.attempts}`;
  // A backup method, or a charge that is repeated, pays for what the first one was to pay for.
  if (asked?.cameWith) order.came_with = asked.cameWith;
  const gateway = method ? gatewayOf(method.gateway_token, work.context.store) : null;
  const row: AttemptRow = {
    store_id: storeId,
    id: work.attemptId(),
    order_id: order.id,
    contract_id: subscription.contract.id,
    attempt_number: order.attempts,
    trigger,
    idempotency_key: order.idempotency_key,
    gateway: gateway ?? 'TEST',
    look_up_at: null,
    payment_method_id: method?.id ?? null,
    is_backup: trigger === 'BACKUP',
    method_type: method?.type ?? null,
    method_brand: method?.brand ?? null,
    amount: order.total,
    currency_code: order.currency_code,
    rate: rateOfNow(work.context.store, order.currency_code),
    is_estimated: false,
    ready: false,
    success: null,
    error_code: null,
    error_message: null,
    error_category: null,
    next_action_url: null,
    gateway_reference: null,
    created_at: work.at,
    completed_at: null,
    started_by: trigger === 'MANUAL' ? work.actor() || null : null,
  };
  work.attempts.set(row.id, { row, before: null });
  const missing = methodFault(method, work) ?? (gateway ? null : NO_GATEWAY);
  if (!method || !gateway || missing)
    return applyFailed(work, subscription, order, row, { ok: false, ...(missing ?? NO_METHOD) }) === 'TRY_BACKUP'
      ? attempt(work, subscription, order, 'BACKUP')
      : null;
  reserveStock(work, order);
  return {
    contractId: subscription.contract.id,
    orderId: order.id,
    attemptId: row.id,
    charge: {
      storeId,
      key: row.idempotency_key,
      gateway,
      token: method.gateway_token,
      amount: row.amount,
      currency: row.currency_code,
      at: work.at,
    },
  };
}

const NO_METHOD = { code: 'PAYMENT_METHOD_NOT_SPECIFIED', message: 'The subscription has no payment method.' };
const NO_GATEWAY = {
  code: 'PAYMENT_PROVIDER_IS_NOT_ENABLED',
  message: 'No payment provider of the store charges this payment method.',
};
/** What keeps a method from being charged at all, in the words of the platform. */
function methodFault(method: MethodRow | undefined, moment: Moment): { code: string; message: string } | null {
  if (!method) return NO_METHOD;
  if (method.revoked_at) return { code: 'PAYMENT_METHOD_NOT_FOUND', message: 'The payment method was removed.' };
  if (method.inactive)
    return {
      code: method.type === 'PAYPAL' ? 'INVALID_CUSTOMER_BILLING_AGREEMENT' : 'INVALID_PAYMENT_METHOD',
      message: 'The agreement with the provider has ended.',
    };
  return isUsable(method, moment) ? null : { code: 'EXPIRED_PAYMENT_METHOD', message: 'The card has expired.' };
}

/** Copies lines, prices, address, note and attributes of the contract onto the order. */
function fillOrder(
  work: UnitOfWork,
  subscription: Aggregate,
  order: OrderRow,
  lines: readonly LineRow[],
  omitted: readonly LineRow[],
): void {
  const { contract } = subscription;
  const question = {
    orderNumber: order.order_number,
    isPrepaidDelivery: order.is_prepaid_delivery,
    prepaidShippingCharge: work.settings.prepaidShippingCharge,
  };
  const priced = priceOrder(contract, subscription.discounts, { ...question, lines });
  order.lines = priced.lines;
  order.omitted_lines = omitted.length ? priceOrder(contract, [], { ...question, lines: omitted }).lines : [];
  order.subtotal = priced.subtotal;
  order.discount = priced.discount;
  order.shipping = priced.shipping;
  order.total = priced.total;
  keepRate(work, order);
  order.shipping_address = contract.shipping_address;
  const isOwn = work.settings.orderNoteLevel === 'ORDER';
  const said = writeDateField(work, isOwn ? { ...contract, note: '' } : contract, order);
  order.custom_attributes = said.attributes;
  order.note = [said.note, contract.next_order_note].filter(Boolean).join('\n');
  contract.next_order_note = '';
  order.tags = orderTags(work, subscription, order, priced.lines);
}

/** Shipping is worked out again before the charge when the store wants that (settings, auto updates). */
function updateShippingPrice(work: UnitOfWork, subscription: Aggregate, lines: readonly LineRow[]): void {
  const price = recurringShippingPrice(work.context.store, subscription.contract, lines);
  if (price === null || price === subscription.contract.delivery_price) return;
  work.note(subscription, 'shipping_price_updated', {
    before: toDecimal(subscription.contract.delivery_price, subscription.contract.currency_code),
    after: toDecimal(price, subscription.contract.currency_code),
    currencyCode: subscription.contract.currency_code,
    isAutomatic: true,
  });
  subscription.contract.delivery_price = price;
}
