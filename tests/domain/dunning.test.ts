import settingsSchema from '../../schemas/settings/paymentRecovery.json' with { type: 'json' };
import { describe, expect, it } from 'vitest';
import { failureMessage, mayTry, notifyAt, planRetry, type FailedCharge } from '../../src/domain/recovery/dunning.ts';
import {
  checkDunningSettings,
  DUNNING_DEFAULTS,
  isHardDecline,
  retryWarning,
  spacingOf,
  type DunningSettings,
} from '../../src/domain/recovery/dunning-settings.ts';
import { retryTimeline } from '../../src/domain/recovery/retry-timeline.ts';
import { at, local } from './support.ts';

const ZONE = 'Europe/Paris';
const FIRST = at('2026-01-01T09:00', ZONE);

type Changes = Partial<Omit<FailedCharge, 'settings'>> & { settings?: Partial<DunningSettings> };
function plan({ settings, ...changes }: Changes = {}) {
  return planRetry({
    settings: { ...DUNNING_DEFAULTS, retryAttempts: 3, ...settings },
    category: 'card_declined',
    originalAt: FIRST,
    attemptAt: FIRST,
    retriesMade: 0,
    nextOrderAt: null,
    zone: ZONE,
    billingHour: 9,
    ...changes,
  });
}
/** Every retry of a charge that keeps failing, and the end. */
function course(changes: Changes = {}) {
  const steps: string[] = [];
  let attemptAt = FIRST;
  for (let retriesMade = 0; ; retriesMade += 1) {
    const next = plan({ ...changes, attemptAt, retriesMade });
    const message = failureMessage(next);
    if (next.kind !== 'RETRY') return [...steps, next.kind === 'FINAL' ? `${next.action} ${next.reason} ${message}` : next.kind];
    steps.push(`${local(next.at, ZONE)} ${message}`);
    attemptAt = next.at;
  }
}

describe('the schedule of retries', () => {
  it('places 3 retries 3 days apart: 1st, then 4th, 7th, 10th, then the final action', () => {
    expect(course()).toEqual([
      '2026-01-04 09:00 WILL_RETRY',
      '2026-01-07 09:00 WILL_RETRY',
      '2026-01-10 09:00 LAST_RETRY',
      'SKIP RETRIES_USED_UP FAILED',
    ]);
  });

  it('D249 runs from 0 to 16 retries', () => {
    expect(course({ settings: { retryAttempts: 0 } })).toEqual(['SKIP RETRIES_USED_UP FAILED']);
    expect(course({ settings: { retryAttempts: 16 } })).toHaveLength(17);
  });

  it('takes the days of each retry from a list, the last entry for the rest', () => {
    expect(
      course({ settings: { retrySpacingDays: [1, 2, 15] } })
        .slice(0, 3)
        .map(text => text.slice(0, 10)),
    ).toEqual(['2026-01-02', '2026-01-04', '2026-01-19']);
    expect([1, 2, 3].map(retry => spacingOf({ retrySpacingDays: [1, 4] }, retry))).toEqual([1, 4, 4]);
  });

  it('counts from the try that failed, at the retry hour, else the billing hour, else the same clock time', () => {
    const attemptAt = at('2026-03-27T15:40', ZONE);
    const when = (changes: Changes) => {
      const next = plan({ attemptAt, ...changes });
      return next.kind === 'RETRY' ? local(next.at, ZONE) : next.kind;
    };
    expect(when({ settings: { retryHour: 20 } })).toBe('2026-03-30 20:00');
    expect(when({})).toBe('2026-03-30 09:00');
    expect(when({ billingHour: null })).toBe('2026-03-30 15:40');
  });

  it('D252 drops retries later than the time window, and the failure before them is the last', () => {
    expect(course({ settings: { timeWindowDays: 6 } })).toEqual([
      '2026-01-04 09:00 WILL_RETRY',
      '2026-01-07 09:00 LAST_RETRY',
      'SKIP TIME_WINDOW FAILED',
    ]);
    expect(course({ settings: { timeWindowDays: 2 } })).toEqual(['SKIP TIME_WINDOW FAILED']);
    expect(course({ settings: { timeWindowDays: null } })).toHaveLength(4);
  });

  it('stops one day before the next order', () => {
    expect(course({ nextOrderAt: at('2026-01-08T09:00', ZONE) }).map(text => text.slice(0, 10))).toEqual([
      '2026-01-04',
      '2026-01-07',
      'SKIP NEXT_',
    ]);
    expect(course({ nextOrderAt: at('2026-01-07T23:00', ZONE) })).toEqual(['2026-01-04 09:00 LAST_RETRY', 'SKIP NEXT_ORDER FAILED']);
    expect(course({ nextOrderAt: at('2026-01-02T09:00', ZONE) })).toEqual(['SKIP NEXT_ORDER FAILED']);
  });

  it('D253 ends with skip, pause or cancel', () => {
    for (const finalAction of ['SKIP', 'PAUSE', 'CANCEL'] as const)
      expect(course({ settings: { finalAction } }).at(-1)).toBe(`${finalAction} RETRIES_USED_UP FAILED`);
  });

  it('D254 D255 pauses or cancels instead of skipping after 2 to 5 unpaid cycles in a row', () => {
    const settings = { retryAttempts: 0, successiveFailedCycles: 3, successiveAction: 'CANCEL' } as const;
    expect(plan({ settings, failedCyclesInARow: 1 })).toMatchObject({ action: 'SKIP' });
    expect(plan({ settings, failedCyclesInARow: 2 })).toMatchObject({ action: 'CANCEL' });
    expect(plan({ settings: { ...settings, successiveAction: 'PAUSE' }, failedCyclesInARow: 7 })).toMatchObject({ action: 'PAUSE' });
    expect(plan({ settings: { ...settings, finalAction: 'PAUSE' }, failedCyclesInARow: 7 })).toMatchObject({ action: 'PAUSE' });
    expect(plan({ settings: { ...settings, successiveFailedCycles: null }, failedCyclesInARow: 7 })).toMatchObject({ action: 'SKIP' });
  });
});

