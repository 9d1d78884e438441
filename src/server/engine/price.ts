// What an order of a contract holds and costs, and the columns of the contract that repeat it for lists.
import { soldName, variantName } from '../../domain/text/variant-name.ts';
import { allocate, times, toDecimal, toMinor } from '../../domain/money/money.ts';
import { chargePrice, priceRule, ruleFor, type CyclePrice, type PriceRule } from '../../domain/money/pricing.ts';
import { intervalLabel } from '../../domain/calendar/interval.ts';
import { orderTotals, type LineTotal, type OrderDiscount } from '../../domain/money/totals.ts';
import { isSwappedOnce, type Aggregate } from './aggregate.ts';
import { forgetEmptyBundles } from './bundles.ts';
import { isGift } from './gifts/gift.ts';
import type { ContractRow, DiscountRow, LineRow } from './rows.ts';
import { deliveriesPerCharge, deliveryOf } from './schedule.ts';
import type { EngineSettings } from './settings.ts';
import { fold } from '../../domain/text/fold.ts';

/**
 * The pricing policy of a plan as a line keeps it; amounts are decimals in the contract's currency (`afterCycle` 0: from the first order).
 */
export interface PricingPolicy {
  basePrice?: string;
  cycleDiscounts: {
    afterCycle: number;
    adjustmentType: 'PERCENTAGE' | 'FIXED_AMOUNT' | 'PRICE';
    adjustmentValue: string | number;
    computedPrice?: string;
  }[];
}

/**
 * A line of a placed order, kept in `orders.lines` as it goes over the wire. `price` is for one piece in this order, `total` all pieces,
 * `discountedPrice` after discounts.
 */
export type OrderLine = {
  lineId: number;
  shopifyId: string;
  productId: number | null;
  variantId: number | null;
  productTitle: string;
  variantTitle: string;
  name: string;
  sku: string;
  image: string | null;
  quantity: number;
  price: string;
  total: string;
  discountedPrice: string;
  discounts: { id: number; title: string; amount: string }[];
  requiresShipping: boolean;
  taxable: boolean;
  weightInGrams: number;
  isOneTimeAdded: boolean;
  isUpsell: boolean;
  bundleTransactionId: string | null;
  attributes: { key: string; value: string }[];
};

/** Minor units; `total` = `subtotal` - `discount` + `shipping` (shipping before its discount). */
export interface PricedOrder {
  lines: OrderLine[];
  subtotal: number;
  discount: number;
  shipping: number;
  total: number;
  discounts: { id: number; amount: number }[];
}

export const nameOf = (line: Pick<LineRow, 'product_title' | 'variant_title'>): string => soldName(line.product_title, line.variant_title);
/** The same of a variant that is sold. */
export const nameOfVariant = ({ product_title, title }: { product_title: string; title: string }): string => soldName(product_title, title);

/**
 * Whether a recurring line stays out of an order. Where its order was skipped, what takes its place comes with the next one, and it stays
 * out of that.
 */
function isLeftOut(line: LineRow, cycle: number, lines: readonly LineRow[]): boolean {
  const left = line.one_time_removed_cycle;
  return left !== null && (left === cycle || (left < cycle && isSwappedOnce(line, lines)));
}

/** The lines of an order, of those given: recurring and not left out, or added once and due by then. */
export const linesOfOrder = (lines: readonly LineRow[], cycle: number): LineRow[] =>
  lines.filter(line => (line.one_time_added ? (line.one_time_cycle ?? 0) <= cycle : !isLeftOut(line, cycle, lines)));

export const policyOf = (line: Pick<LineRow, 'pricing_policy'>): PricingPolicy | null => line.pricing_policy as PricingPolicy | null;

/** The rule of a line's plan for the order of this number. */
export function lineRule(line: Pick<LineRow, 'pricing_policy'>, orderNumber: number, currency: string): PriceRule {
  const prices: CyclePrice[] = (policyOf(line)?.cycleDiscounts ?? []).map(({ afterCycle, adjustmentType, adjustmentValue }) => ({
    afterCycle,
    rule: priceRule(adjustmentType, adjustmentValue, currency),
  }));
  return ruleFor(prices, orderNumber);
}

/** What the price of a line follows from. */
export type PricedLine = Pick<LineRow, 'price' | 'base_price' | 'price_is_manual' | 'pricing_policy'>;

/** Price of one piece in a charge that pays for `deliveries`: by hand, by the plan, or the price it was sold at. */
export function pieceInCharge(line: PricedLine, orderNumber: number, deliveries: number, currency: string): number {
  if (line.price_is_manual || !policyOf(line)) return times(line.price, deliveries);
  return chargePrice(line.base_price, lineRule(line, orderNumber, currency), deliveries);
}

