// Changing how often a contract is charged and delivered, its day, and its minimum and maximum of orders.
import { ANCHOR_TYPE, type AnchorType } from '../../../domain/calendar/anchor.ts';
import { daysBetween } from '../../../domain/calendar/calendar.ts';
import { isTooLong, multipleOf, type Interval } from '../../../domain/calendar/interval.ts';
import type { FieldError, JsonObject } from '../../../contract/types.ts';
import { invalid, invalidState } from '../../platform/context.ts';
import type { Aggregate } from '../aggregate.ts';
import { findVariants, hasFrequency, plansOfVariants, policyOfPlan, scheduleOfPlan, type OfferedPlan } from './catalogue.ts';
import { refuseUnfitDate } from './orders.ts';
import { billingOf, countAnew, deliveryOf, nextPlanned, onChosenDay, sayEnded, syncSchedule, type Ended } from '../schedule.ts';
import { epoch } from '../status.ts';
import type { LineRow } from '../rows.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import { later, t, translated } from '../../../domain/text/t.ts';

export interface BillingPolicy extends Interval {
  minCycles?: number | null;
  maxCycles?: number | null;
  anchorType?: AnchorType | null;
  anchorDay?: number | null;
  anchorMonth?: number | null;
}
export interface BillingDetails {
  billingPolicy: BillingPolicy;
  deliveryPolicy?: Interval;
  nextBillingDateEpoch?: number;
  discountType?: 'OLD' | 'NEW';
}

const DAYS: Record<AnchorType, number> = { WEEKDAY: 7, MONTHDAY: 32, YEARDAY: 31 };

/** Everything that is wrong with a policy, with the texts of selling plans. */
export function policyErrors(billing: BillingPolicy, delivery: Interval): FieldError[] {
  const errors: FieldError[] = [];
  if (isTooLong(billing))
    errors.push({
      pointer: '/billingPolicy/intervalCount',
      rule: 'BILLING_POLICY_INTERVAL_TOO_LARGE',
      message: t`Enter a shorter frequency`,
    });
  if (isTooLong(delivery))
    errors.push({
      pointer: '/deliveryPolicy/intervalCount',
      rule: 'DELIVERY_POLICY_INTERVAL_TOO_LARGE',
      message: t`Enter a shorter frequency`,
    });
  if (multipleOf(billing, delivery) === null)
    errors.push({
      pointer: '/billingPolicy/intervalCount',
      rule: 'BILLING_CYCLE_MUST_BE_A_MULTIPLE_OF_DELIVERY_CYCLE',
      message: t`Billing frequency must be a multiple of the delivery frequency`,
    });
  if (billing.minCycles && billing.maxCycles && billing.maxCycles <= billing.minCycles)
    errors.push({
      pointer: '/billingPolicy/maxCycles',
      rule: 'SELLING_PLAN_MAX_CYCLES_MUST_BE_GREATER_THAN_MIN_CYCLES',
      message: t`Maximum orders must be greater than minimum orders`,
    });
  const { anchorType } = billing;
  if (anchorType) {
    if (ANCHOR_TYPE[delivery.interval] !== anchorType)
      errors.push({
        pointer: '/billingPolicy/anchorType',
        rule: 'SELLING_PLAN_ANCHORS_NOT_ALLOWED',
        message:
          delivery.interval === 'DAY'
            ? t`Specific day billing isn't available for daily deliveries`
            : t`This specific day doesn't fit the delivery frequency`,
      });
    if (!billing.anchorDay || billing.anchorDay < 1 || billing.anchorDay > DAYS[anchorType])
      errors.push({ pointer: '/billingPolicy/anchorDay', rule: 'INCLUSION', message: t`Choose a billing day` });
    if (anchorType === 'YEARDAY' && (!billing.anchorMonth || billing.anchorMonth < 1 || billing.anchorMonth > 12))
      errors.push({ pointer: '/billingPolicy/anchorMonth', rule: 'INCLUSION', message: t`Choose a month` });
  }
  return errors;
}

/** What events say of a subscription's schedule, before and after a change. */
const eventData = (subscription: Aggregate): JsonObject => {
  const c = subscription.contract;
  return {
    billingPolicy: {
      ...billingOf(c),
      minCycles: c.min_cycles,
      maxCycles: c.max_cycles,
      anchorType: c.anchor_type,
      anchorDay: c.anchor_day,
      anchorMonth: c.anchor_month,
    },
    deliveryPolicy: { ...deliveryOf(c) },
    nextBillingDateEpoch: c.next_billing_at ? epoch(c.next_billing_at) : null,
  };
};

const PAUSED = later`A paused subscription has no order to move. Leave the date out, or resume it and choose the date then.`;
/** Whether a date is the one that a subscription shows while it is paused. */
const isItsDay = (subscription: Aggregate, given: number, zone: string): boolean =>
  subscription.contract.next_billing_at !== null && daysBetween(given * 1000, subscription.contract.next_billing_at.getTime(), zone) === 0;