describe('by the reason of the failure', () => {
  it('retries hard declines as usual by default', () => {
    expect(plan({ category: 'card_expired' })).toMatchObject({ kind: 'RETRY', retry: 1 });
  });

  it('runs the hard-decline action at once when hard declines are not retried', () => {
    const settings = { hardDeclineBehavior: 'NO_RETRY', hardDeclineAction: 'PAUSE' } as const;
    expect(plan({ category: 'card_expired', settings })).toEqual({ kind: 'FINAL', action: 'PAUSE', reason: 'HARD_DECLINE' });
    expect(plan({ category: 'insufficient_funds', settings })).toMatchObject({ kind: 'RETRY' });
    expect(plan({ category: 'card_expired', settings: { hardDeclineBehavior: 'NO_RETRY' } })).toMatchObject({ action: 'NONE' });
  });

  it("goes by the store's own list when it has one", () => {
    const settings = { hardDeclineBehavior: 'CUSTOM', hardDeclineReasons: ['insufficient_funds'], hardDeclineAction: 'CANCEL' } as const;
    expect(plan({ category: 'insufficient_funds', settings })).toMatchObject({ kind: 'FINAL', action: 'CANCEL' });
    expect(plan({ category: 'card_expired', settings })).toMatchObject({ kind: 'RETRY' });
    expect(isHardDecline({ ...DUNNING_DEFAULTS, ...settings }, 'card_expired')).toBe(false);
    expect(isHardDecline(DUNNING_DEFAULTS, 'card_expired')).toBe(true);
  });

  it('never retries suspected fraud by itself', () => {
    expect(plan({ category: 'fraud_suspected' })).toEqual({ kind: 'FINAL', action: 'NONE', reason: 'NEVER_RETRIED' });
  });

  it('retries a temporary error an hour later, once a day and not past midnight', () => {
    const when = (changes: Changes) => {
      const next = plan({ category: 'transient', ...changes });
      return next.kind === 'RETRY' ? local(next.at, ZONE) : next.kind;
    };
    expect(when({})).toBe('2026-01-01 10:00');
    expect(when({ attemptAt: at('2026-01-01T10:00', ZONE), previousAttemptAt: FIRST, retriesMade: 1 })).toBe('2026-01-04 09:00');
    expect(when({ attemptAt: at('2026-01-01T23:30', ZONE) })).toBe('2026-01-04 09:00');
    expect(when({ settings: { retryAttempts: 0 } })).toBe('FINAL');
  });

  it('tries store-side failures daily, three times, without a message to the customer and without an action', () => {
    const first = plan({ category: 'amount_too_small' });
    expect(first).toEqual({ kind: 'STORE_SIDE_RETRY', at: at('2026-01-02T09:00', ZONE), retry: 1, isLast: false });
    expect(failureMessage(first)).toBeNull();
    expect(plan({ category: 'amount_too_small', storeSideRetriesMade: 2 })).toMatchObject({ retry: 3, isLast: true });
    const end = plan({ category: 'amount_too_small', storeSideRetriesMade: 3, settings: { finalAction: 'CANCEL' } });
    expect(end).toEqual({ kind: 'FINAL', action: 'NONE', reason: 'STORE_SIDE_USED_UP' });
    expect(failureMessage(end)).toBeNull();
    expect(plan({ category: 'amount_too_small', nextOrderAt: at('2026-01-02T09:00', ZONE) })).toMatchObject({
      kind: 'FINAL',
      action: 'NONE',
    });
    // They do not use up the customer's retries either.
    expect(plan({ category: 'card_declined', storeSideRetriesMade: 3, retriesMade: 0 })).toMatchObject({ kind: 'RETRY', retry: 1 });
  });

  it('leaves stock to the stock rules and takes an order paid before as paid', () => {
    expect(plan({ category: 'out_of_stock' })).toEqual({ kind: 'INVENTORY' });
    expect(failureMessage(plan({ category: 'no_inventory_location' }))).toBeNull();
    expect(plan({ category: 'already_paid' })).toEqual({ kind: 'PAID' });
  });
});