/** The price of one piece of a line in the next order, in minor units of the subscription's currency. */
export const presentPiece = ({ contract }: Pick<Aggregate, 'contract'>, line: PricedLine): number =>
  pieceInCharge(line, contract.completed_orders + 1, 1, contract.currency_code);

/** The value of a line in the next order, in minor units of the subscription's currency. */
export const presentValue = (subscription: Pick<Aggregate, 'contract'>, line: PricedLine & Pick<LineRow, 'quantity'>): number =>
  times(presentPiece(subscription, line), line.quantity);

/** An amount of a bundle is for one delivery: a charge that pays for several has it as often. */
const timesOf = ({ kind, line_ids }: DiscountRow, lines: readonly LineRow[], deliveries: number): number =>
  kind === 'BUNDLE' && !lines.some(line => line.one_time_added && line_ids.includes(line.id)) ? deliveries : 1;

const orderDiscount = (row: DiscountRow, currency: string, count: number): OrderDiscount => ({
  id: row.id,
  kind: row.kind as OrderDiscount['kind'],
  type: row.type as OrderDiscount['type'],
  value: row.value === null ? 0 : row.type === 'PERCENTAGE' ? Number(row.value) : times(toMinor(row.value, currency), count),
  appliesOnEachItem: row.applies_on_each_item,
  targetType: row.target_type as OrderDiscount['targetType'],
  lineIds: row.line_ids,
  orderLimit: row.order_limit,
  rejectionReason: row.rejection_reason,
});

/** Discounts that still apply `ordersAhead` charges after the next one. */
const stillApplies = (row: DiscountRow, ordersAhead: number): boolean => row.order_limit === null || row.order_limit > ordersAhead;

export interface PriceQuestion {
  lines: readonly LineRow[];
  orderNumber: number;
  isPrepaidDelivery: boolean;
  /** Charges between now and this order; 0 for the next one. */
  ordersAhead?: number;
  prepaidShippingCharge: EngineSettings['prepaidShippingCharge'];
}

/**
 * Adds up an order of the contract with the given lines. A delivery paid by a credit costs nothing but one-time lines and, if the store
 * says so, its shipping.
 */
export function priceOrder(
  contract: ContractRow,
  discounts: readonly DiscountRow[],
  { lines, orderNumber, isPrepaidDelivery, ordersAhead = 0, prepaidShippingCharge }: PriceQuestion,
): PricedOrder {
  const currency = contract.currency_code;
  const deliveries = deliveriesPerCharge(contract);
  const piece = (line: LineRow): number => {
    if (line.one_time_added) return pieceInCharge(line, orderNumber, 1, currency);
    return isPrepaidDelivery ? 0 : pieceInCharge(line, orderNumber, deliveries, currency);
  };
  const ships = lines.some(line => line.requires_shipping);
  // The giver has paid the shipping of a gift's orders with the gift, whatever the store does with prepaid subscriptions.
  const when = isGift(contract) ? 'UPFRONT_ALL' : prepaidShippingCharge;
  const shipping = ships ? times(contract.delivery_price, shippingTimes(isPrepaidDelivery, deliveries, when)) : 0;
  const applied = isPrepaidDelivery
    ? []
    : discounts
        .filter(row => !row.rejection_reason && stillApplies(row, ordersAhead))
        .map(row => ({ ...orderDiscount(row, currency, timesOf(row, lines, deliveries)), orderLimit: null }));
  const totals = orderTotals({
    lines: lines.map(line => ({ id: line.id, price: piece(line), quantity: line.quantity })),
    discounts: applied,
    shipping,
  });
  const titles = new Map(discounts.map(row => [row.id, row.title]));
  return {
    lines: totals.lines.map((total, index) => orderLine(lines[index] as LineRow, piece(lines[index] as LineRow), total, titles, currency)),
    subtotal: totals.subtotal,
    discount: totals.discount,
    shipping: totals.shipping,
    total: totals.total,
    discounts: totals.discounts,
  };
}

function shippingTimes(isPrepaidDelivery: boolean, deliveries: number, charge: EngineSettings['prepaidShippingCharge']): number {
  if (deliveries === 1) return isPrepaidDelivery ? 0 : 1;
  if (isPrepaidDelivery) return charge === 'EACH_DELIVERY' ? 1 : 0;
  return charge === 'UPFRONT_ALL' ? deliveries : 1;
}

