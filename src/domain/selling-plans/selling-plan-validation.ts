/** The rules for a selling plan group. Errors come all at once, in the order of the rules, with the platform's code as `rule`. */
import type { FieldError } from '../../contract/types.ts';
import { ANCHOR_TYPE, LAST_DAY } from '../calendar/anchor.ts';
import { INTERVAL_UNITS, isTooLong, multipleOf, shortestDays, type Interval, type IntervalUnit } from '../calendar/interval.ts';
import { toMinor } from '../money/money.ts';
import {
  billingInterval,
  deliveryInterval,
  hasSecondPrice,
  type PlanDiscountType,
  type SellingPlan,
  type SellingPlanGroup,
} from './selling-plan.ts';
import { t } from '../text/t.ts';

export const PLANS_MAX = 31;
export const CYCLES_MAX = 99;
export const DELIVERIES_PER_CHARGE_MAX = 53;

export type GroupCheck = {
  /** Currency of the store, for discounts in money. */
  currency: string;
  /** Merchant codes of the store's other groups. */
  takenMerchantCodes?: readonly string[];
  /** A draft needs its names only; publishing needs everything. */
  isDraft?: boolean;
};

type Report = (pointer: string, rule: string, message: string) => void;
type PlanRule = (plan: SellingPlan, report: Report, context: GroupCheck) => void;

/** Errors of a group, each with a JSON pointer such as `/sellingPlans/0/name`; empty when it may be saved. */
export function checkGroup(group: SellingPlanGroup, context: GroupCheck): FieldError[] {
  const errors: FieldError[] = [];
  const report: Report = (pointer, rule, message) => errors.push({ pointer, rule, message });
  const plans = group.sellingPlans;

  if (isBlank(group.name)) report('/name', 'BLANK', t`Enter a name`);
  if (isBlank(group.merchantCode)) report('/merchantCode', 'BLANK', t`Enter an internal name`);
  const code = fold(group.merchantCode);
  if (code && context.takenMerchantCodes?.some(taken => fold(taken) === code)) {
    report('/merchantCode', 'TAKEN', t`Another group already uses this internal name`);
  }
  if (!context.isDraft) {
    if (isBlank(group.optionLabel)) report('/optionLabel', 'BLANK', t`Enter a title for the frequency selector`);
    if (group.position != null && !isWholeFrom(group.position, 1))
      report('/position', 'GREATER_THAN', t`Priority must be a whole number above 0`);
    if (plans.length === 0) report('/sellingPlans', 'SELLING_PLAN_COUNT_LOWER_BOUND', t`Add at least one selling plan`);
    if (plans.length > PLANS_MAX)
      report('/sellingPlans', 'SELLING_PLAN_COUNT_UPPER_BOUND', t`A group can have at most ${PLANS_MAX} selling plans`);
    plans.forEach((plan, index) => {
      if (isBlank(plan.name)) report(`/sellingPlans/${index}/name`, 'BLANK', t`Enter a name`);
      if (isBlank(plan.optionLabel)) report(`/sellingPlans/${index}/optionLabel`, 'BLANK', t`Enter the choice that customers see`);
    });
    checkUnique(plans, report);
    for (const rule of PLAN_RULES) {
      plans.forEach((plan, index) =>
        rule(plan, (pointer, code, message) => report(`/sellingPlans/${index}${pointer}`, code, message), context),
      );
    }
  }
  checkLengths(group, report);
  return errors;
}

function checkUnique(plans: readonly SellingPlan[], report: Report): void {
  repeated(plans, plan => (plan.name ?? '').trim()).forEach(index => {
    report(`/sellingPlans/${index}/name`, 'SELLING_PLAN_DUPLICATE_NAME', t`Selling plan names must be unique`);
  });
  const labels = repeated(plans, plan => (plan.optionLabel ?? '').trim());
  const frequencies = repeated(plans, plan => JSON.stringify([billingInterval(plan), deliveryInterval(plan)]));
  const message = t`Each delivery option may appear only once`;
  plans.forEach((_, index) => {
    if (labels.has(index)) report(`/sellingPlans/${index}/optionLabel`, 'SELLING_PLAN_DUPLICATE_OPTIONS', message);
    if (frequencies.has(index))
      report(`/sellingPlans/${index}/recurringDeliveryPolicyIntervalCount`, 'SELLING_PLAN_DUPLICATE_OPTIONS', message);
  });
}