describe('messages', () => {
  it('are sent for the retries that the settings name', () => {
    const notifyCustomerOnRetry = [false, true];
    expect(plan({ settings: { notifyCustomerOnRetry } })).toMatchObject({ notifyCustomer: false });
    expect(failureMessage(plan({ settings: { notifyCustomerOnRetry } }))).toBeNull();
    expect(plan({ settings: { notifyCustomerOnRetry }, retriesMade: 2 })).toMatchObject({ notifyCustomer: true });
  });

  it('wait for the next start of the notification window', () => {
    const settings = { notificationTiming: 'WINDOW', notificationWindow: { startHour: 9, endHour: 18 } } as const;
    const when = (text: string) => local(notifyAt(settings, at(text, ZONE), ZONE), ZONE);
    expect(when('2026-01-01T07:30')).toBe('2026-01-01 09:00');
    expect(when('2026-01-01T12:30')).toBe('2026-01-01 12:30');
    expect(when('2026-01-01T18:00')).toBe('2026-01-02 09:00');
    expect(notifyAt({ ...settings, notificationTiming: 'IMMEDIATE' }, FIRST - 1, ZONE)).toBe(FIRST - 1);
  });
});

it('looks before each try whether it may still be made', () => {
  const open = { isOrderPaid: false, contractStatus: 'ACTIVE', isTryRunning: false } as const;
  expect(mayTry(open)).toBe('GO');
  expect(mayTry({ ...open, contractStatus: 'FAILED' })).toBe('GO');
  expect(mayTry({ ...open, isTryRunning: true })).toBe('WAIT');
  expect(mayTry({ ...open, contractStatus: 'PAUSED' })).toBe('WAIT');
  expect(mayTry({ ...open, isOrderPaid: true })).toBe('STOP');
  expect(mayTry({ ...open, contractStatus: 'CANCELLED', isTryRunning: true })).toBe('STOP');
  expect(mayTry({ ...open, contractStatus: 'EXPIRED' })).toBe('STOP');
});

const wrong = (changes: Partial<DunningSettings>) =>
  checkDunningSettings({ ...DUNNING_DEFAULTS, ...changes }).map(({ pointer, message }) => `${pointer} ${message}`);