function orderLine(line: LineRow, price: number, total: LineTotal, titles: Map<number, string>, currency: string): OrderLine {
  const money = (minor: number) => toDecimal(minor, currency);
  return {
    lineId: line.id,
    shopifyId: line.shopify_id,
    productId: line.product_id,
    variantId: line.variant_id,
    productTitle: line.product_title,
    variantTitle: variantName(line.variant_title),
    name: nameOf(line),
    sku: line.sku,
    image: line.image,
    quantity: line.quantity,
    price: money(price),
    total: money(total.total),
    discountedPrice: money(total.discountedTotal),
    discounts: total.discounts.map(({ id, amount }) => ({ id, title: titles.get(id) ?? '', amount: money(amount) })),
    requiresShipping: line.requires_shipping,
    taxable: line.taxable,
    weightInGrams: line.weight_in_grams,
    isOneTimeAdded: line.one_time_added,
    isUpsell: line.is_upsell,
    bundleTransactionId: line.bundle_transaction_id,
    attributes: line.attributes as OrderLine['attributes'],
  };
}

/** "Every month" for lists and filters: kept with the contract, so it is English for every reader. */
export const frequencyOf = (contract: ContractRow): string => `Every ${intervalLabel(deliveryOf(contract))}`;

const distinct = (ids: readonly (number | null)[]): number[] =>
  [...new Set(ids.filter((id): id is number => id !== null))].sort((a, b) => a - b);

/**
 * Brings the columns that repeat facts of lines, prices and customer up to date: line prices of the next charge, subtotal and total of a
 * regular
 * charge, products, plans, frequency, delivery type and the text that is searched (lower case; words begin after a blank).
 */
export function refreshContract(subscription: Aggregate, prepaidShippingCharge: EngineSettings['prepaidShippingCharge']): void {
  const c = subscription.contract;
  forgetEmptyBundles(subscription);
  const deliveries = deliveriesPerCharge(c);
  const number = c.completed_orders + 1;
  for (const line of subscription.lines) {
    if (line.price_is_manual || !policyOf(line)) continue;
    // What one delivery's share of a piece costs; the shares of a charge differ by a minor unit at most.
    const paid = line.one_time_added ? 1 : deliveries;
    line.price =
      allocate(
        pieceInCharge(line, number, paid, c.currency_code),
        Array.from({ length: paid }, () => 1),
      )[0] ?? 0;
  }
  const recurring = subscription.lines.filter(line => !line.one_time_added);
  const priced = priceOrder(c, subscription.discounts, {
    lines: recurring,
    orderNumber: number,
    isPrepaidDelivery: false,
    prepaidShippingCharge,
  });
  c.subtotal = priced.subtotal;
  c.total = priced.total;
  c.is_prepaid = deliveries > 1;
  c.has_discount = subscription.discounts.some(row => row.kind !== 'BUNDLE');
  // A gift is paid once and does not renew: it adds nothing to the monthly recurring revenue.
  c.recurring_charge = isGift(c) ? 0 : recurringCharge(subscription, recurring, prepaidShippingCharge);
  c.frequency = frequencyOf(c);
  c.delivery_type = (c.delivery_method as { type?: string } | null)?.type ?? 'NONE';
  // In the order of the lines: the first is the one whose picture lists show.
  c.product_ids = [...new Set(recurring.flatMap(line => line.product_id ?? []))];
  c.variant_ids = distinct(recurring.map(line => line.variant_id));
  c.plan_group_ids = distinct(recurring.map(line => line.plan_group_id));
  c.products_label = labelOf(recurring);
  c.search = fold(
    [c.id, c.shopify_id, c.customer_name, c.customer_email, ...recurring.map(nameOf), ...(c.external_id ? [c.external_id] : [])].join(' '),
  ).slice(0, 1000);
}

/** What the recurring lines cost after the discounts that have no end, without shipping; null where that is the subtotal. */
function recurringCharge(
  subscription: Aggregate,
  recurring: LineRow[],
  prepaidShippingCharge: EngineSettings['prepaidShippingCharge'],
): number | null {
  const lasting = subscription.discounts.filter(
    row => row.order_limit === null && row.rejection_reason === null && row.target_type === 'LINE_ITEM',
  );
  if (lasting.length === 0) return null;
  const priced = priceOrder(subscription.contract, lasting, {
    lines: recurring,
    orderNumber: subscription.contract.completed_orders + 1,
    isPrepaidDelivery: false,
    prepaidShippingCharge,
  });
  return priced.lines.reduce((sum, line) => sum + toMinor(line.discountedPrice, subscription.contract.currency_code), 0);
}

/** "Dark roast - 250 g, 2 × Decaf" and "+3 more" when there are many. */
export function labelOf(lines: readonly Pick<LineRow, 'quantity' | 'product_title' | 'variant_title'>[]): string {
  const names = lines.map(line => (line.quantity > 1 ? `${line.quantity} × ${nameOf(line)}` : nameOf(line)));
  return names.length > 3 ? `${names.slice(0, 3).join(', ')} +${names.length - 3} more` : names.join(', ');
}
