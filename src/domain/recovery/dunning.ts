/** What follows a failed charge: the next retry and its date, or the end of the recovery and what is done then. */
import { addDays, daysBetween, inZone } from '../calendar/calendar.ts';
import { isHardDecline, spacingOf, type DunningSettings, type FinalAction } from './dunning-settings.ts';
import { failureCategory, type FailureKey } from './failure-codes.ts';

/** Store-side failures are tried again daily, at most this often. */
export const STORE_SIDE_RETRIES = 3;
/** How long after a temporary error the same day's retry comes. */
const SAME_DAY_HOURS = 1;

export type FailedCharge = {
  settings: DunningSettings;
  category: FailureKey;
  /** When the order was due first, epoch ms. */
  originalAt: number;
  /** When the try failed; the moment of the backup's try when a backup method was asked as well (it is not a retry). */
  attemptAt: number;
  /** When the try before this one was made; null for the first. */
  previousAttemptAt?: number | null;
  /** Retries made so far, this one included if it was one; store-side retries are counted apart. */
  retriesMade: number;
  storeSideRetriesMade?: number;
  /** Date of the next scheduled order, or null when there is none. */
  nextOrderAt: number | null;
  /** Cycles just before this one that ended unpaid, one after the other. */
  failedCyclesInARow?: number;
  zone: string;
  billingHour: number | null;
};

export type FinalReason = 'RETRIES_USED_UP' | 'TIME_WINDOW' | 'NEXT_ORDER' | 'HARD_DECLINE' | 'NEVER_RETRIED' | 'STORE_SIDE_USED_UP';

/** RETRY counts against the customer's retries, STORE_SIDE_RETRY does not. NONE leaves order and subscription to the merchant. */
export type RetryPlan =
  | { kind: 'RETRY'; at: number; retry: number; isLast: boolean; notifyCustomer: boolean }
  | { kind: 'STORE_SIDE_RETRY'; at: number; retry: number; isLast: boolean }
  | { kind: 'FINAL'; action: FinalAction | 'NONE'; reason: FinalReason }
  | { kind: 'INVENTORY' }
  | { kind: 'PAID' };

/**
 * Decides what follows a failed charge. A retry comes the days of its spacing after the failed try, at the retry hour
 * (else the billing hour, else the same clock time) in the store's zone, weekday rules do not apply. It is dropped when
 * it would fall after the time window, or on the local day of the next order or later; then this failure is the last.
 * INVENTORY failures go by the stock rules, PAID means that the order is paid.
 */
export function planRetry(failed: FailedCharge): RetryPlan {
  const { settings } = failed;
  const category = failureCategory(failed.category);
  if (category.kind === 'PAID') return { kind: 'PAID' };
  if (category.kind === 'INVENTORY') return { kind: 'INVENTORY' };
  if (category.kind === 'STORE') return planStoreSideRetry(failed);
  if (category.retry === 'NEVER') return { kind: 'FINAL', action: settings.hardDeclineAction, reason: 'NEVER_RETRIED' };
  if (settings.hardDeclineBehavior !== 'RETRY_AS_USUAL' && isHardDecline(settings, failed.category)) {
    return { kind: 'FINAL', action: settings.hardDeclineAction, reason: 'HARD_DECLINE' };
  }
  const retry = failed.retriesMade + 1;
  if (retry > settings.retryAttempts) return final(failed, 'RETRIES_USED_UP');
  const at = (category.retry === 'SAME_DAY' ? sameDayRetry(failed) : null) ?? retryDate(failed, failed.attemptAt, retry);
  const dropped = reasonToDrop(failed, at);
  if (dropped) return final(failed, dropped);
  const isLast = retry === settings.retryAttempts || reasonToDrop(failed, retryDate(failed, at, retry + 1)) !== null;
  return { kind: 'RETRY', at, retry, isLast, notifyCustomer: notifies(settings, retry) };
}

