/** Selling plan groups and plans as they are on the wire, and what follows from them: terms, prices, type, summary. */
import { anchorFor, anchorOf, type AnchorType } from '../calendar/anchor.ts';
import type { DeliveryTerms, PreAnchorBehavior } from '../schedule/first-delivery.ts';
import { multipleOf, type Interval, type IntervalUnit } from '../calendar/interval.ts';
import { formatMoney } from '../money/money.ts';
import { priceRule, ruleFor, ruleLabel, type CyclePrice, type PriceRule } from '../money/pricing.ts';
import { atStart, intlLocale, t } from '../text/t.ts';

export type PlanDiscountType = 'NONE' | 'PERCENTAGE' | 'FIXED_AMOUNT' | 'PRICE';
type Maybe<T> = T | null | undefined;

/** The fields of a selling plan (D022). Money values are decimal strings or numbers in the store's currency. */
export type SellingPlan = {
  lspId?: Maybe<number>;
  name: string;
  category?: Maybe<string>;
  description?: Maybe<string>;
  optionLabel: string;
  position?: Maybe<number>;
  isDefault?: Maybe<boolean>;
  recurringBillingPolicyInterval: IntervalUnit;
  recurringBillingPolicyIntervalCount: number;
  recurringBillingPolicyMinCycles?: Maybe<number>;
  recurringBillingPolicyMaxCycles?: Maybe<number>;
  recurringDeliveryPolicyInterval: IntervalUnit;
  recurringDeliveryPolicyIntervalCount: number;
  recurringDeliveryPolicyPreAnchorBehavior?: Maybe<PreAnchorBehavior>;
  recurringDeliveryPolicyCutOff?: Maybe<number>;
  /** Of a plan paid ahead: whether the pieces of all its deliveries are reserved with the order, or of each when it is sent. */
  inventoryReserve?: Maybe<'ON_SALE' | 'ON_FULFILLMENT'>;
  anchorType?: Maybe<AnchorType>;
  anchorDay?: Maybe<number>;
  anchorMonth?: Maybe<number>;
  fixedDiscountType: PlanDiscountType;
  fixedDiscountValue?: Maybe<number | string>;
  recurringDiscountType?: Maybe<PlanDiscountType>;
  recurringDiscountValue?: Maybe<number | string>;
  recurringDiscountAfterCycle?: Maybe<number>;
};

export type SellingPlanGroup = {
  lspgId?: Maybe<number>;
  name: string;
  merchantCode: string;
  optionLabel: string;
  description?: Maybe<string>;
  position?: Maybe<number>;
  sellingPlans: readonly SellingPlan[];
};

export type PlanType = 'STANDARD' | 'PREPAID' | 'GIFT';

export function billingInterval(plan: SellingPlan): Interval {
  return { interval: plan.recurringBillingPolicyInterval, intervalCount: plan.recurringBillingPolicyIntervalCount };
}

export function deliveryInterval(plan: SellingPlan): Interval {
  return { interval: plan.recurringDeliveryPolicyInterval, intervalCount: plan.recurringDeliveryPolicyIntervalCount };
}

/** How many deliveries one charge pays for: 1 unless the plan is prepaid, null when its frequencies do not fit. */
export function deliveriesPerCharge(plan: SellingPlan): number | null {
  return multipleOf(billingInterval(plan), deliveryInterval(plan));
}

/** The dates of a plan in the form that `firstDelivery` reads. */
export function termsOf(plan: SellingPlan): DeliveryTerms {
  const delivery = deliveryInterval(plan);
  return {
    billing: billingInterval(plan),
    delivery,
    anchor: anchorFor(anchorOf(plan), delivery.interval),
    preAnchorBehavior: plan.recurringDeliveryPolicyPreAnchorBehavior ?? 'ASAP',
    cutOffDays: plan.recurringDeliveryPolicyCutOff ?? 0,
  };
}

/** True when the plan has a second price, for the orders numbered above `recurringDiscountAfterCycle`. */
export function hasSecondPrice(plan: SellingPlan): boolean {
  if (!plan.recurringDiscountType) return false;
  // NONE means back to the full price; without an order number it is only the field's empty value.
  return plan.recurringDiscountType !== 'NONE' || Boolean(plan.recurringDiscountAfterCycle);
}