/**
 * The next order keeps its date unless one is given; all later ones are counted from it. Gives what was moved by itself and no longer is.
 * @throws Refusal 422 with everything that is wrong
 */
function changeFrequency(
  work: UnitOfWork,
  subscription: Aggregate,
  { billingPolicy: billing, deliveryPolicy, nextBillingDateEpoch }: BillingDetails,
): Ended {
  const delivery = deliveryPolicy ?? { interval: billing.interval, intervalCount: billing.intervalCount };
  const c = subscription.contract;
  // Of minimum and maximum the one that is left out stays, and is validated with the other.
  const isLimited = billing.minCycles !== undefined || billing.maxCycles !== undefined;
  const errors = policyErrors(
    isLimited
      ? {
          ...billing,
          minCycles: billing.minCycles === undefined ? c.min_cycles : billing.minCycles,
          maxCycles: billing.maxCycles === undefined ? c.max_cycles : billing.maxCycles,
        }
      : billing,
    delivery,
  );
  const maxCycles = billing.maxCycles === undefined ? c.max_cycles : billing.maxCycles;
  if (maxCycles !== null && maxCycles <= c.completed_orders)
    errors.push({
      pointer: '/billingPolicy/maxCycles',
      rule: 'minimum',
      message: t`This subscription has ${c.completed_orders} orders already. Enter a higher maximum, or cancel it.`,
    });
  if (nextBillingDateEpoch !== undefined && c.status !== 'ACTIVE' && !isItsDay(subscription, nextBillingDateEpoch, work.zone))
    errors.push({
      pointer: '/nextBillingDateEpoch',
      rule: 'state',
      message: c.status === 'PAUSED' ? translated(PAUSED) : t`This subscription has no order ahead. Leave the date out.`,
    });
  if (errors.length) throw invalid(errors);
  const next = nextPlanned(subscription, work.zone);
  c.billing_interval = billing.interval;
  c.billing_interval_count = billing.intervalCount;
  c.delivery_interval = delivery.interval;
  c.delivery_interval_count = delivery.intervalCount;
  if (billing.minCycles !== undefined) c.min_cycles = billing.minCycles;
  c.max_cycles = maxCycles;
  if (billing.anchorType !== undefined) {
    c.anchor_type = billing.anchorType;
    c.anchor_day = billing.anchorType ? (billing.anchorDay ?? null) : null;
    c.anchor_month = billing.anchorType === 'YEARDAY' ? (billing.anchorMonth ?? null) : null;
  } else if (c.anchor_type && ANCHOR_TYPE[delivery.interval] !== c.anchor_type) c.anchor_type = c.anchor_day = c.anchor_month = null;
  if (c.status === 'ACTIVE' && next) {
    const date =
      nextBillingDateEpoch === undefined
        ? new Date(next.billingAt)
        : onChosenDay(new Date(nextBillingDateEpoch * 1000), work.zone, work.settings.billingHour, new Date(next.billingAt));
    if (nextBillingDateEpoch !== undefined) refuseUnfitDate(work, date, '/nextBillingDateEpoch');
    return countAnew(subscription, date, next.cycle, work.zone);
  }
  return { skipped: [], moved: [] };
}

/** Changes the frequency. OLD keeps the prices, NEW takes those of the plan of each product that has the new frequency. */
export async function updateBillingDetails(work: UnitOfWork, subscription: Aggregate, details: BillingDetails): Promise<void> {
  const { discountType = 'OLD' } = details;
  const before = eventData(subscription);
  const ended = changeFrequency(work, subscription, details);
  await reprice(work, subscription, discountType);
  syncSchedule(subscription, work.zone);
  work.note(subscription, 'billing_policy_updated', { before, after: eventData(subscription), discountType, ...sayEnded(ended) });
}

/** What the prices of a contract follow; the prices themselves are worked out from it when it is written. */
const pricesBy = (subscription: Aggregate): string =>
  JSON.stringify(
    subscription.lines.map(line => [line.id, line.base_price, line.pricing_policy, line.price_is_manual, line.selling_plan_id]),
  );
const planNames = (lines: readonly LineRow[]): string[] => [
  ...new Set(lines.map(line => [line.selling_plan_group_name, line.selling_plan_name].filter(Boolean).join(': ') || 'No plan')),
];

/**
 * Puts a contract on a published selling plan: frequency, day, minimum and maximum of orders, and the prices of all recurring products are
 * those of the plan; prices by hand go. The next order keeps its date. @throws Refusal 422 where a product isn't sold with the plan, 409
 * where nothing would change
 */
