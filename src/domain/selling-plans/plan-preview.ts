/** A selling plan in plain words: what the customer sees on the product page, pays and gets, with the next dates. */
import { anchorLabel } from '../calendar/anchor.ts';
import { dateLabel, daysBetween } from '../calendar/calendar.ts';
import { firstDelivery } from '../schedule/first-delivery.ts';
import { frequencyLabel } from '../calendar/interval.ts';
import { allocate, formatMoney } from '../money/money.ts';
import { chargePrice, ruleFor } from '../money/pricing.ts';
import { upcoming } from '../schedule/schedule.ts';
import { deliveriesPerCharge, discountOf, hasSecondPrice, planType, pricesOf, termsOf, type SellingPlan } from './selling-plan.ts';
import { intlLocale, t } from '../text/t.ts';

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
  const { priceMinor, currency, orderedAt, zone, billingHour = null, locale = intlLocale(), rowCount = 6 } = input;
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
    return { delivery, orderNumber, at, date: date(at), amount, amountText: isPaidAhead ? t`Already paid` : money(amount), isPaidAhead };
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
    price: priceText(amountOf(1), perCharge, type === 'GIFT' ? t`once` : frequencyLabel(terms.billing), money),
    firstOrder: firstOrder(money(amountOf(1)), first.shipsAt, daysBetween(orderedAt, first.shipsAt, zone), date, perCharge),
    thenOrders: thenOrders(),
    rows,
  };

  function thenOrders(): string[] {
    const on = terms.anchor ? ` ${anchorLabel(terms.anchor)}` : '';
    const deliveries = `${frequencyLabel(terms.delivery)}${on}`;
    const lines: string[] = [];
    if (perCharge > 1)
      lines.push(
        perCharge === 2
          ? t`The other delivery is already paid and comes ${deliveries}, from ${date(first.nextDeliveryAt)}.`
          : t`The other ${perCharge - 1} deliveries are already paid and come ${deliveries}, from ${date(first.nextDeliveryAt)}.`,
      );
    if (max === 1) {
      lines.push(t`There are no further charges.`);
    } else {
      const charges = `${frequencyLabel(terms.billing)}${perCharge > 1 ? '' : on}`;
      const amount = money(amountOf(2));
      lines.push(t`Then ${amount} ${charges}, from ${date(first.nextChargeAt)}.`);
      const change = hasSecondPrice(plan) ? (plan.recurringDiscountAfterCycle ?? 0) + 1 : 0;
      if (change > 2) {
        const [price, { label }] = [money(amountOf(change)), discountOf(plan, change, currency, locale)];
        lines.push(t`From order ${change} on, ${price} (${label}).`);
      }
    }
    const min = plan.recurringBillingPolicyMinCycles ?? 0;
    if (min > 1) lines.push(t`Customers can cancel after ${min} orders, the first one included.`);
    if (max !== null && max > 1) lines.push(t`Ends by itself after ${max} orders, the first one included.`);
    return lines;
  }
}

function headline(plan: SellingPlan, perCharge: number, type: string, currency: string, locale: string): string {
  const { billing, delivery } = termsOf(plan);
  const { rule, label } = discountOf(plan, 1, currency, locale);
  const often = frequencyLabel(delivery);
  const what =
    perCharge === 1
      ? t`Delivered ${often}`
      : type === 'GIFT'
        ? t`Delivered ${often}, paid once for ${perCharge} deliveries`
        : t`Delivered ${often}, paid ${frequencyLabel(billing)}`;
  return rule.type === 'NONE' ? what : `${what}, ${label}`;
}

function priceText(amount: number, perCharge: number, when: string, money: (minor: number) => string): string {
  if (perCharge === 1) return `${money(amount)} ${when}`;
  const parts = allocate(amount, Array<number>(perCharge).fill(1));
  const [all, each] = [`${money(amount)} ${when}`, money(parts.at(-1) ?? 0)];
  return parts.every(part => part === parts[0]) ? t`${all}, ${each} per delivery` : t`${all}, about ${each} per delivery`;
}

function firstOrder(amount: string, shipsAt: number, daysAhead: number, date: (at: number) => string, perCharge: number): string {
  if (perCharge === 1)
    return daysAhead === 0
      ? t`Pays ${amount} at checkout and ships at once.`
      : t`Pays ${amount} at checkout and ships on ${date(shipsAt)}.`;
  return daysAhead === 0
    ? t`Pays ${amount} at checkout for ${perCharge} deliveries; the first ships at once.`
    : t`Pays ${amount} at checkout for ${perCharge} deliveries; the first ships on ${date(shipsAt)}.`;
}
