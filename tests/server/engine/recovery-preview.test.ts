// The preview of the recovery settings against what the engine does: random settings, zones, frequencies and reasons, on a real database. Every try, every
// e-mail to the customer, the end and its action must be the ones that the preview names.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stepDate } from '../../../src/domain/calendar/calendar.ts';
import { dunningFromPage } from '../../../src/domain/recovery/dunning-settings.ts';
import { FAILURE_CATEGORIES } from '../../../src/domain/recovery/failure-codes.ts';
import type { Interval } from '../../../src/domain/calendar/interval.ts';
import { recoveryCourse } from '../../../src/domain/recovery/recovery-simulation.ts';
import type { JsonObject } from '../../../src/contract/types.ts';
import { oneEngine, openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { DAY, Shop } from './shop.ts';
import { randomFrom } from '../../support/random.ts';

const given = process.env['PERENNIAL_SEED'];
const seed = given ? Number(given) : Math.floor(Math.random() * 1_000_000_000);
const REASONS = FAILURE_CATEGORIES.filter(one => one.kind !== 'INVENTORY' && one.kind !== 'PAID');
const ZONES = ['America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'America/Sao_Paulo', 'UTC'];
const EVERY: Interval[] = [
  { interval: 'DAY', intervalCount: 5 },
  { interval: 'WEEK', intervalCount: 1 },
  { interval: 'WEEK', intervalCount: 2 },
  { interval: 'MONTH', intervalCount: 1 },
  { interval: 'YEAR', intervalCount: 1 },
];
const KINDS: Record<string, string> = { PAYMENT_FAILED: 'FAILED', PAYMENT_FAILED_WITH_RETRIES: 'RETRIES' };

describe.each(oneEngine)('the preview of the recovery settings on %s', engine => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
  });
  afterAll(() => database.remove());

  it(`D249 D251 D252 D253 D255 the engine does what the preview says (PERENNIAL_SEED=${seed})`, async () => {
    const random = randomFrom(seed);
    const seen = { retries: 0, backups: 0, waiting: 0, left: 0, final: new Set<string>(), reasons: new Set<string>() };
    for (let n = 1; n <= 10; n++) {
      const zone = random.pick(ZONES);
      const attempts = random.pick([0, 1, 1, 2, 3, 4, 6, 16]);
      const page: JsonObject = {
        retryAttempts: attempts,
        retrySpacingDays:
          random.chance(0.6) || attempts < 2 ? [random.between(1, 9)] : Array.from({ length: attempts }, () => random.between(1, 7)),
        retryHour: random.pick([null, null, 0, 2, 3, 14, 23]),
        timeWindowDays: random.pick([null, null, 4, 15]),
        notifyCustomerOnRetry: random.chance(0.8),
        notificationTiming: random.pick(['IMMEDIATE', 'WINDOW']),
        notificationWindow: { startHour: random.between(0, 11), endHour: random.between(12, 23) },
        finalAction: random.pick(['SKIP', 'SKIP', 'PAUSE', 'CANCEL']),
        successiveFailedCycles: random.pick([null, 2, 3]),
        successiveAction: random.pick(['PAUSE', 'CANCEL']),
        hardDeclineBehavior: random.pick(['RETRY_AS_USUAL', 'NO_RETRY', 'CUSTOM']),
        hardDeclineReasons: [random.pick(REASONS.filter(one => one.kind === 'SOFT' || one.kind === 'HARD')).key],
        hardDeclineAction: random.pick(['NONE', 'SKIP', 'PAUSE', 'CANCEL']),
        backupPaymentEnabled: random.chance(0.6),
        backupAutoConfigure: false,
      };
      const billingHour = random.pick([null, null, 0, 3, 9, 22]);
      const category = random.chance(0.35) ? 'card_declined' : random.pick(REASONS).key;
      const code = REASONS.find(one => one.key === category)?.codes[0]?.toLowerCase() ?? '';
      const hasBackup = random.chance(0.6);
      const every = random.pick(EVERY);
      const maxCycles = random.chance(0.1) ? 1 : null;
      const shop = await Shop.open(
        database.db,
        `2032-0${random.between(1, 9)}-${random.between(10, 28)}T${random.between(10, 23)}:17:00Z`,
        { storeId: n, timezone: zone },
      );
      await shop.settings('paymentRecovery', page);
      await shop.settings('general', { billingHour });
      const first = new Date(shop.now.getTime() + random.between(1, 30) * DAY + random.between(0, 80_000) * 1000);
      const id = await shop.contract({
        token: `tok_decline_${code}`,
        ...(hasBackup ? { backup: `tok_decline_${code}` } : {}),
        first,
        billingPolicy: { ...every, maxCycles },
      });
      const settings = dunningFromPage(page);
      const what = `case ${n}, ${category}, ${zone}, ${JSON.stringify({ page, billingHour, hasBackup, every, maxCycles })}`;
      // Orders one after the other, as long as the subscription goes on: their number in a row decides the action.
      for (let cycle = 0; cycle < 3; cycle++) {
        const { contract } = await shop.get(id);
        const startAt = contract.next_billing_at;
        if (contract.status !== 'ACTIVE' || !startAt) break;
        await shop.until(startAt);
        const order = (await shop.orders(id)).at(-1);
        if (!order || !contract.base_at) throw new Error(`${what}: no order was made`);
        const nextOrderAt =
          maxCycles === 1 ? null : stepDate(contract.base_at.getTime(), every, order.cycle - contract.base_cycle + 1, zone);
        const course = recoveryCourse(settings, {
          startAt: startAt.getTime(),
          zone,
          billingHour,
          nextOrderAt,
          category,
          hasBackup,
          failedCyclesInARow: contract.successive_failed_cycles,
        });
        const end = course.at(-1);
        if (end?.kind !== 'FINAL') throw new Error(`${what}: the preview has no end`);
        await shop.until(new Date(end.at + 1000));
        const tries = course.flatMap(step =>
          step.kind === 'FINAL' ? [] : [{ at: new Date(step.at).toISOString(), backup: step.kind === 'BACKUP' }],
        );
        const made = (await shop.attempts(id)).filter(row => row.order_id === order.id);
        expect(
          made.map(row => ({ at: row.created_at.toISOString(), backup: row.is_backup })),
          what,
        ).toEqual(tries);
        const letters = course.flatMap(step =>
          step.kind !== 'FINAL' && step.message
            ? [{ at: new Date(step.message.at).toISOString(), kind: step.message.kind === 'FAILED' ? 'FAILED' : 'RETRIES' }]
            : [],
        );
        const sent = (await shop.mails(id))
          .filter(mail => KINDS[mail.template] && mail.dedupe_key?.includes(`:${order.id}:`))
          .map(mail => ({ at: mail.send_after.toISOString(), kind: KINDS[mail.template] as string }));
        expect(sent, what).toEqual(letters);
        const [now, closed] = [(await shop.get(id)).contract, (await shop.orders(id)).find(row => row.id === order.id)];
        const status = {
          SKIP: 'ACTIVE',
          PAUSE: 'PAUSED',
          CANCEL: 'CANCELLED',
          NONE: end.reason === 'NEVER_RETRIED' || end.reason === 'STORE_SIDE_USED_UP' ? 'FAILED' : 'ACTIVE',
        }[end.action];
        expect([now.status, closed?.status, closed?.next_retry_at ?? null], what).toEqual([
          status,
          end.action === 'SKIP' ? 'SKIPPED' : 'FAILED',
          null,
        ]);
        seen.retries += tries.filter(one => !one.backup).length - 1;
        seen.backups += tries.filter(one => one.backup).length;
        seen.waiting += letters.filter((letter, i) => letter.at !== tries[i]?.at).length;
        seen.left += end.left;
        seen.final.add(end.action);
        seen.reasons.add(end.reason);
      }
    }
    // The cases are of all kinds.
    expect(seen.retries).toBeGreaterThan(4);
    expect([...seen.final].length).toBeGreaterThan(1);
    expect(seen.reasons.size).toBeGreaterThan(1);
  }, 300_000);
});
