/** The settings of payment recovery: their ranges, their defaults and what is wrong with a set of them. */
import type { FieldError } from '../../contract/types.ts';
import { FAILURE_CATEGORIES, HARD_DECLINES, type FailureKey } from './failure-codes.ts';
import { frequencyLabel, shortestDays, type Interval } from '../calendar/interval.ts';
import { t } from '../text/t.ts';

export type FinalAction = 'SKIP' | 'PAUSE' | 'CANCEL';

export type DunningSettings = {
  /** Retries after the first failed charge; 0 means none (D249, D250). */
  retryAttempts: number;
  /** Days between tries: one number for all, or one for each retry (D251). */
  retrySpacingDays: number | readonly number[];
  /** Hour of the retries in the store's zone, or null for the billing hour. */
  retryHour: number | null;
  notifyCustomerOnRetry: boolean | readonly boolean[];
  notificationTiming: 'IMMEDIATE' | 'WINDOW';
  notificationWindow: { startHour: number; endHour: number };
  /** No retry later than this many days after the original date; null for no limit (D252). */
  timeWindowDays: number | null;
  /** What happens after the last failed try (D253). */
  finalAction: FinalAction;
  /** With finalAction SKIP: after this many unpaid cycles in a row `successiveAction` runs instead; null for never (D255). */
  successiveFailedCycles: number | null;
  successiveAction: 'PAUSE' | 'CANCEL';
  /** RETRY_AS_USUAL; NO_RETRY for the usual hard declines; CUSTOM for those of `hardDeclineReasons`. */
  hardDeclineBehavior: 'RETRY_AS_USUAL' | 'NO_RETRY' | 'CUSTOM';
  hardDeclineReasons: readonly FailureKey[];
  hardDeclineAction: FinalAction | 'NONE';
  backupPaymentEnabled: boolean;
  backupAutoConfigure: boolean;
  retryOnCardUpdate: boolean;
  /** A subscription is paused when its customer disputes a payment. */
  pauseOnDispute: boolean;
};

export const DUNNING_RANGES = {
  retryAttempts: { min: 0, max: 16 },
  retrySpacingDays: { min: 1, max: 15 },
  retryHour: { min: 0, max: 23 },
  timeWindowDays: { min: 2, max: 15 },
  successiveFailedCycles: { min: 2, max: 5 },
} as const;

export const DUNNING_DEFAULTS: DunningSettings = {
  retryAttempts: 4,
  retrySpacingDays: 3,
  retryHour: null,
  notifyCustomerOnRetry: true,
  notificationTiming: 'IMMEDIATE',
  notificationWindow: { startHour: 9, endHour: 18 },
  timeWindowDays: null,
  finalAction: 'SKIP',
  successiveFailedCycles: null,
  successiveAction: 'PAUSE',
  hardDeclineBehavior: 'RETRY_AS_USUAL',
  hardDeclineReasons: HARD_DECLINES,
  hardDeclineAction: 'NONE',
  backupPaymentEnabled: false,
  backupAutoConfigure: false,
  retryOnCardUpdate: true,
  pauseOnDispute: false,
};

/**
 * The settings as the page of the admin holds them: one line of waits is one number for all
 * retries; without retries the lines mean nothing.
 */
export function dunningFromPage(page: object): DunningSettings {
  const given = { ...DUNNING_DEFAULTS, ...page } as DunningSettings;
  const days = given.retrySpacingDays;
  return {
    ...given,
    retrySpacingDays: typeof days === 'number' ? days : given.retryAttempts === 0 || days.length === 1 ? (days[0] ?? 1) : days,
  };
}

/** Days from the try before to retry k (counted from 1); a list that is too short goes on with its last entry. */
export function spacingOf(settings: Pick<DunningSettings, 'retrySpacingDays'>, retry: number): number {
  const { retrySpacingDays: spacing } = settings;
  if (typeof spacing === 'number') return spacing;
  return spacing[retry - 1] ?? spacing.at(-1) ?? 1;
}

