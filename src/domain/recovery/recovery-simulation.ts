/** The course of a payment that keeps failing for one reason, worked out from the settings alone: the preview of the settings page. */
import type { FinalAction, DunningSettings } from './dunning-settings.ts';
import { failureMessage, notifyAt, planRetry, type FinalReason } from './dunning.ts';
import { failureCategory, type FailureKey } from './failure-codes.ts';

/** What the customer is written after a failed try, and when it goes out (epoch ms). */
export type CourseMessage = { kind: 'WILL_RETRY' | 'LAST_RETRY' | 'FAILED'; at: number };

/** A try and what it sends when it fails, or the end. `left`: retries of the settings that are not made, and why stands in `reason`. */
export type CourseStep =
  | { kind: 'CHARGE' | 'BACKUP'; at: number; message: CourseMessage | null }
  | { kind: 'RETRY' | 'STORE_SIDE_RETRY'; at: number; retry: number; isLast: boolean; message: CourseMessage | null }
  | { kind: 'FINAL'; at: number; action: FinalAction | 'NONE'; reason: FinalReason; left: number };

export type CourseOptions = {
  /** When the order is due, epoch ms. */
  startAt: number;
  zone: string;
  billingHour?: number | null;
  /** Date of the next scheduled order; null when there is none. */
  nextOrderAt?: number | null;
  /** Why every try fails. */
  category?: FailureKey;
  /** Whether the customer has a backup method that can be charged; it fails for the same reason. */
  hasBackup?: boolean;
  /** Orders just before this one that ended unpaid. */
  failedCyclesInARow?: number;
};

/**
 * Every try of an order that can't be charged, from the first to the end. It asks the same rule as the billing engine, in
 * the same way: the backup is charged once, right after the first try, and never for a fault of the store or a suspected
 * fraud. Out-of-stock refusals have no course.
 */
export function recoveryCourse(settings: DunningSettings, options: CourseOptions): CourseStep[] {
  const {
    startAt,
    zone,
    billingHour = null,
    nextOrderAt = null,
    category = 'card_declined',
    hasBackup = false,
    failedCyclesInARow = 0,
  } = options;
  const { kind, retry } = failureCategory(category);
  const steps: CourseStep[] = [{ kind: 'CHARGE', at: startAt, message: null }];
  if (settings.backupPaymentEnabled && hasBackup && kind !== 'STORE' && retry !== 'NEVER')
    steps.push({ kind: 'BACKUP', at: startAt, message: null });
  let attemptAt = startAt;
  let previousAttemptAt: number | null = null;
  let retriesMade = 0,
    storeSideRetriesMade = 0;
  for (;;) {
    const plan = planRetry({
      settings,
      category,
      originalAt: startAt,
      attemptAt,
      previousAttemptAt,
      retriesMade,
      storeSideRetriesMade,
      nextOrderAt,
      failedCyclesInARow,
      zone,
      billingHour,
    });
    const message = failureMessage(plan);
    const last = steps.at(-1);
    if (message && last && last.kind !== 'FINAL') last.message = { kind: message, at: notifyAt(settings, attemptAt, zone) };
    if (plan.kind === 'RETRY' || plan.kind === 'STORE_SIDE_RETRY') {
      steps.push({ kind: plan.kind, at: plan.at, retry: plan.retry, isLast: plan.isLast, message: null });
      if (plan.kind === 'RETRY') retriesMade = plan.retry;
      else storeSideRetriesMade = plan.retry;
      previousAttemptAt = attemptAt;
      attemptAt = plan.at;
      continue;
    }
    if (plan.kind === 'FINAL')
      steps.push({
        kind: 'FINAL',
        at: attemptAt,
        action: plan.action,
        reason: plan.reason,
        left: plan.reason === 'TIME_WINDOW' || plan.reason === 'NEXT_ORDER' ? settings.retryAttempts - retriesMade : 0,
      });
    return steps;
  }
}
