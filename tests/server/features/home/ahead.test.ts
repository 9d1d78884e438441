// The days ahead against what the engine then does: every kind of schedule, thirty days forward, order by order and piece by piece.
import { describe, expect, it } from 'vitest';
import { DateTime } from 'luxon';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { rescheduleOneOrder, skipOrder } from '../../../../src/server/engine/edits/orders.ts';
import { ordersAhead } from '../../../../src/server/engine/charging/orders-ahead.ts';
import { oneEngine } from '../../../support/database.ts';
import { eachShop } from '../../engine/each-shop.ts';
import type { Shop } from '../../engine/shop.ts';

const ZONE = 'America/New_York';
const dayOf = (at: Date): string => DateTime.fromJSDate(at, { zone: ZONE }).toFormat('yyyy-MM-dd');
const epochOf = (text: string): number => Math.floor(Date.parse(text) / 1000);
const DAYS = 30;

describe.each(oneEngine)('the days ahead on %s', engine => {
  let shop: Shop;
  const database = eachShop(
    engine,
    opened => {
      shop = opened;
    },
    '2026-02-12T15:00:00Z',
  );

  const ahead = () => shop.as('System')(context => ordersAhead(context.trx, context.store, context.now(), DAYS, { withUnits: true }));
  const foreseen = async () => (await ahead()).days;
  /** Pieces that were in the orders that were placed last: by day and variant. */
  const held = new Map<string, number>();
  /** What the engine placed meanwhile, by the day of the charge; a prepaid delivery is worth nothing. */
  const placed = async (ids: readonly number[], from: string): Promise<{ date: string; count: number; value: number }[]> => {
    const days = new Map<string, { date: string; count: number; value: number }>();
    held.clear();
    for (const order of (await Promise.all(ids.map(id => shop.orders(id)))).flat()) {
      const date = dayOf(order.billing_at);
      if (order.status !== 'PAID' || date < from) continue;
      const day = days.get(date) ?? { date, count: 0, value: 0 };
      days.set(date, { date, count: day.count + 1, value: day.value + order.total });
      for (const line of order.lines as unknown as { variantId: number; quantity: number }[])
        held.set(`${date} ${line.variantId}`, (held.get(`${date} ${line.variantId}`) ?? 0) + line.quantity);
    }
    return [...days.values()].sort((a, b) => (a.date < b.date ? -1 : 1));
  };
  const thirtyDays = async (ids: readonly number[]): Promise<void> => {
    const { days: expected, units } = await ahead();
    const today = dayOf(shop.now);
    await shop.until(DateTime.fromJSDate(shop.now, { zone: ZONE }).startOf('day').plus({ days: DAYS }).minus({ seconds: 1 }).toJSDate());
    expect(expected).toEqual(await placed(ids, today));
    const pieces = units.map(({ date, variantId, quantity }): [string, number] => [`${date} ${variantId}`, quantity]);
    expect(Object.fromEntries(pieces)).toEqual(Object.fromEntries(held));
    expect(expected.length).toBeGreaterThan(0);
  };

  it.each<[string, JsonObject]>([
    ['every day', {}],
    ['Mondays and Thursdays only', { scheduleType: 'BILLING', onlyOnBillingDays: true, billingDays: [1, 4] }],
    ['Sundays only', { scheduleType: 'BILLING', onlyOnBillingDays: true, billingDays: [7] }],
    ['three days before delivery', { scheduleType: 'DELIVERY', chargeOffset: 3 }],
  ])('agree with what is charged when orders are charged on %s', async (_name, schedule) => {
    await shop.settings('order-schedule', schedule);
    const ids = [
      await shop.contract({ first: '2026-02-14T14:00:00Z', every: { interval: 'DAY', intervalCount: 1 } }),
      await shop.contract({ first: '2026-02-13T23:30:00Z', every: { interval: 'DAY', intervalCount: 3 } }),
      await shop.contract({ first: '2026-02-16T14:00:00Z', every: { interval: 'WEEK', intervalCount: 1 } }),
      await shop.contract({ first: '2026-02-18T04:30:00Z', every: { interval: 'WEEK', intervalCount: 2 } }),
      await shop.contract({ first: '2026-02-13T14:00:00Z', every: { interval: 'MONTH', intervalCount: 1 } }),
      await shop.contract({ first: '2026-03-10T14:00:00Z', every: { interval: 'MONTH', intervalCount: 2 } }),
    ];
    await thirtyDays(ids);
  });

  it('count from the 31st, not from the short month before it, and over the clock change in March', async () => {
    const ids = [await shop.contract({ first: '2026-02-28T14:00:00Z' })];
    await database.db.exec(
      `update contracts set base_at = '2026-01-31T14:00:00Z', base_cycle = next_cycle - 1 where store_id = ${shop.storeId}`,
    );
    shop.now = new Date('2026-02-28T12:00:00Z');
    expect((await foreseen()).map(day => day.date)).toEqual(['2026-02-28']);
    await shop.until('2026-03-02T12:00:00Z');
    expect((await foreseen()).map(day => day.date)).toEqual(['2026-03-31']);
    await thirtyDays(ids);
  });

  it('know fixed days, the end of a subscription, deliveries that are paid for, and what was moved or skipped', async () => {
    const weekly = { interval: 'WEEK', intervalCount: 1 } as const;
    const first = '2026-02-13T14:00:00Z';
    const fixed = await shop.contract({ first, billingPolicy: { ...weekly, anchorType: 'WEEKDAY', anchorDay: 3 } });
    const ending = await shop.contract({ first, billingPolicy: { ...weekly, maxCycles: 2 } });
    const prepaid = await shop.contract({ first, billingPolicy: { interval: 'WEEK', intervalCount: 3 }, deliveryPolicy: weekly });
    const moved = await shop.contract({ first, every: weekly });
    await shop.act(moved, 'rescheduleOneOrder', (work, subscription) =>
      rescheduleOneOrder(work, subscription, { billingDateEpoch: epochOf('2026-02-17T14:00:00Z') }),
    );
    const skipped = await shop.contract({ first, every: weekly });
    await shop.act(skipped, 'skipOrder', (work, subscription) => skipOrder(work, subscription, {}));
    const late = await shop.contract({ first: '2026-03-14T14:00:00Z' });
    await thirtyDays([fixed, ending, prepaid, moved, skipped, late]);
  });

  it('count what is overdue for today', async () => {
    await shop.contract({ first: '2026-02-13T14:00:00Z', every: { interval: 'WEEK', intervalCount: 4 } });
    shop.now = new Date('2026-02-15T15:00:00Z');
    expect((await foreseen()).map(({ date, count }) => [date, count])).toEqual([
      ['2026-02-15', 1],
      ['2026-03-13', 1],
    ]);
  });
});
