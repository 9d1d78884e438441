// Pausing, resuming and reactivating as their forms have it: durations and days become instants, and what does not fit is refused.
import type { Interval, IntervalUnit } from '../../../domain/calendar/interval.ts';
import { stepDate } from '../../../domain/calendar/calendar.ts';
import { t } from '../../../domain/text/t.ts';
import { invalid, invalidState } from '../../platform/context.ts';
import type { Aggregate } from '../aggregate.ts';
import type { PendingCharge } from '../charging/place-order.ts';
import { atChosenTime, oneIntervalAfter } from '../schedule.ts';
import * as status from '../status.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import * as orders from './orders.ts';

/** How long a pause is, as the form of the action has it. */
export interface PauseInput {
  until?: 'INDEFINITE' | 'DURATION' | 'DATE';
  intervalCount?: number;
  intervalType?: IntervalUnit;
  resumeDateEpoch?: number;
  /** The duration or the day as the second generation of the call has them, which names no `until`. */
  pauseDuration?: { intervalType: IntervalUnit; intervalCount: number } | null;
}

/** Pauses for a duration, until a day, or until it is resumed. @throws Refusal 409, 422 */
export function pauseUntil(
  work: UnitOfWork,
  subscription: Aggregate,
  duration: Interval | null,
  resumeDateEpoch: number | undefined,
): void {
  const resumeAt = duration
    ? new Date(stepDate(work.at.getTime(), duration, 1, work.zone, work.settings.billingHour))
    : resumeDateEpoch === undefined
      ? null
      : atChosenTime(work, subscription, resumeDateEpoch);
  if (resumeAt) orders.refuseUnfitDate(work, resumeAt, duration ? '/intervalCount' : '/resumeDateEpoch');
  if (subscription.contract.status === 'PAUSED' && resumeAt?.getTime() === subscription.contract.resume_at?.getTime()) {
    if (resumeAt)
      throw invalid([{ pointer: '/resumeDateEpoch', rule: 'unchanged', message: t`It resumes on this day already. Choose another date.` }]);
    throw invalidState(t`This subscription is already paused.`);
  }
  status.pause(work, subscription, resumeAt);
}

/** Pauses as the form of the action says. */
export function pauseAsAsked(
  work: UnitOfWork,
  subscription: Aggregate,
  { until, intervalCount = 1, intervalType = 'MONTH', resumeDateEpoch, pauseDuration }: PauseInput,
): void {
  if (until === undefined) {
    const duration = pauseDuration ? { interval: pauseDuration.intervalType, intervalCount: pauseDuration.intervalCount } : null;
    return pauseUntil(work, subscription, duration, resumeDateEpoch);
  }
  if (until === 'DATE' && resumeDateEpoch === undefined)
    throw invalid([{ pointer: '/resumeDateEpoch', rule: 'required', message: t`Choose a date after today.` }]);
  pauseUntil(
    work,
    subscription,
    until === 'DURATION' ? { interval: intervalType, intervalCount } : null,
    until === 'DATE' ? resumeDateEpoch : undefined,
  );
}

/** The day that was chosen for the first order, else one interval from now. */
export function firstOrderAt(work: UnitOfWork, subscription: Aggregate, chosen: number | undefined): Date {
  if (chosen === undefined) return oneIntervalAfter(subscription, work.at, work.zone, work.settings.billingHour);
  const at = atChosenTime(work, subscription, chosen);
  orders.refuseUnfitDate(work, at, '/nextBillingDateEpoch');
  return at;
}

export interface ReactivateInput {
  nextBillingDateEpoch?: number;
  chargeAtOnce?: boolean;
  maxCycles?: number | null;
}

/** Active again, as long as nothing is charged. */
export function startAgain(work: UnitOfWork, subscription: Aggregate, { nextBillingDateEpoch, maxCycles }: ReactivateInput): void {
  const c = subscription.contract;
  status.dropCredits(work, subscription);
  const most = maxCycles === undefined ? c.max_cycles : maxCycles;
  if (maxCycles != null && c.min_cycles !== null && maxCycles <= c.min_cycles) {
    throw invalid([
      {
        pointer: '/maxCycles',
        rule: 'SELLING_PLAN_MAX_CYCLES_MUST_BE_GREATER_THAN_MIN_CYCLES',
        message: t`Maximum orders must be greater than minimum orders`,
      },
    ]);
  }
  if (most !== null && most <= c.completed_orders && c.prepaid_credits === 0) {
    throw invalid([
      {
        pointer: '/maxCycles',
        rule: most === c.max_cycles ? 'unchanged' : 'minimum',
        message: t`This subscription has had ${c.completed_orders} orders. Raise or clear the maximum before reactivating.`,
      },
    ]);
  }
  status.reactivate(work, subscription, firstOrderAt(work, subscription, nextBillingDateEpoch), most);
}

/** Reactivates as the form of the action says. */
export function reactivateAsAsked(work: UnitOfWork, subscription: Aggregate, input: ReactivateInput): PendingCharge | null {
  startAgain(work, subscription, input);
  return input.chargeAtOnce ? orders.chargeNow(work, subscription, { keepSchedule: false }) : null;
}