const PLAN_RULES: readonly PlanRule[] = [
  (plan, report) => {
    if (plan.category != null && plan.category !== 'SUBSCRIPTION')
      report('/category', 'INCLUSION', t`The category of a selling plan is always SUBSCRIPTION`);
  },
  (plan, report) => {
    checkFrequency('/recurringBillingPolicyInterval', billingInterval(plan), report);
    checkFrequency('/recurringDeliveryPolicyInterval', deliveryInterval(plan), report);
  },
  (plan, report) => {
    if (isTooLong(billingInterval(plan)))
      report('/recurringBillingPolicyIntervalCount', 'BILLING_POLICY_INTERVAL_TOO_LARGE', t`Enter a shorter frequency`);
    if (isTooLong(deliveryInterval(plan)))
      report('/recurringDeliveryPolicyIntervalCount', 'DELIVERY_POLICY_INTERVAL_TOO_LARGE', t`Enter a shorter frequency`);
  },
  (plan, report) => {
    if (!isUsable(billingInterval(plan)) || !isUsable(deliveryInterval(plan))) return;
    const deliveries = multipleOf(billingInterval(plan), deliveryInterval(plan));
    const pointer = '/recurringBillingPolicyIntervalCount';
    if (deliveries === null) {
      report(
        pointer,
        'SELLING_PLAN_BILLING_CYCLE_MUST_BE_A_MULTIPLE_OF_DELIVERY_CYCLE',
        t`Billing frequency must be a multiple of the delivery frequency`,
      );
    } else if (deliveries > DELIVERIES_PER_CHARGE_MAX) {
      report(pointer, 'LESS_THAN_OR_EQUAL_TO', t`One charge can pay for at most ${DELIVERIES_PER_CHARGE_MAX} deliveries`);
    }
  },
  checkCycles,
  checkAnchor,
  (plan, report) => {
    const delivery = deliveryInterval(plan);
    const cutOff = plan.recurringDeliveryPolicyCutOff;
    if (!plan.anchorType || cutOff == null || !isUsable(delivery)) return;
    const pointer = '/recurringDeliveryPolicyCutOff';
    if (!isWholeFrom(cutOff, 0)) report(pointer, 'NOT_A_NUMBER', t`Cut-off must be a whole number of days, 0 or more`);
    else if (cutOff >= shortestDays(delivery)) report(pointer, 'LESS_THAN', t`Cut-off must be shorter than the delivery frequency`);
  },
  (plan, report, { currency }) => {
    checkDiscount('/fixedDiscount', plan.fixedDiscountType, plan.fixedDiscountValue, currency, report);
    if (plan.recurringDiscountType && hasSecondPrice(plan)) {
      checkDiscount('/recurringDiscount', plan.recurringDiscountType, plan.recurringDiscountValue, currency, report);
    }
  },
  (plan, report) => {
    if (!hasSecondPrice(plan)) return;
    const after = plan.recurringDiscountAfterCycle;
    const max = plan.recurringBillingPolicyMaxCycles;
    const pointer = '/recurringDiscountAfterCycle';
    if (after == null || !isWholeFrom(after, 1) || after > CYCLES_MAX - 1)
      report(pointer, 'INCLUSION', t`Choose an order between 1 and ${CYCLES_MAX - 1}`);
    else if (max != null && after >= max) report(pointer, 'LESS_THAN', t`The second discount would never apply`);
  },
];

function anchorOfUnit(unit: IntervalUnit): string {
  if (unit === 'WEEK') return t`Choose a billing day of the week, as the delivery frequency is in weeks`;
  if (unit === 'MONTH') return t`Choose a billing day of the month, as the delivery frequency is in months`;
  return t`Choose a billing day of the year, as the delivery frequency is in years`;
}

function checkFrequency(field: string, { interval, intervalCount }: Interval, report: Report): void {
  if (!INTERVAL_UNITS.includes(interval)) report(field, 'INCLUSION', t`Choose days, weeks, months or years`);
  const message = t`Frequency must be a whole number above 0`;
  if (!Number.isInteger(intervalCount)) report(`${field}Count`, 'NOT_A_NUMBER', message);
  else if (intervalCount < 1) report(`${field}Count`, 'GREATER_THAN', message);
}

function checkCycles(plan: SellingPlan, report: Report): void {
  const min = plan.recurringBillingPolicyMinCycles;
  const max = plan.recurringBillingPolicyMaxCycles;
  const isCycles = (value: number) => isWholeFrom(value, 1) && value <= CYCLES_MAX;
  if (min != null && !isCycles(min)) report('/recurringBillingPolicyMinCycles', 'INCLUSION', t`Choose between 1 and ${CYCLES_MAX} orders`);
  if (max != null && !isCycles(max))
    report('/recurringBillingPolicyMaxCycles', 'INCLUSION', t`Choose between 1 and ${CYCLES_MAX} orders, or unlimited`);
  if (min != null && max != null && max <= min) {
    report(
      '/recurringBillingPolicyMaxCycles',
      'SELLING_PLAN_MAX_CYCLES_MUST_BE_GREATER_THAN_MIN_CYCLES',
      t`Maximum orders must be greater than minimum orders`,
    );
  }
}

