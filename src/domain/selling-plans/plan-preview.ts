/** A selling plan in plain words: what the customer sees on the product page, pays and gets, with the next dates. */
import { anchorLabel } from '../calendar/anchor.ts';
import { dateLabel, daysBetween } from '../calendar/calendar.ts';
import { firstDelivery } from '../schedule/first-delivery.ts';
import { frequencyLabel, intervalLabel } from '../calendar/interval.ts';
import { allocate, formatMoney } from '../money/money.ts';
import { chargePrice, ruleFor } from '../money/pricing.ts';
import { upcoming } from '../schedule/schedule.ts';
import { deliveriesPerCharge, discountOf, hasSecondPrice, planType, pricesOf, termsOf, type SellingPlan } from './selling-plan.ts';

export type PreviewRow = {
  /** Number of the delivery, the checkout order's is 1. */
  delivery: number;
  /** Number of the charge that pays for it. */
  orderNumber: number;
  at: number;
  date: string;
  /** Minor units charged on that day; 0 for a delivery that is already paid. */
  amount: number;
  amountText: string;
  isPaidAhead: boolean;
};

export type PlanPreview = {
  headline: string;
  /** "$21.60 every month", or for prepaid plans "$64.80 every 3 months, $21.60 per delivery". */
  price: string;
  firstOrder: string;
  thenOrders: string[];
  rows: PreviewRow[];
};

export type PreviewInput = {
  /** Price of one unit before the plan, minor units. */
  priceMinor: number;
  currency: string;
  /** Moment of the imagined order, epoch ms. */
  orderedAt: number;
  /** Time zone of the store. */
  zone: string;
  billingHour?: number | null;
  locale?: string;
  /** How many deliveries to list. */
  rowCount?: number;
};

/** Describes a plan that has no errors (`checkGroup`), by the same dates and prices that the orders will have. */
export function describePlan(plan: SellingPlan, input: PreviewInput): PlanPreview {
  const { priceMinor, currency, orderedAt, zone, billingHour = null, locale = 'en-US', rowCount = 6 } = input;
  const terms = termsOf(plan);
  const perCharge = deliveriesPerCharge(plan) ?? 1;
  const prices = pricesOf(plan, currency);
  const amountOf = (orderNumber: number) => chargePrice(priceMinor, ruleFor(prices, orderNumber), perCharge);
  const money = (minor: number) => formatMoney(minor, currency, locale);
  const date = (at: number) => dateLabel(at, zone, locale);
  const first = firstDelivery(orderedAt, terms, zone, billingHour);
  const type = planType(plan);
  const max = plan.recurringBillingPolicyMaxCycles ?? null;

  const rowOf = (delivery: number, orderNumber: number, at: number, isPaidAhead: boolean): PreviewRow => {
    const amount = isPaidAhead ? 0 : amountOf(orderNumber);
    return { delivery, orderNumber, at, date: date(at), amount, amountText: isPaidAhead ? 'Already paid' : money(amount), isPaidAhead };
  };
  const planned = upcoming(
    {
      zone,
      billingHour,
      baseAt: first.baseAt,
      baseCycle: first.baseCycle,
      nextCycle: 2,
      deliveryPolicy: terms.delivery,
      billingPolicy: terms.billing,
      anchor: terms.anchor,
      prepaidCreditsLeft: perCharge - 1,
      completedOrders: 1,
      maxCycles: max,
      chargeOffsetDays: 0,
      exceptions: new Map(),
    },
    { from: orderedAt, limit: Math.max(1, rowCount - 1), months: 1_200 },
  );
  const rows = [
    rowOf(1, 1, first.shipsAt, false),
    ...planned.map(order => rowOf(order.cycle, order.orderNumber, order.deliveryAt, order.isPrepaidDelivery)),
  ].slice(0, rowCount);

  return {
    headline: headline(plan, perCharge, type, currency, locale),
    price: priceText(amountOf(1), perCharge, type === 'GIFT' ? 'once' : frequencyLabel(terms.billing), money),
    firstOrder: firstOrder(money(amountOf(1)), first.shipsAt, daysBetween(orderedAt, first.shipsAt, zone), date, perCharge),
    thenOrders: thenOrders(),
    rows,
  };

  function thenOrders(): string[] {
    const on = terms.anchor ? ` ${anchorLabel(terms.anchor)}` : '';
    const lines: string[] = [];
    if (perCharge > 1)
      lines.push(
        `The other ${perCharge === 2 ? 'delivery is' : `${perCharge - 1} deliveries are`} already paid and ` +
          `${perCharge === 2 ? 'comes' : 'come'} ${frequencyLabel(terms.delivery)}${on}, from ${date(first.nextDeliveryAt)}.`,
      );
    if (max === 1) {
      lines.push('There are no further charges.');
    } else {
      lines.push(
        `Then ${money(amountOf(2))} ${frequencyLabel(terms.billing)}${perCharge > 1 ? '' : on}, from ${date(first.nextChargeAt)}.`,
      );
      const change = hasSecondPrice(plan) ? (plan.recurringDiscountAfterCycle ?? 0) + 1 : 0;
      if (change > 2)
        lines.push(`From order ${change} on, ${money(amountOf(change))} (${discountOf(plan, change, currency, locale).label}).`);
    }
    const min = plan.recurringBillingPolicyMinCycles ?? 0;
    if (min > 1) lines.push(`Customers can cancel after ${min} orders, the first one included.`);
    if (max !== null && max > 1) lines.push(`Ends by itself after ${max} orders, the first one included.`);
    return lines;
  }
}

function headline(plan: SellingPlan, perCharge: number, type: string, currency: string, locale: string): string {
  const { billing, delivery } = termsOf(plan);
  const { rule, label } = discountOf(plan, 1, currency, locale);
  const paid =
    perCharge === 1 ? '' : type === 'GIFT' ? `, paid once for ${perCharge} deliveries` : `, paid every ${intervalLabel(billing)}`;
  return `Delivered ${frequencyLabel(delivery)}${paid}${rule.type === 'NONE' ? '' : `, ${label}`}`;
}

function priceText(amount: number, perCharge: number, when: string, money: (minor: number) => string): string {
  if (perCharge === 1) return `${money(amount)} ${when}`;
  const parts = allocate(amount, Array<number>(perCharge).fill(1));
  const isEven = parts.every(part => part === parts[0]);
  return `${money(amount)} ${when}, ${isEven ? '' : 'about '}${money(parts.at(-1) ?? 0)} per delivery`;
}

function firstOrder(amount: string, shipsAt: number, daysAhead: number, date: (at: number) => string, perCharge: number): string {
  const ships = daysAhead === 0 ? 'ships at once' : `ships on ${date(shipsAt)}`;
  return perCharge === 1
    ? `Pays ${amount} at checkout and ${ships}.`
    : `Pays ${amount} at checkout for ${perCharge} deliveries; the first ${ships}.`;
}