export async function updateSellingPlan(
  work: UnitOfWork,
  subscription: Aggregate,
  { sellingPlanId }: { sellingPlanId: number },
): Promise<void> {
  const c = subscription.contract;
  const lines = subscription.lines.filter(line => !line.one_time_added);
  const offered = await plansOfVariants(
    work.context,
    await findVariants(work.context, { ids: lines.flatMap(line => line.variant_id ?? []) }),
  );
  const found = lines.map(line => ({
    line,
    plan: (offered.get(line.variant_id ?? 0) ?? []).find(({ plan }) => plan.lspId === sellingPlanId),
  }));
  const without = found.find(({ plan }) => !plan);
  const [first] = found;
  if (without || !first?.plan)
    throw invalid([
      {
        pointer: '/sellingPlanId',
        rule: 'PLAN_DOES_NOT_EXIST',
        message: without
          ? t`${without.line.product_title} is not sold with this plan. Choose a plan that all products share.`
          : t`This subscription is not sold with this plan. Choose a plan that all products share.`,
      },
    ]);
  const before = { ...eventData(subscription), plans: planNames(lines) };
  const { billing, delivery } = scheduleOfPlan(first.plan.plan);
  const rules = (): string => JSON.stringify([eventData(subscription), pricesBy(subscription)]);
  const was = rules();
  const ended = changeFrequency(work, subscription, { billingPolicy: billing, deliveryPolicy: delivery });
  for (const { line, plan } of found) if (plan) takePlan(work, subscription, line, plan);
  c.has_custom_plan = false;
  if (rules() === was) throw invalidState(t`This subscription follows this plan already.`);
  syncSchedule(subscription, work.zone);
  work.note(subscription, 'selling_plan_updated', {
    before,
    after: { ...eventData(subscription), plans: planNames(lines) },
    ...sayEnded(ended),
  });
}

/** A line by the prices of a plan; what was set by hand goes. */
function takePlan(work: UnitOfWork, subscription: Aggregate, line: LineRow, { groupId, groupName, plan }: OfferedPlan): void {
  Object.assign(line, {
    price_is_manual: false,
    pricing_policy: policyOfPlan(work.context.store, plan, subscription.contract.currency_code),
    selling_plan_id: plan.lspId,
    plan_group_id: groupId,
    selling_plan_name: plan.name,
    selling_plan_group_name: groupName,
  });
  line.price = line.base_price;
}

/** Sets the minimum and maximum of orders alone; dates and prices stay. `null` clears one, undefined leaves it. */
export function updateCycles(
  work: UnitOfWork,
  subscription: Aggregate,
  { minCycles, maxCycles }: { minCycles?: number | null; maxCycles?: number | null },
): void {
  const c = subscription.contract;
  const before = eventData(subscription);
  const min = minCycles === undefined ? c.min_cycles : minCycles;
  const max = maxCycles === undefined ? c.max_cycles : maxCycles;
  const errors = policyErrors({ ...billingOf(c), minCycles: min, maxCycles: max }, deliveryOf(c));
  if (max !== null && max <= c.completed_orders)
    errors.push({
      pointer: '/maxCycles',
      rule: 'minimum',
      message: t`This subscription has ${c.completed_orders} orders already. Enter a higher maximum, or cancel it.`,
    });
  if (errors.length) throw invalid(errors);
  if (min === c.min_cycles && max === c.max_cycles) return;
  c.min_cycles = min;
  c.max_cycles = max;
  syncSchedule(subscription, work.zone);
  work.note(subscription, 'billing_policy_updated', { before, after: eventData(subscription) });
}

/** Gives every product the discount of its plan again: that of the contract's frequency. Prices by hand go. */
export async function recalculateDiscounts(work: UnitOfWork, subscription: Aggregate): Promise<void> {
  const before = pricesBy(subscription);
  await reprice(work, subscription, 'NEW');
  if (pricesBy(subscription) !== before)
    work.note(subscription, 'discounts_recalculated', {
      lines: subscription.lines.filter(line => !line.one_time_added).map(line => ({ lineId: line.id, plan: line.selling_plan_name })),
    });
}

/**
 * NEW takes the plan of the new frequency for each recurring product; `has_custom_plan` says
 * whether any product is off its published plans.
 */
async function reprice(work: UnitOfWork, subscription: Aggregate, discountType: 'OLD' | 'NEW'): Promise<void> {
  const c = subscription.contract;
  const lines = subscription.lines.filter(line => !line.one_time_added);
  const variants = await findVariants(work.context, { ids: lines.flatMap(line => line.variant_id ?? []) });
  const offered = await plansOfVariants(work.context, variants);
  const fits = (variantId: number | null, groupId: number | null) => {
    const plans = (offered.get(variantId ?? 0) ?? []).filter(({ plan }) => hasFrequency(plan, billingOf(c), deliveryOf(c)));
    return plans.find(plan => plan.groupId === groupId) ?? plans[0];
  };
  if (discountType === 'NEW') {
    for (const line of lines) {
      const found = fits(line.variant_id, line.plan_group_id);
      if (!found)
        throw invalid([
          {
            pointer: '/discountType',
            rule: 'PLAN_DOES_NOT_EXIST',
            message: t`${line.product_title} has no selling plan with this frequency. Keep the present discount.`,
          },
        ]);
      takePlan(work, subscription, line, found);
    }
  }
  c.has_custom_plan = lines.some(line => line.price_is_manual || !fits(line.variant_id, line.plan_group_id));
}
