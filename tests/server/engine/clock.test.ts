// Time: two years over daylight-saving edges in five zones, the 29th of February and the 31st, and an hour backwards.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { moveClock } from '../../../src/server/engine/charging/run-due.ts';
import { oneEngine, openTestDatabase, type TestDatabase } from '../../support/database.ts';
import { Shop } from './shop.ts';
import { passTime, type First } from './years/two-years.ts';

/** Clocks that change by an hour, by half an hour, and at midnight; torture tries more. */
const ZONES = ['America/New_York', 'Australia/Lord_Howe', 'America/Santiago'];
/** First orders, local: on the 31st, on 29 February, and at an hour that daylight saving skips or repeats. */
const FIRST: readonly First[] = [
  { at: '2027-08-31T09:00', every: { interval: 'MONTH', intervalCount: 1 }, unit: 'months' },
  { at: '2028-02-29T23:30', every: { interval: 'YEAR', intervalCount: 1 }, unit: 'years' },
  { at: '2027-07-04T02:30', every: { interval: 'WEEK', intervalCount: 1 }, unit: 'weeks' },
];

describe.each(oneEngine)('the clock on %s', engine => {
  let database: TestDatabase;
  let store = 0;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
  });
  afterAll(() => database.remove());

  it.each(ZONES)('two years in steps and an hour backwards after each, in %s', async timezone => {
    const { orders, failures } = await passTime(database.db, {
      storeId: ++store,
      timezone,
      start: '2027-06-15T12:00:00Z',
      end: '2029-06-15T12:00:00Z',
      stepDays: 23,
      firsts: FIRST,
    });
    expect(failures).toEqual([]);
    expect(orders).toBeGreaterThan(100);
  });

  it('a run that moves the clock gives every order the instant at which it was due, in order of time', async () => {
    const shop = await Shop.open(database.db, '2026-01-10T15:00:00Z', { storeId: ++store });
    const weekly = await shop.contract({ first: '2026-01-12T10:20:00Z', every: { interval: 'WEEK', intervalCount: 1 } });
    const failing = await shop.contract({ first: '2026-01-12T10:40:00Z', token: 'tok_fail_n_2_then_success' });
    const stops: Date[] = [];
    const progress = await moveClock(shop.runtime, shop.storeId, shop.now, new Date('2026-02-10T15:00:00Z'), async (_context, { at }) => {
      stops.push(at);
    });
    expect(progress).toMatchObject({ at: new Date('2026-02-10T15:00:00Z'), paid: 6, failed: 2 });
    expect(stops).toEqual(stops.toSorted((a, b) => a.getTime() - b.getTime()));
    expect((await shop.orders(weekly)).map(order => order.processed_at?.toISOString())).toEqual([
      '2026-01-12T10:20:00.000Z',
      '2026-01-19T10:20:00.000Z',
      '2026-01-26T10:20:00.000Z',
      '2026-02-02T10:20:00.000Z',
      '2026-02-09T10:20:00.000Z',
    ]);
    expect((await shop.attempts(failing)).map(row => row.created_at.toISOString())).toEqual([
      '2026-01-12T10:40:00.000Z',
      '2026-01-15T10:40:00.000Z',
      '2026-01-18T10:40:00.000Z',
    ]);
    const at = (await shop.charges()).map(charge => charge.at.getTime());
    expect(at).toEqual(at.toSorted((a, b) => a - b));
    const [row] = (
      await database.db.ownerQuery<{ offset: number }>(`select clock_offset_ms as offset from stores where id = ${shop.storeId}`)
    ).rows;
    expect(Math.abs(Date.now() + Number(row?.offset) - Date.parse('2026-02-10T15:00:00Z'))).toBeLessThan(60_000);
  });

  it('gives the same orders as the minutes would', async () => {
    const shops = [
      await Shop.open(database.db, '2026-01-10T15:00:00Z', { storeId: ++store }),
      await Shop.open(database.db, '2026-01-10T15:00:00Z', { storeId: ++store }),
    ] as const;
    const ids: number[][] = [];
    for (const shop of shops) {
      ids.push([
        await shop.contract({ first: '2026-01-31T10:00:00Z' }),
        await shop.contract({ first: '2026-01-20T10:00:00Z', token: 'tok_decline_card_declined' }),
        await shop.contract({
          first: '2026-01-25T10:00:00Z',
          billingPolicy: { interval: 'MONTH', intervalCount: 2 },
          deliveryPolicy: { interval: 'MONTH', intervalCount: 1 },
        }),
      ]);
    }
    await shops[0].until('2026-06-01T00:00:00Z');
    await moveClock(shops[1].runtime, shops[1].storeId, shops[1].now, new Date('2026-06-01T00:00:00Z'), async () => undefined);
    for (const [i, id] of (ids[0] as number[]).entries()) {
      const seen = async (shop: Shop, contract: number) =>
        (await shop.orders(contract)).map(order => [
          order.cycle,
          order.status,
          order.billing_at.toISOString(),
          order.processed_at?.toISOString(),
          order.total,
          order.attempts,
        ]);
      expect(await seen(shops[1], (ids[1] as number[])[i] as number)).toEqual(await seen(shops[0], id));
    }
  });

  it('the billing hour of the settings moves new schedules, not those that exist', async () => {
    const shop = await Shop.open(database.db, '2026-01-10T15:00:00Z', { storeId: ++store });
    const before = await shop.contract({ first: '2026-02-01T20:13:00Z' });
    await shop.settings('general', { billingHour: 6 });
    const after = await shop.contract({ first: '2026-02-01T20:13:00Z' });
    expect((await shop.get(before)).contract.next_billing_at?.toISOString()).toBe('2026-02-01T20:13:00.000Z');
    expect((await shop.get(after)).contract.next_billing_at?.toISOString()).toBe('2026-02-01T11:00:00.000Z');
    await shop.until('2026-04-02T00:00:00Z');
    expect((await shop.orders(before)).map(order => order.billing_at.toISOString().slice(11, 16))).toEqual(['20:13', '20:13', '19:13']);
    expect((await shop.orders(after)).map(order => order.billing_at.toISOString().slice(11, 16))).toEqual(['11:00', '11:00', '10:00']);
  });

  it('a pause that is over resumes by itself, on its day', async () => {
    const shop = await Shop.open(database.db, '2026-01-10T15:00:00Z', { storeId: ++store });
    const id = await shop.contract({ first: '2026-02-01T15:00:00Z' });
    const { pause } = await import('../../../src/server/engine/status.ts');
    await shop.act(id, 'pause', (work, subscription) => pause(work, subscription, new Date('2026-03-10T15:00:00Z')));
    expect((await shop.get(id)).contract.next_billing_at?.toISOString()).toBe('2026-03-10T15:00:00.000Z');
    await shop.until('2026-04-15T00:00:00Z');
    expect((await shop.orders(id)).map(order => order.billing_at.toISOString().slice(0, 10))).toEqual(['2026-03-10', '2026-04-10']);
    expect(await shop.log(id)).toEqual([
      'subscription_created',
      'subscription_paused',
      'subscription_resumed',
      'payment_attempted',
      'order_placed',
      'payment_attempted',
      'order_placed',
    ]);
  });
});
