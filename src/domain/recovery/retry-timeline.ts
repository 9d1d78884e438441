/** The course of a payment that keeps failing, in words: a preview of the recovery settings for merchants. */
import { daysBetween, inZone } from '../calendar/calendar.ts';
import type { DunningSettings, FinalAction } from './dunning-settings.ts';
import type { FinalReason } from './dunning.ts';
import { recoveryCourse, type CourseMessage, type CourseOptions, type CourseStep } from './recovery-simulation.ts';
import { intlLocale, t } from '../text/t.ts';

export type TimelineStep = {
  kind: CourseStep['kind'];
  at: number;
  /** Local days since the first try. */
  day: number;
  /** "Day 3 · Sun, Jan 4, 9:00 AM" in the store's zone. */
  when: string;
  text: string;
  /** What the customer is written when this try fails; absent when nothing is. */
  message?: string;
};

/** What happens in the end, as the second half of a sentence. */
function outcome(action: FinalAction | 'NONE'): string {
  switch (action) {
    case 'SKIP':
      return t`the order is skipped and the subscription goes on with the next one`;
    case 'PAUSE':
      return t`the subscription is paused`;
    case 'CANCEL':
      return t`the subscription is cancelled`;
    case 'NONE':
      return t`the order stays unpaid until you act`;
  }
}

/**
 * Every try of an order due at `startAt` (epoch ms) whose charge keeps failing, with the customer's e-mails, and what happens after the
 * last one. Retries that the settings would drop are not listed; the last step says how many and why.
 */
export function retryTimeline(
  settings: DunningSettings,
  startAt: number,
  zone: string,
  { locale = intlLocale(), ...options }: Omit<CourseOptions, 'startAt' | 'zone'> & { locale?: string } = {},
): TimelineStep[] {
  const dated = (at: number): string =>
    inZone(at, zone)
      .setLocale(locale)
      .toLocaleString({ weekday: 'short', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' });
  const course = recoveryCourse(settings, { ...options, startAt, zone });
  return course.map((step, index) => {
    const day = daysBetween(startAt, step.at, zone);
    const message =
      'message' in step && step.message ? letter(step.message, course[index + 1]?.at ?? null, step.at, zone, locale, dated) : undefined;
    return {
      kind: step.kind,
      at: step.at,
      day,
      when: t`Day ${day} · ${dated(step.at)}`,
      text: words(step, settings, course.length),
      ...(message ? { message } : {}),
    };
  });
}

function words(step: CourseStep, settings: DunningSettings, length: number): string {
  switch (step.kind) {
    case 'CHARGE':
      return t`First try, on the order date`;
    case 'BACKUP':
      return t`The backup payment method, right after`;
    case 'RETRY':
      return step.isLast ? t`Retry ${step.retry}, the last one` : t`Retry ${step.retry}`;
    case 'STORE_SIDE_RETRY':
      return step.isLast ? t`Tried again, the customer is not told, the last time` : t`Tried again, the customer is not told`;
    default: {
      const ends =
        step.action === 'NONE' && (step.reason === 'NEVER_RETRIED' || step.reason === 'STORE_SIDE_USED_UP')
          ? t`billing ends and the order stays unpaid until you act`
          : outcome(step.action);
      return [
        length <= 2 ? t`If the first try fails, ${ends}.` : t`If that fails too, ${ends}.`,
        leftOut(step.left, step.reason, settings.timeWindowDays ?? 0),
        isBySettings(step.reason) ? successive(settings) : '',
      ]
        .filter(Boolean)
        .join(' ');
    }
  }
}

/** How many retries are not made, and why; empty where all are. */
function leftOut(left: number, reason: FinalReason, days: number): string {
  if (left === 0) return '';
  if (reason === 'TIME_WINDOW')
    return left === 1
      ? t`1 retry is left out: the next one would fall outside the ${days} days allowed.`
      : t`${left} retries are left out: the next one would fall outside the ${days} days allowed.`;
  return left === 1
    ? t`1 retry is left out: the next one would reach the date of the next order.`
    : t`${left} retries are left out: the next one would reach the date of the next order.`;
}

const isBySettings = (reason: Extract<CourseStep, { kind: 'FINAL' }>['reason']): boolean =>
  reason === 'RETRIES_USED_UP' || reason === 'TIME_WINDOW' || reason === 'NEXT_ORDER';

function successive({ finalAction, successiveFailedCycles, successiveAction }: DunningSettings): string {
  if (finalAction !== 'SKIP' || successiveFailedCycles === null) return '';
  const ends = outcome(successiveAction);
  return t`After ${successiveFailedCycles} unpaid orders in a row, ${ends}.`;
}

/** The e-mail after a failed try, with its own date where it waits for the morning. */
function letter(
  { kind, at }: CourseMessage,
  nextAt: number | null,
  triedAt: number,
  zone: string,
  locale: string,
  dated: (at: number) => string,
): string {
  const next =
    nextAt === null ? '' : inZone(nextAt, zone).setLocale(locale).toLocaleString({ weekday: 'short', month: 'short', day: 'numeric' });
  const what =
    kind === 'FAILED' ? t`the payment failed for good` : kind === 'LAST_RETRY' ? t`one last try on ${next}` : t`the next try is on ${next}`;
  return at > triedAt ? t`E-mail to the customer: ${what}. Sent on ${dated(at)}.` : t`E-mail to the customer: ${what}.`;
}
