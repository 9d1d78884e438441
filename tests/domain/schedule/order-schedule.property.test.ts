// What any order schedule promises, over random settings, places, intervals and five zones around their daylight-saving edges, from 2019 to 2031.
import * as fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { orderScheduleOf, termsFor } from '../../../src/domain/schedule/order-schedule-settings.ts';
import { previewOrders } from '../../../src/domain/schedule/order-schedule-preview.ts';
import { upcoming, type CycleException } from '../../../src/domain/schedule/schedule.ts';
import type { Interval, IntervalUnit } from '../../../src/domain/calendar/interval.ts';
import type { JsonObject } from '../../../src/contract/types.ts';
import { localDay, localParts, monthLength, numRuns, weekday } from '../support.ts';

vi.setConfig({ testTimeout: 300_000 });
const RUNS = numRuns(1_000);
const DAY = 86_400_000;

const zone = fc.constantFrom('America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'America/Santiago', 'Pacific/Auckland');
const EDGES = [
  '2026-03-08',
  '2026-11-01',
  '2026-03-29',
  '2026-10-25',
  '2026-04-05',
  '2026-10-04',
  '2026-09-06',
  '2026-09-27',
  '2024-02-29',
  '2026-01-31',
];
const moment = fc
  .tuple(
    fc.oneof(
      fc.tuple(fc.constantFrom(...EDGES), fc.integer({ min: -40, max: 8 })).map(([text, days]) => Date.parse(text) + days * DAY),
      fc.integer({ min: 0, max: 4_400 }).map(days => Date.parse('2019-01-01') + days * DAY),
    ),
    fc.oneof(
      fc.integer({ min: 0, max: 47 }).map(half => half * 1_800_000),
      fc.integer({ min: 0, max: DAY - 1 }),
    ),
  )
  .map(([day, time]) => day + time);
const interval: fc.Arbitrary<Interval> = fc.record({
  interval: fc.constantFrom<IntervalUnit>('DAY', 'WEEK', 'MONTH', 'YEAR'),
  intervalCount: fc.integer({ min: 1, max: 7 }),
});
const provinces = fc.uniqueArray(fc.constantFrom('CA', 'NY', 'HI', 'QC'), { maxLength: 3 });
const rows = fc.array(
  fc.record({ countryCode: fc.constantFrom('US', 'CA', 'DE'), provinceCodes: provinces, offsetDays: fc.integer({ min: 0, max: 30 }) }),
  { maxLength: 4 },
);
const page: fc.Arbitrary<JsonObject> = fc.record({
  scheduleType: fc.constantFrom('BILLING', 'DELIVERY'),
  onlyOnBillingDays: fc.boolean(),
  billingDays: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
  chargeOffset: fc.integer({ min: 0, max: 30 }),
  countryBasedChargeOffset: rows,
}) as fc.Arbitrary<JsonObject>;
const place = fc.record({
  countryCode: fc.constantFrom('US', 'CA', 'DE', 'FR'),
  provinceCode: fc.option(fc.constantFrom('CA', 'NY', 'HI', 'QC', 'ON')),
});

/** The same settings read by hand. */
function expected(settings: JsonObject, { countryCode, provinceCode }: { countryCode: string; provinceCode: string | null }): number {
  if (settings.scheduleType !== 'DELIVERY') return 0;
  const list = settings.countryBasedChargeOffset as { countryCode: string; provinceCodes: string[]; offsetDays: number }[];
  for (const row of list)
    if (row.countryCode === countryCode && provinceCode !== null && row.provinceCodes.includes(provinceCode)) return row.offsetDays;
  for (const row of list) if (row.countryCode === countryCode && row.provinceCodes.length === 0) return row.offsetDays;
  return settings.chargeOffset as number;
}

it('no charge falls on a forbidden weekday, no date runs backwards, no order is lost, charge and offset make delivery', () => {
  fc.assert(
    fc.property(
      page,
      place,
      zone,
      moment,
      interval,
      fc.option(fc.integer({ min: 0, max: 23 })),
      fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { maxLength: 3 }),
      fc.array(fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: -9, max: 20 })), { maxLength: 2 }),
      (settings, to, timeZone, baseAt, every, billingHour, skips, moves) => {
        const terms = termsFor(orderScheduleOf(settings), to);
        const exceptions = new Map<number, CycleException>(skips.map(skip => [2 + skip, { status: 'SKIPPED' }]));
        for (const [cycle, days] of moves)
          exceptions.set(2 + cycle, { status: 'SCHEDULED', movedTo: baseAt + (20 * (cycle + 1) + days) * DAY });
        const orders = upcoming(
          {
            zone: timeZone,
            billingHour,
            baseAt,
            baseCycle: 1,
            nextCycle: 2,
            deliveryPolicy: every,
            billingPolicy: every,
            anchor: null,
            prepaidCreditsLeft: 0,
            completedOrders: 1,
            maxCycles: null,
            exceptions,
            lastOrderAt: baseAt,
            ...terms,
          },
          { from: baseAt, limit: 9, months: 12 * 100 },
        );
        expect(orders.map(order => order.cycle)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10]);
        const offset = expected(settings, to);
        expect(terms.chargeOffsetDays).toBe(offset);
        let before = { charge: -Infinity, delivery: localDay(baseAt, timeZone), number: 1 };
        for (const order of orders) {
          const charge = localDay(order.billingAt, timeZone);
          const delivery = localDay(order.deliveryAt, timeZone);
          expect(delivery - charge).toBe(offset);
          if (settings.scheduleType === 'BILLING' && settings.onlyOnBillingDays)
            expect(settings.billingDays).toContain(weekday(order.billingAt, timeZone));
          expect(charge).toBeGreaterThan(before.charge);
          expect(delivery).toBeGreaterThan(before.delivery);
          expect(order.orderNumber).toBe(before.number + 1);
          before = { charge, delivery, number: order.status === 'SKIPPED' ? before.number : order.orderNumber };
        }
      },
    ),
    RUNS,
  );
});