function checkAnchor(plan: SellingPlan, report: Report): void {
  const { anchorType, anchorDay, anchorMonth } = plan;
  if (!anchorType) return;
  const suited = ANCHOR_TYPE[plan.recurringDeliveryPolicyInterval];
  if (plan.recurringDeliveryPolicyInterval === 'DAY') {
    report('/anchorType', 'SELLING_PLAN_ANCHORS_NOT_ALLOWED', t`Specific day billing isn't available for daily deliveries`);
  } else if (suited && anchorType !== suited) {
    report('/anchorType', 'INCLUSION', anchorOfUnit(plan.recurringDeliveryPolicyInterval));
  } else {
    const last = anchorType === 'WEEKDAY' ? 7 : anchorType === 'MONTHDAY' ? LAST_DAY : 31;
    if (anchorDay == null || !isWholeFrom(anchorDay, 1) || anchorDay > last) report('/anchorDay', 'INCLUSION', t`Choose a billing day`);
    if (anchorType === 'YEARDAY' && (anchorMonth == null || !isWholeFrom(anchorMonth, 1) || anchorMonth > 12)) {
      report('/anchorMonth', 'INCLUSION', t`Choose a billing month`);
    }
  }
}

function checkDiscount(
  field: string,
  type: PlanDiscountType,
  value: number | string | null | undefined,
  currency: string,
  report: Report,
): void {
  const pointer = `${field}Value`;
  const text = String(value ?? '').trim();
  if (type === 'NONE') return;
  if (type === 'PERCENTAGE') {
    const percent = Number(text);
    if (text === '' || !Number.isFinite(percent))
      report(pointer, text === '' ? 'BLANK' : 'PRICING_POLICY_ADJUSTMENT_VALUE_AND_TYPE_MUST_MATCH', t`Enter a percentage above 0.`);
    else if (percent <= 0) report(pointer, 'GREATER_THAN', t`Enter a percentage above 0.`);
    else if (percent > 100) report(pointer, 'LESS_THAN_OR_EQUAL_TO', t`Enter a percentage of 100 or less.`);
  } else if (type === 'FIXED_AMOUNT' || type === 'PRICE') {
    const least = type === 'PRICE' ? t`Enter a price of 0 or more.` : t`Enter a discount above 0.`;
    const minor = text === '' ? null : readMoney(text, currency);
    if (minor === null) report(pointer, 'BLANK', least);
    else if (typeof minor === 'string') report(pointer, 'PRICING_POLICY_ADJUSTMENT_VALUE_AND_TYPE_MUST_MATCH', minor);
    else if (type === 'PRICE' && minor < 0) report(pointer, 'GREATER_THAN_OR_EQUAL_TO', least);
    else if (type === 'FIXED_AMOUNT' && minor <= 0) report(pointer, 'GREATER_THAN', least);
  } else {
    report(`${field}Type`, 'INCLUSION', t`Choose no discount, a percentage, an amount off or a price`);
  }
}

function checkLengths(group: SellingPlanGroup, report: Report): void {
  const check = (pointer: string, label: string, text: string | null | undefined, longest: number) => {
    if ([...(text ?? '')].length > longest) report(pointer, 'TOO_LONG', t`${label} must be ${longest} characters or fewer`);
  };
  check('/name', t`Name`, group.name, 100);
  check('/merchantCode', t`Internal name`, group.merchantCode, 100);
  check('/optionLabel', t`Selector title`, group.optionLabel, 100);
  check('/description', t`Description`, group.description, 255);
  group.sellingPlans.forEach((plan, index) => {
    check(`/sellingPlans/${index}/name`, t`Name`, plan.name, 255);
    check(`/sellingPlans/${index}/optionLabel`, t`Choice`, plan.optionLabel, 255);
    check(`/sellingPlans/${index}/description`, t`Description`, plan.description, 500);
  });
}

function readMoney(text: string, currency: string): number | string {
  try {
    return toMinor(text, currency);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Places of the values that were there before, blank values aside. */
function repeated<T>(items: readonly T[], keyOf: (item: T) => string): Set<number> {
  const seen = new Set<string>();
  const places = new Set<number>();
  items.forEach((item, index) => {
    const key = keyOf(item);
    if (key !== '' && seen.has(key)) places.add(index);
    seen.add(key);
  });
  return places;
}

function isBlank(text: string | null | undefined): boolean {
  return !text || text.trim() === '';
}

function fold(text: string | null | undefined): string {
  return (text ?? '').trim().toLowerCase();
}

function isWholeFrom(value: number, least: number): boolean {
  return Number.isInteger(value) && value >= least;
}

function isUsable({ interval, intervalCount }: Interval): boolean {
  return INTERVAL_UNITS.includes(interval) && isWholeFrom(intervalCount, 1);
}