/** The one or two prices of a plan (never more), money in minor units. */
export function pricesOf(plan: SellingPlan, currency: string): CyclePrice[] {
  const prices: CyclePrice[] = [{ afterCycle: 0, rule: priceRule(plan.fixedDiscountType, plan.fixedDiscountValue, currency) }];
  if (plan.recurringDiscountType && hasSecondPrice(plan)) {
    prices.push({
      afterCycle: plan.recurringDiscountAfterCycle ?? 0,
      rule: priceRule(plan.recurringDiscountType, plan.recurringDiscountValue, currency),
    });
  }
  return prices;
}

/** Prepaid when one charge pays for several deliveries; a gift is prepaid and does not renew. */
export function planType(plan: SellingPlan): PlanType {
  if ((deliveriesPerCharge(plan) ?? 1) === 1) return 'STANDARD';
  return plan.recurringBillingPolicyMaxCycles === 1 ? 'GIFT' : 'PREPAID';
}

/** GIFT when all plans are gifts, PREPAID when any plan is paid ahead, else STANDARD. */
export function groupType({ sellingPlans }: Pick<SellingPlanGroup, 'sellingPlans'>): PlanType {
  const types = sellingPlans.map(planType);
  if (types.length > 0 && types.every(type => type === 'GIFT')) return 'GIFT';
  return types.some(type => type !== 'STANDARD') ? 'PREPAID' : 'STANDARD';
}

/** "1 delivery frequency, 10% discount", "3 delivery frequencies, 5–15% discount", "2 delivery frequencies, discounts differ". */
export function summary({ sellingPlans }: Pick<SellingPlanGroup, 'sellingPlans'>, currency: string, locale = intlLocale()): string {
  const count = new Set(sellingPlans.map(plan => `${plan.recurringDeliveryPolicyIntervalCount} ${plan.recurringDeliveryPolicyInterval}`))
    .size;
  const frequencies = count === 1 ? t`1 delivery frequency` : t`${count} delivery frequencies`;
  const rules = sellingPlans.flatMap(plan => pricesOf(plan, currency)).map(({ rule }) => rule);
  return [frequencies, discountRange(rules, currency, locale)].filter(Boolean).join(', ');
}

/** @param percents how a range of percentages is said */
function discountRange(
  rules: readonly PriceRule[],
  currency: string,
  locale: string,
  percents: (from: string, to: string) => string = (from, to) => (from === to ? t`${from}% discount` : t`${from}–${to}% discount`),
): string {
  const discounts = rules.filter(({ type }) => type !== 'NONE');
  const [first] = discounts;
  if (!first) return rules.length === 0 ? '' : t`no discount`;
  const values = discounts.map(({ value }) => value);
  const low = Math.min(...values);
  const high = Math.max(...values);
  if (discounts.some(({ type }) => type !== first.type)) return t`discounts differ`;
  if (first.type === 'PERCENTAGE') {
    const [from = '', to = ''] = [low, high].map(percent => percent.toLocaleString(locale, { maximumFractionDigits: 6 }));
    return percents(from, to);
  }
  const value =
    low === high ? formatMoney(low, currency, locale) : `${formatMoney(low, currency, locale)}–${formatMoney(high, currency, locale)}`;
  return first.type === 'PRICE' ? t`${value} each` : t`${value} off`;
}

const percentOff = (percent: string): string => t`${percent}% off`;

/** The discounts of plans in a few words: "10% off", "5–15% off", "Up to 5% off" where some plan has none. */
export function discountWords(plans: readonly SellingPlan[], currency: string, locale = intlLocale()): string {
  const rules = plans.flatMap(plan => pricesOf(plan, currency)).map(({ rule }) => rule);
  const labels = [...new Set(rules.map(rule => ruleLabel(rule, currency, locale)))];
  const [only = ''] = labels;
  if (labels.length <= 1) return atStart(only);
  const some = new Set(rules.filter(({ type }) => type !== 'NONE').map(rule => ruleLabel(rule, currency, locale)));
  if (some.size === 1) {
    const discount = [...some].join();
    return atStart(t`up to ${discount}`);
  }
  return atStart(discountRange(rules, currency, locale, (from, to) => (from === to ? percentOff(from) : t`${from}–${to}% off`)));
}

/** The rule for an order of the plan, and its words. */
export function discountOf(
  plan: SellingPlan,
  orderNumber: number,
  currency: string,
  locale = intlLocale(),
): { rule: PriceRule; label: string } {
  const rule = ruleFor(pricesOf(plan, currency), orderNumber);
  return { rule, label: ruleLabel(rule, currency, locale) };
}