it('month ends are kept: a delivery on the 31st is one on the last day of shorter months and on the 31st again, however early it is charged', () => {
  fc.assert(
    fc.property(page, place, zone, moment, fc.integer({ min: 1, max: 13 }), (settings, to, timeZone, baseAt, months) => {
      const terms = termsFor(orderScheduleOf({ ...settings, onlyOnBillingDays: false }), to);
      const every: Interval = { interval: 'MONTH', intervalCount: months };
      const first = localParts(baseAt, timeZone);
      for (const order of upcoming(
        {
          zone: timeZone,
          billingHour: null,
          baseAt,
          baseCycle: 1,
          nextCycle: 2,
          deliveryPolicy: every,
          billingPolicy: every,
          anchor: null,
          prepaidCreditsLeft: 0,
          completedOrders: 1,
          maxCycles: null,
          exceptions: new Map(),
          ...terms,
        },
        { from: baseAt, limit: 12, months: 12 * 100 },
      )) {
        const { year, month, day } = localParts(settings.scheduleType === 'DELIVERY' ? order.deliveryAt : order.billingAt, timeZone);
        expect(day).toBe(Math.min(first.day, monthLength(year, month)));
        expect((year - first.year) * 12 + month - first.month).toBe((order.cycle - 1) * months);
      }
    }),
    RUNS,
  );
});

it('weekdays move a date by less than a week, and never back', () => {
  fc.assert(
    fc.property(page, zone, moment, interval, (settings, timeZone, now, every) => {
      const question = { zone: timeZone, now, every, countryCode: 'US', count: 5 };
      const free = previewOrders({ ...settings, scheduleType: 'BILLING', onlyOnBillingDays: false }, question);
      const bound = previewOrders({ ...settings, scheduleType: 'BILLING', onlyOnBillingDays: true }, question);
      // Short intervals run into each other; there only the order counts.
      if (every.interval === 'DAY' && every.intervalCount < 7) return;
      for (const [index, order] of bound.entries()) {
        const moved = localDay(order.billingAt, timeZone) - localDay(free[index]?.billingAt ?? 0, timeZone);
        expect(moved).toBeGreaterThanOrEqual(0);
        expect(moved).toBeLessThan(7);
      }
    }),
    RUNS,
  );
});