/** Which message a failure sends the customer: more retries to come, one last retry to come, failed for good, or none. */
export function failureMessage(plan: RetryPlan): 'WILL_RETRY' | 'LAST_RETRY' | 'FAILED' | null {
  if (plan.kind === 'RETRY') return !plan.notifyCustomer ? null : plan.isLast ? 'LAST_RETRY' : 'WILL_RETRY';
  return plan.kind === 'FINAL' && plan.reason !== 'STORE_SIDE_USED_UP' ? 'FAILED' : null;
}

/** When the message about a failure goes out: at once, or outside the notification window at its next start (store's zone). */
export function notifyAt(
  settings: Pick<DunningSettings, 'notificationTiming' | 'notificationWindow'>,
  failedAt: number,
  zone: string,
): number {
  if (settings.notificationTiming === 'IMMEDIATE') return failedAt;
  const { startHour, endHour } = settings.notificationWindow;
  const { hour } = inZone(failedAt, zone);
  if (hour >= startHour && hour < endHour) return failedAt;
  return addDays(failedAt, hour < startHour ? 0 : 1, zone, startHour);
}

/**
 * Looked at before every try: GO charges, WAIT does nothing yet (a try is running, or the subscription is paused), STOP ends the recovery.
 */
export function mayTry(state: {
  isOrderPaid: boolean;
  contractStatus: 'ACTIVE' | 'PAUSED' | 'CANCELLED' | 'EXPIRED' | 'FAILED';
  isTryRunning: boolean;
}): 'GO' | 'WAIT' | 'STOP' {
  if (state.isOrderPaid || state.contractStatus === 'CANCELLED' || state.contractStatus === 'EXPIRED') return 'STOP';
  return state.isTryRunning || state.contractStatus === 'PAUSED' ? 'WAIT' : 'GO';
}

function retryDate({ settings, zone, billingHour }: FailedCharge, attemptAt: number, retry: number): number {
  return addDays(attemptAt, spacingOf(settings, retry), zone, settings.retryHour ?? billingHour);
}

/** An hour after a temporary error, once a day and only while the local day lasts. */
function sameDayRetry({ attemptAt, previousAttemptAt, zone }: FailedCharge): number | null {
  if (previousAttemptAt != null && daysBetween(previousAttemptAt, attemptAt, zone) === 0) return null;
  const at = attemptAt + SAME_DAY_HOURS * 3_600_000;
  return daysBetween(attemptAt, at, zone) === 0 ? at : null;
}

function reasonToDrop({ settings, originalAt, nextOrderAt, zone }: FailedCharge, at: number): 'TIME_WINDOW' | 'NEXT_ORDER' | null {
  if (settings.timeWindowDays !== null && daysBetween(originalAt, at, zone) > settings.timeWindowDays) return 'TIME_WINDOW';
  return nextOrderAt !== null && daysBetween(at, nextOrderAt, zone) <= 0 ? 'NEXT_ORDER' : null;
}

function planStoreSideRetry(failed: FailedCharge): RetryPlan {
  const retry = (failed.storeSideRetriesMade ?? 0) + 1;
  const at = addDays(failed.attemptAt, 1, failed.zone, failed.settings.retryHour ?? failed.billingHour);
  // The store is at fault, so the subscription of the customer is not paused or cancelled for it.
  if (retry > STORE_SIDE_RETRIES || reasonToDrop(failed, at)) return { kind: 'FINAL', action: 'NONE', reason: 'STORE_SIDE_USED_UP' };
  return { kind: 'STORE_SIDE_RETRY', at, retry, isLast: retry === STORE_SIDE_RETRIES };
}

function final({ settings, failedCyclesInARow = 0 }: FailedCharge, reason: FinalReason): RetryPlan {
  const limit = settings.finalAction === 'SKIP' ? settings.successiveFailedCycles : null;
  const isTooOften = limit !== null && failedCyclesInARow + 1 >= limit;
  return { kind: 'FINAL', action: isTooOften ? settings.successiveAction : settings.finalAction, reason };
}

function notifies({ notifyCustomerOnRetry }: DunningSettings, retry: number): boolean {
  if (typeof notifyCustomerOnRetry === 'boolean') return notifyCustomerOnRetry;
  return notifyCustomerOnRetry[retry - 1] ?? notifyCustomerOnRetry.at(-1) ?? true;
}
