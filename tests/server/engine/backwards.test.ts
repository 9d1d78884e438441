// Check 22: a store whose clock is set back by an hour again and again lives the same life as one whose clock only runs forward: the same orders, charges and
// e-mails, each once and in the same order. Orders, retries, pauses that end, reminders of orders and of cards.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendReminders } from '../../../src/server/engine/charging/reminders.ts';
import { pause } from '../../../src/server/engine/status.ts';
import { oneEngine, openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { randomFrom } from '../../support/random.ts';
import { DAY, Shop, WEEKLY } from './shop.ts';
import { planSeed } from '../../support/seed.ts';

const HOUR = 3_600_000;
const ZONES = ['America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'America/Santiago', 'Pacific/Auckland'];

describe.each(oneEngine)('a clock that is set back, on %s', engine => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
  });
  afterAll(() => database?.remove());

  it('changes nothing of what happens', async () => {
    const seed = planSeed();
    console.log(`backwards on ${engine}: FC_SEED=${seed}`);
    const random = randomFrom(seed);
    const timezone = random.pick(ZONES);
    // Over one of the days on which clocks change.
    const start = new Date(
      Date.parse(
        random.pick([
          '2026-02-20T12:00:00Z',
          '2026-03-10T12:00:00Z',
          '2026-03-20T12:00:00Z',
          '2026-09-15T12:00:00Z',
          '2026-10-10T12:00:00Z',
        ]),
      ) +
        random.between(0, 23) * HOUR,
    );
    const first = (day: number): Date => new Date(start.getTime() + day * DAY + random.between(0, 47) * 1_800_000);
    const firsts = Array.from({ length: 5 }, (_, i) => first(2 + 2 * i));
    const ends = new Date(start.getTime() + 15 * DAY);
    const live = async (storeId: number, back: boolean) => {
      const shop = await Shop.open(database.db, start, { storeId, timezone });
      const ids = [
        await shop.contract({ first: firsts[0]!, every: WEEKLY }),
        await shop.contract({ first: firsts[1]!, every: { interval: 'DAY', intervalCount: 4 }, token: 'tok_fail_n_2_then_success' }),
        await shop.contract({ first: firsts[2]!, every: WEEKLY, token: 'tok_decline_insufficient_funds', backup: 'tok_success' }),
        await shop.contract({ first: firsts[3]!, every: WEEKLY }),
        await shop.contract({ first: firsts[4]!, billingPolicy: { interval: 'WEEK', intervalCount: 2 }, deliveryPolicy: WEEKLY }),
      ];
      await shop.act(ids[3] as number, 'pause', (work, subscription) => pause(work, subscription, ends));
      // The card of the first expires while we look.
      const month = new Date(start.getTime() + 20 * DAY);
      await database.db.exec(
        `update payment_methods set created_at = '2025-01-01', expiry_year = ${month.getUTCFullYear()}, expiry_month = ${month.getUTCMonth() + 1} where store_id = ${storeId} and id = (select payment_method_id from contracts where store_id = ${storeId} and id = ${ids[0]})`,
      );
      await database.db.exec(`update contracts set created_at = '2025-01-01' where store_id = ${storeId}`);
      const tick = async (): Promise<void> => {
        await shop.run();
        await shop.as('System')(context => sendReminders(context, 100));
      };
      for (const end = start.getTime() + 40 * DAY; shop.now.getTime() < end;) {
        shop.now = new Date(shop.now.getTime() + 6 * HOUR);
        await tick();
        if (!back) continue;
        const now = shop.now;
        shop.now = new Date(now.getTime() - HOUR);
        await tick();
        shop.now = now;
        await tick();
      }
      const life = [];
      for (const id of ids) {
        const { contract } = await shop.get(id);
        life.push({
          status: contract.status,
          next: contract.next_billing_at?.toISOString(),
          orders: (await shop.orders(id)).map(order => [
            order.cycle,
            order.status,
            order.billing_at.toISOString(),
            order.processed_at?.toISOString(),
            order.total,
            order.attempts,
          ]),
          attempts: (await shop.attempts(id)).map(attempt => [
            attempt.attempt_number,
            attempt.trigger,
            attempt.success,
            attempt.amount,
            attempt.created_at.toISOString(),
          ]),
          log: await shop.log(id),
          mails: (await shop.mails(id)).map(mail => [mail.template, mail.recipient]),
        });
      }
      const keys = (await shop.charges()).map(charge => charge.idempotency_key);
      expect(new Set(keys).size).toBe(keys.length);
      return life;
    };
    const forward = await live(1, false);
    const backwards = await live(2, true);
    expect(backwards).toEqual(forward);
    expect(forward.flatMap(one => one.orders).length).toBeGreaterThan(12);
    expect(forward.flatMap(one => one.mails).map(([template]) => template)).toEqual(expect.arrayContaining(['UPCOMING_ORDER']));
  }, 300_000);
});
