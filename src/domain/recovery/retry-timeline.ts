/** The course of a payment that keeps failing, in words: a preview of the recovery settings for merchants. */
import { daysBetween, inZone } from '../calendar/calendar.ts';
import type { DunningSettings, FinalAction } from './dunning-settings.ts';
import { recoveryCourse, type CourseMessage, type CourseOptions, type CourseStep } from './recovery-simulation.ts';

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

const OUTCOME: Readonly<Record<FinalAction | 'NONE', string>> = {
  SKIP: 'the order is skipped and the subscription goes on with the next one',
  PAUSE: 'the subscription is paused',
  CANCEL: 'the subscription is cancelled',
  NONE: 'the order stays unpaid until you act',
};

/**
 * Every try of an order due at `startAt` (epoch ms) whose charge keeps failing, with the customer's e-mails, and what happens after the
 * last one. Retries that the settings would drop are not listed; the last step says how many and why.
 */
export function retryTimeline(
  settings: DunningSettings,
  startAt: number,
  zone: string,
  { locale = 'en-US', ...options }: Omit<CourseOptions, 'startAt' | 'zone'> & { locale?: string } = {},
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
      when: `Day ${day} · ${dated(step.at)}`,
      text: words(step, settings, course.length),
      ...(message ? { message } : {}),
    };
  });
}

function words(step: CourseStep, settings: DunningSettings, length: number): string {
  switch (step.kind) {
    case 'CHARGE':
      return 'First try, on the order date';
    case 'BACKUP':
      return 'The backup payment method, right after';
    case 'RETRY':
      return step.isLast ? `Retry ${step.retry}, the last one` : `Retry ${step.retry}`;
    case 'STORE_SIDE_RETRY':
      return `Tried again, the customer is not told${step.isLast ? ', the last time' : ''}`;
    default: {
      const why =
        step.reason === 'TIME_WINDOW'
          ? `would fall outside the ${settings.timeWindowDays} days allowed`
          : 'would reach the date of the next order';
      const left = step.left === 0 ? '' : ` ${step.left === 1 ? '1 retry is' : `${step.left} retries are`} left out: the next one ${why}.`;
      const ends =
        step.action === 'NONE' && (step.reason === 'NEVER_RETRIED' || step.reason === 'STORE_SIDE_USED_UP')
          ? 'billing ends and the order stays unpaid until you act'
          : OUTCOME[step.action];
      return (
        `${length <= 2 ? 'If the first try fails' : 'If that fails too'}, ` +
        `${ends}.${left}${isBySettings(step.reason) ? successive(settings) : ''}`
      );
    }
  }
}

const isBySettings = (reason: Extract<CourseStep, { kind: 'FINAL' }>['reason']): boolean =>
  reason === 'RETRIES_USED_UP' || reason === 'TIME_WINDOW' || reason === 'NEXT_ORDER';

function successive({ finalAction, successiveFailedCycles, successiveAction }: DunningSettings): string {
  if (finalAction !== 'SKIP' || successiveFailedCycles === null) return '';
  return ` After ${successiveFailedCycles} unpaid orders in a row, ${OUTCOME[successiveAction]}.`;
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
    kind === 'FAILED' ? 'the payment failed for good' : kind === 'LAST_RETRY' ? `one last try on ${next}` : `the next try is on ${next}`;
  return `E-mail to the customer: ${what}${at > triedAt ? `. Sent on ${dated(at)}` : ''}.`;
}