describe('settings', () => {
  it('are fine as they come', () => {
    expect(wrong({})).toEqual([]);
  });
  it('D249 D250 retries run from 0, shown as "Don\'t retry", to 16', () => {
    expect([wrong({ retryAttempts: 0 }), wrong({ retryAttempts: 16 })]).toEqual([[], []]);
    expect(wrong({ retryAttempts: 17 })).toEqual(['/retryAttempts Choose between 0 and 16 retries.']);
    expect(wrong({ retryAttempts: -1 })).toHaveLength(1);
    const { oneOf } = settingsSchema.properties.retryAttempts;
    expect(oneOf.map(choice => choice.const)).toEqual(Array.from({ length: 17 }, (_, retries) => retries));
    expect([0, 1, 4].map(retries => oneOf[retries]!.title)).toEqual(["Don't retry", '1 retry', '4 retries']);
  });
  it('D251 spacing runs from 1 to 15 days', () => {
    expect([wrong({ retrySpacingDays: 1 }), wrong({ retrySpacingDays: 15 })]).toEqual([[], []]);
    expect(wrong({ retrySpacingDays: 16 })).toEqual(['/retrySpacingDays Choose between 1 and 15 days.']);
    expect(wrong({ retrySpacingDays: [1, 0, 3, 3] })).toEqual(['/retrySpacingDays/1 Choose between 1 and 15 days.']);
    expect(wrong({ retrySpacingDays: [1, 2] })).toEqual([
      '/retrySpacingDays Enter the days for every retry, or one number for all of them.',
    ]);
  });
  it('D252 the time window is no limit or 2 to 15 days', () => {
    expect([null, 2, 15].flatMap(timeWindowDays => wrong({ timeWindowDays }))).toEqual([]);
    expect([1, 16].flatMap(timeWindowDays => wrong({ timeWindowDays }))).toHaveLength(2);
  });
  it('D255 failed cycles in a row run from 2 to 5', () => {
    expect([2, 5].flatMap(successiveFailedCycles => wrong({ successiveFailedCycles }))).toEqual([]);
    expect([1, 6].flatMap(successiveFailedCycles => wrong({ successiveFailedCycles }))).toHaveLength(2);
    expect(wrong({ successiveFailedCycles: 6, finalAction: 'CANCEL' })).toEqual([]);
  });
  it('D256 D257 the retry hour runs from 0 to 23 or is not set', () => {
    expect([null, 0, 23].flatMap(retryHour => wrong({ retryHour }))).toEqual([]);
    expect(wrong({ retryHour: 24 })).toEqual(['/retryHour Choose an hour between 0 and 23.']);
    expect(wrong({ notificationTiming: 'WINDOW', notificationWindow: { startHour: 18, endHour: 18 } })).toEqual([
      '/notificationWindow/endHour The window must end after it starts.',
    ]);
    expect(wrong({ hardDeclineReasons: ['rain' as never] })).toEqual(['/hardDeclineReasons/0 "rain" is not a failure reason.']);
  });
  it('warn when retries take longer than the shortest plan', () => {
    const weekly = { interval: 'WEEK', intervalCount: 1 } as const;
    expect(retryWarning({ retryAttempts: 2, retrySpacingDays: 3 }, weekly)).toBeNull();
    expect(retryWarning({ retryAttempts: 3, retrySpacingDays: 3 }, weekly)).toBe(
      'The last retry falls after your next order date. Retries take 9 days, and your shortest plan orders every week.',
    );
  });
});

const words = (settings: Partial<DunningSettings>, options?: Parameters<typeof retryTimeline>[3]) =>
  retryTimeline({ ...DUNNING_DEFAULTS, ...settings }, FIRST, ZONE, { billingHour: 9, ...options }).map(({ when, text }) =>
    `${when}: ${text}`.replace(/\s/g, ' '),
  );

describe('the timeline for merchants', () => {
  it('tells every try and the end in words', () => {
    expect(words({ retryAttempts: 2, successiveFailedCycles: 3 })).toEqual([
      'Day 0 · Thu, Jan 1, 9:00 AM: First try, on the order date',
      'Day 3 · Sun, Jan 4, 9:00 AM: Retry 1',
      'Day 6 · Wed, Jan 7, 9:00 AM: Retry 2, the last one',
      'Day 6 · Wed, Jan 7, 9:00 AM: If that fails too, the order is skipped and the subscription goes on with the next one. After 3 unpaid orders in a row, the subscription is paused.',
    ]);
  });
  it('D250 tells that there is no retry', () => {
    expect(words({ retryAttempts: 0, finalAction: 'CANCEL' })).toEqual([
      'Day 0 · Thu, Jan 1, 9:00 AM: First try, on the order date',
      'Day 0 · Thu, Jan 1, 9:00 AM: If the first try fails, the subscription is cancelled.',
    ]);
  });
  it('tells which retries are left out and why', () => {
    expect(words({ timeWindowDays: 5, finalAction: 'PAUSE' }).at(-1)).toBe(
      'Day 3 · Sun, Jan 4, 9:00 AM: If that fails too, the subscription is paused. 3 retries are left out: the next one would fall outside the 5 days allowed.',
    );
    expect(words({ retryAttempts: 3 }, { nextOrderAt: at('2026-01-08T09:00', ZONE) }).at(-1)).toContain(
      '1 retry is left out: the next one would reach the date of the next order.',
    );
  });
});