/** Whether a reason counts as a hard decline in this store. */
export function isHardDecline(
  settings: Pick<DunningSettings, 'hardDeclineBehavior' | 'hardDeclineReasons'>,
  category: FailureKey,
): boolean {
  return (settings.hardDeclineBehavior === 'CUSTOM' ? settings.hardDeclineReasons : HARD_DECLINES).includes(category);
}

/** Everything that is wrong with the settings, each with the JSON pointer of its field; empty when they are fine. */
export function checkDunningSettings(settings: DunningSettings): FieldError[] {
  const errors: FieldError[] = [];
  const range = (pointer: string, value: number, { min, max }: { min: number; max: number }, message: string) => {
    if (!Number.isInteger(value) || value < min || value > max) errors.push({ pointer, rule: 'INCLUSION', message });
  };
  range('/retryAttempts', settings.retryAttempts, DUNNING_RANGES.retryAttempts, t`Choose between 0 and 16 retries.`);
  if (typeof settings.retrySpacingDays === 'number') {
    range('/retrySpacingDays', settings.retrySpacingDays, DUNNING_RANGES.retrySpacingDays, t`Choose between 1 and 15 days.`);
  } else {
    settings.retrySpacingDays.forEach((days, index) => {
      range(`/retrySpacingDays/${index}`, days, DUNNING_RANGES.retrySpacingDays, t`Choose between 1 and 15 days.`);
    });
    if (settings.retrySpacingDays.length !== settings.retryAttempts) {
      errors.push({
        pointer: '/retrySpacingDays',
        rule: 'WRONG_LENGTH',
        message: t`Enter the days for every retry, or one number for all of them.`,
      });
    }
  }
  if (settings.retryHour !== null) range('/retryHour', settings.retryHour, DUNNING_RANGES.retryHour, t`Choose an hour between 0 and 23.`);
  if (settings.notificationTiming === 'WINDOW') {
    const { startHour, endHour } = settings.notificationWindow;
    range('/notificationWindow/startHour', startHour, DUNNING_RANGES.retryHour, t`Choose an hour between 0 and 23.`);
    range('/notificationWindow/endHour', endHour, DUNNING_RANGES.retryHour, t`Choose an hour between 0 and 23.`);
    if (endHour <= startHour)
      errors.push({ pointer: '/notificationWindow/endHour', rule: 'GREATER_THAN', message: t`The window must end after it starts.` });
  }
  if (settings.timeWindowDays !== null) {
    range('/timeWindowDays', settings.timeWindowDays, DUNNING_RANGES.timeWindowDays, t`Choose between 2 and 15 days, or no limit.`);
  }
  if (settings.finalAction === 'SKIP' && settings.successiveFailedCycles !== null) {
    range(
      '/successiveFailedCycles',
      settings.successiveFailedCycles,
      DUNNING_RANGES.successiveFailedCycles,
      t`Choose between 2 and 5 cycles.`,
    );
  }
  const known = new Set<string>(FAILURE_CATEGORIES.map(({ key }) => key));
  settings.hardDeclineReasons.forEach((reason, index) => {
    if (!known.has(reason))
      errors.push({ pointer: `/hardDeclineReasons/${index}`, rule: 'INCLUSION', message: t`"${reason}" is not a failure reason.` });
  });
  return errors;
}

/** A warning when the retries take longer than the shortest frequency of any active plan leaves time for; null otherwise. */
export function retryWarning(
  settings: Pick<DunningSettings, 'retryAttempts' | 'retrySpacingDays'>,
  shortestFrequency: Interval,
): string | null {
  let days = 0;
  for (let retry = 1; retry <= settings.retryAttempts; retry += 1) days += spacingOf(settings, retry);
  if (days < shortestDays(shortestFrequency)) return null;
  const often = frequencyLabel(shortestFrequency);
  return t`The last retry falls after your next order date. Retries take ${days} days, and your shortest plan orders ${often}.`;
}
