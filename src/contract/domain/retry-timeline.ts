/** The course of a payment that keeps failing, in words: a preview of the recovery settings for merchants. */
import { daysBetween, inZone } from './calendar.ts';
import { planRetry } from './dunning.ts';
import type { DunningSettings, FinalAction } from './dunning-settings.ts';

export type TimelineStep = {
  kind: 'CHARGE' | 'RETRY' | 'FINAL';
  at: number;
  /** Local days since the first try. */
  day: number;
  /** "Day 3 · Sun, Jan 4, 9:00 AM" in the store's zone. */
  when: string;
  text: string;
};

const OUTCOME: Readonly<Record<FinalAction | 'NONE', string>> = {
  SKIP: 'the order is skipped and the subscription goes on with the next one',
  PAUSE: 'the subscription is paused',
  CANCEL: 'the subscription is cancelled',
  NONE: 'the order stays unpaid until you act',
};

/**
 * Every try of an order due at `startAt` (epoch ms) whose charge keeps failing with a soft decline, and what happens
 * after the last one. Retries that the settings would drop are not listed; the last step says how many and why.
 */
export function retryTimeline(
  settings: DunningSettings,
  startAt: number,
  zone: string,
  { billingHour = null, nextOrderAt = null, locale = 'en-US' }: { billingHour?: number | null; nextOrderAt?: number | null; locale?: string } = {},
): TimelineStep[] {
  const step = (kind: TimelineStep['kind'], at: number, text: string): TimelineStep => {
    const day = daysBetween(startAt, at, zone);
    const date = inZone(at, zone).setLocale(locale).toLocaleString({ weekday: 'short', month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' });
    return { kind, at, day, when: `Day ${day} · ${date}`, text };
  };
  const steps = [step('CHARGE', startAt, 'First try, on the order date')];
  let attemptAt = startAt;
  for (let retriesMade = 0; ; retriesMade += 1) {
    const plan = planRetry({ settings, category: 'card_declined', originalAt: startAt, attemptAt, retriesMade, nextOrderAt, zone, billingHour });
    if (plan.kind === 'RETRY') {
      steps.push(step('RETRY', plan.at, plan.isLast ? `Retry ${plan.retry}, the last one` : `Retry ${plan.retry}`));
      attemptAt = plan.at;
      continue;
    }
    if (plan.kind === 'FINAL') {
      const missing = settings.retryAttempts - retriesMade;
      const why = plan.reason === 'TIME_WINDOW' ? `would fall outside the ${settings.timeWindowDays} days allowed` : 'would reach the date of the next order';
      const note = missing > 0 && plan.reason !== 'HARD_DECLINE' ? ` ${missing === 1 ? '1 retry is' : `${missing} retries are`} left out: the next one ${why}.` : '';
      const after = retriesMade === 0 ? 'If the first try fails' : 'If that fails too';
      steps.push(step('FINAL', attemptAt, `${after}, ${OUTCOME[plan.action]}.${note}${successive(settings)}`));
    }
    return steps;
  }
}

function successive({ finalAction, successiveFailedCycles, successiveAction }: DunningSettings): string {
  if (finalAction !== 'SKIP' || successiveFailedCycles === null) return '';
  return ` After ${successiveFailedCycles} unpaid orders in a row, ${OUTCOME[successiveAction]}.`;
}
