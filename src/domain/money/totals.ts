/** What an order costs: lines, discounts in their fixed order, shipping last. Every part adds up to the minor unit. */
import { allocate, percentOf, sum, times, wholeMinor } from './money.ts';

/** A line with its unit price after the plan's own discount, in minor units. */
export type PricedLine = { id: number; price: number; quantity: number };

export type OrderDiscount = {
  id: number;
  /** BUNDLE: what a bundle costs less than what is in it; it comes before all others. */
  kind: 'MANUAL' | 'CODE' | 'BUNDLE';
  /** FIXED_PRICE: the lines together cost the value. */
  type: 'PERCENTAGE' | 'FIXED_AMOUNT' | 'FIXED_PRICE' | 'FREE_SHIPPING';
  /** A percentage (0-100) or minor units; not read for FREE_SHIPPING. */
  value: number;
  /** FIXED_AMOUNT: off every item, instead of once per order. */
  appliesOnEachItem?: boolean;
  targetType: 'LINE_ITEM' | 'SHIPPING_LINE';
  /** Lines that it applies to; an empty list means all. */
  lineIds: readonly number[];
  /** How many more orders it applies to; null or absent means for ever. */
  orderLimit?: number | null;
  /** Set when the store refuses the discount: then it is kept on the contract and takes nothing off. */
  rejectionReason?: string | null;
};

export type LineTotal = {
  id: number;
  /** Price x quantity. */
  total: number;
  /** What each discount takes off this line; only discounts that take something. */
  discounts: { id: number; amount: number }[];
  discountedTotal: number;
};

/** Minor units throughout. `total` = `discountedSubtotal` + `discountedShipping`; `discount` is everything taken off. */
export type OrderTotals = {
  lines: LineTotal[];
  /** What each discount takes off the order, in the order given; 0 for those that do not apply. */
  discounts: { id: number; amount: number }[];
  subtotal: number;
  discountedSubtotal: number;
  shipping: number;
  discountedShipping: number;
  discount: number;
  total: number;
};

/** Discounts that apply to the order `ordersAhead` places after the next one (0 is the next): by order limit and refusal. */
export function discountsForOrder<D extends OrderDiscount>(discounts: readonly D[], ordersAhead: number): D[] {
  return discounts.filter(discount => !discount.rejectionReason && (discount.orderLimit == null || discount.orderLimit > ordersAhead));
}

/**
 * Adds up an order. Discounts are taken off in this order, each from what the ones before have left: bundles, manual
 * percentages, manual amounts, codes; then those on shipping in the same order. Nothing goes below 0. An amount once per order is
 * spread over the entitled lines in proportion to what they still cost.
 */
export function orderTotals({
  lines,
  discounts,
  shipping,
}: {
  lines: readonly PricedLine[];
  discounts: readonly OrderDiscount[];
  shipping: number;
}): OrderTotals {
  if (wholeMinor(shipping) < 0) throw new RangeError('A shipping price cannot be below 0.');
  const totals = lines.map(openLine);
  const taken = new Map<number, number>();
  const take = (id: number, amount: number) => taken.set(id, (taken.get(id) ?? 0) + amount);
  const inOrder = discountsForOrder(discounts, 0).sort((a, b) => precedence(a) - precedence(b));

  for (const discount of inOrder.filter(candidate => !isOnShipping(candidate))) {
    const entitled = totals.filter(line => discount.lineIds.length === 0 || discount.lineIds.includes(line.id));
    const amounts = amountsOff(discount, entitled, lines);
    entitled.forEach((line, index) => {
      const amount = amounts[index] ?? 0;
      if (amount === 0) return;
      line.discounts.push({ id: discount.id, amount });
      line.discountedTotal -= amount;
      take(discount.id, amount);
    });
  }
  let discountedShipping = shipping;
  for (const discount of inOrder.filter(isOnShipping)) {
    const amount = amountOffShipping(discount, discountedShipping);
    discountedShipping -= amount;
    take(discount.id, amount);
  }

  const subtotal = sum(totals.map(line => line.total));
  const discountedSubtotal = sum(totals.map(line => line.discountedTotal));
  return {
    lines: totals,
    discounts: discounts.map(({ id }) => ({ id, amount: taken.get(id) ?? 0 })),
    subtotal,
    discountedSubtotal,
    shipping,
    discountedShipping,
    discount: subtotal - discountedSubtotal + (shipping - discountedShipping),
    total: discountedSubtotal + discountedShipping,
  };
}

function openLine({ id, price, quantity }: PricedLine): LineTotal {
  if (price < 0 || quantity < 0) throw new RangeError(`Line ${id}: price and quantity cannot be below 0.`);
  const total = times(price, quantity);
  return { id, total, discounts: [], discountedTotal: total };
}

function isOnShipping(discount: OrderDiscount): boolean {
  return discount.type === 'FREE_SHIPPING' || discount.targetType === 'SHIPPING_LINE';
}

function precedence(discount: OrderDiscount): number {
  if (discount.kind === 'CODE') return 2;
  if (discount.kind === 'BUNDLE') return -1;
  return discount.type === 'PERCENTAGE' ? 0 : 1;
}

function amountsOff(discount: OrderDiscount, entitled: readonly LineTotal[], lines: readonly PricedLine[]): number[] {
  const open = entitled.map(line => line.discountedTotal);
  if (discount.type === 'PERCENTAGE') return open.map(left => percentOff(left, discount.value));
  const value = Math.max(0, wholeMinor(discount.value));
  if (discount.type === 'FIXED_PRICE') return entitled.length === 0 ? [] : allocate(Math.max(0, sum(open) - value), open);
  if (discount.appliesOnEachItem) {
    const quantity = new Map(lines.map(line => [line.id, line.quantity]));
    return entitled.map(line => Math.min(line.discountedTotal, times(value, quantity.get(line.id) ?? 0)));
  }
  return entitled.length === 0 ? [] : allocate(Math.min(value, sum(open)), open);
}

function amountOffShipping(discount: OrderDiscount, left: number): number {
  if (discount.type === 'FREE_SHIPPING') return left;
  if (discount.type === 'PERCENTAGE') return percentOff(left, discount.value);
  return Math.min(left, Math.max(0, wholeMinor(discount.value)));
}

function percentOff(left: number, percent: number): number {
  return Math.min(left, Math.max(0, percentOf(left, percent)));
}
