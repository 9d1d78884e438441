// Schedules hold their promises over 10,000 random cases each: daylight-saving edges of seven zones, month ends, leap years.
import * as fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import type { Anchor } from '../../../src/domain/calendar/anchor.ts';
import { stepDate } from '../../../src/domain/calendar/calendar.ts';
import { firstDelivery } from '../../../src/domain/schedule/first-delivery.ts';
import { multipleOf, type Interval, type IntervalUnit } from '../../../src/domain/calendar/interval.ts';
import { upcoming, type CycleException, type Schedule } from '../../../src/domain/schedule/schedule.ts';
import { localDay, localParts, monthLength, numRuns, weekday } from '../support.ts';

vi.setConfig({ testTimeout: 300_000 });
const RUNS = numRuns(2_000);
const DAY = 86_400_000;

const zone = fc.constantFrom(
  'America/New_York',
  'Europe/London',
  'Australia/Lord_Howe',
  'Africa/Cairo',
  'America/Santiago',
  'Asia/Beirut',
  'Pacific/Auckland',
);
/** Days near the daylight-saving edges of the zones above, month ends, and any day. */
const day = fc.oneof(
  fc.constantFrom('2024-02-29', '2026-01-31', '2025-12-31', '2026-08-31', '2026-02-28').map(text => Date.parse(text)),
  fc
    .tuple(
      fc.constantFrom(
        '2026-03-08',
        '2026-11-01',
        '2026-03-29',
        '2026-10-25',
        '2026-04-05',
        '2026-10-04',
        '2026-04-24',
        '2026-10-30',
        '2026-09-06',
        '2026-09-27',
      ),
      fc.integer({ min: -8, max: 8 }),
    )
    .map(([text, days]) => Date.parse(text) + days * DAY),
  fc.integer({ min: 0, max: 12_000 }).map(days => Date.parse('2015-01-01') + days * DAY),
);
const moment = fc
  .tuple(
    day,
    fc.oneof(
      fc.integer({ min: 0, max: DAY - 1 }),
      fc.integer({ min: 0, max: 47 }).map(half => half * 1_800_000),
    ),
  )
  .map(([start, offset]) => start + offset);
const hour = fc.option(fc.integer({ min: 0, max: 23 }));
const unit = fc.constantFrom<IntervalUnit>('DAY', 'WEEK', 'MONTH', 'YEAR');
const interval: fc.Arbitrary<Interval> = fc.record({ interval: unit, intervalCount: fc.integer({ min: 1, max: 14 }) });

function anchorFor(kind: IntervalUnit): fc.Arbitrary<Anchor | null> {
  if (kind === 'WEEK') return fc.option(fc.integer({ min: 1, max: 7 }).map((at): Anchor => ({ type: 'WEEKDAY', day: at })));
  if (kind === 'MONTH') return fc.option(fc.integer({ min: 1, max: 32 }).map((at): Anchor => ({ type: 'MONTHDAY', day: at })));
  if (kind === 'YEAR')
    return fc.option(
      fc.record({ type: fc.constant('YEARDAY' as const), day: fc.integer({ min: 1, max: 31 }), month: fc.integer({ min: 1, max: 12 }) }),
    );
  return fc.constant(null);
}

function isOnAnchor(instant: number, anchor: Anchor, timeZone: string): boolean {
  if (anchor.type === 'WEEKDAY') return weekday(instant, timeZone) === anchor.day;
  const { year, month, day: date } = localParts(instant, timeZone);
  return date === Math.min(anchor.day, monthLength(year, month)) && (anchor.type === 'MONTHDAY' || month === anchor.month);
}

const plan = interval
  .chain(delivery =>
    fc.record({ delivery: fc.constant(delivery), deliveries: fc.integer({ min: 1, max: 6 }), anchor: anchorFor(delivery.interval) }),
  )
  .map(({ delivery, deliveries, anchor }) => ({
    delivery,
    anchor,
    deliveries,
    billing: { interval: delivery.interval, intervalCount: delivery.intervalCount * deliveries },
  }));

const schedule: fc.Arbitrary<Schedule & { deliveries: number }> = fc
  .record({
    plan,
    zone,
    baseAt: moment,
    billingHour: hour,
    ahead: fc.integer({ min: 0, max: 40 }),
    completedOrders: fc.integer({ min: 1, max: 20 }),
    maxCycles: fc.option(fc.integer({ min: 1, max: 25 })),
    credits: fc.integer({ min: 0, max: 5 }),
    chargeOffsetDays: fc.integer({ min: 0, max: 30 }),
    scheduleType: fc.constantFrom('BILLING' as const, 'DELIVERY' as const),
    billingDays: fc.option(fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }), { nil: undefined, freq: 3 }),
    skips: fc.uniqueArray(fc.integer({ min: 0, max: 9 }), { maxLength: 4 }),
    moves: fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: -20, max: 20 })), { maxLength: 2 }),
  })
  .map(({ plan: { delivery, billing, anchor, deliveries }, ahead, skips, moves, credits, ...rest }) => {
    const nextCycle = 2 + ahead;
    const exceptions = new Map<number, CycleException>(skips.map(skip => [nextCycle + skip, { status: 'SKIPPED' }]));
    for (const [place, days] of moves) {
      const moved = stepDate(rest.baseAt, delivery, nextCycle + place - 1, rest.zone) + days * DAY;
      exceptions.set(nextCycle + place, { status: 'SCHEDULED', movedTo: moved });
    }
    return {
      ...rest,
      deliveries,
      deliveryPolicy: delivery,
      billingPolicy: billing,
      anchor,
      baseCycle: 1,
      nextCycle,
      prepaidCreditsLeft: credits,
      exceptions,
    };
  });

it('dates run strictly forward, one local day at least, whatever was skipped or moved', () => {
  fc.assert(
    fc.property(schedule, one => {
      const orders = upcoming(one, { from: one.baseAt, limit: 8, months: 12 * 2_000 });
      for (const [index, order] of orders.entries()) {
        expect(order.cycle).toBe(one.nextCycle + index);
        expect(order.deliveryAt).toBeGreaterThanOrEqual(order.billingAt);
        expect(localDay(order.deliveryAt, one.zone) - localDay(order.billingAt, one.zone)).toBe(one.chargeOffsetDays);
        const before = orders[index - 1];
        if (!before) continue;
        expect(order.billingAt).toBeGreaterThan(before.billingAt);
        expect(order.deliveryAt).toBeGreaterThan(before.deliveryAt);
        expect(localDay(order.billingAt, one.zone)).toBeGreaterThan(localDay(before.billingAt, one.zone));
      }
    }),
    RUNS,
  );
});

it('charges and credits add up: every delivery is paid once, no charge is beyond the maximum', () => {
  fc.assert(
    fc.property(schedule, one => {
      const orders = upcoming(one, { from: one.baseAt, limit: 20, months: 12 * 2_000 });
      let credits = one.prepaidCreditsLeft;
      let charges = one.completedOrders;
      for (const order of orders) {
        expect(order.isPrepaidDelivery).toBe(credits > 0);
        expect(order.orderNumber).toBe(order.isPrepaidDelivery ? charges : charges + 1);
        if (order.status === 'SKIPPED') continue;
        if (order.isPrepaidDelivery) credits -= 1;
        else {
          charges += 1;
          credits = one.deliveries - 1;
        }
      }
      if (one.maxCycles === null) expect(orders).toHaveLength(20);
      else expect(charges).toBeLessThanOrEqual(Math.max(one.maxCycles, one.completedOrders));
      if (one.maxCycles !== null && orders.length < 20 && orders.length > 0) {
        expect(charges).toBeGreaterThanOrEqual(one.maxCycles);
        expect(credits).toBe(0);
      }
    }),
    RUNS,
  );
});

it('the day of the month is kept, or is the last one; the hour is kept, or is the first after a jump of the clock', () => {
  fc.assert(
    fc.property(moment, interval, fc.integer({ min: 1, max: 60 }), zone, hour, (base, step, n, timeZone, billingHour) => {
      const result = stepDate(base, step, n, timeZone, billingHour);
      const from = localParts(base, timeZone);
      const to = localParts(result, timeZone);
      const days = localDay(result, timeZone) - localDay(base, timeZone);
      if (step.interval === 'DAY') expect(days).toBe(step.intervalCount * n);
      else if (step.interval === 'WEEK') expect(days).toBe(step.intervalCount * n * 7);
      else {
        const months = step.intervalCount * n * (step.interval === 'YEAR' ? 12 : 1);
        expect((to.year - from.year) * 12 + to.month - from.month).toBe(months);
        expect(to.day).toBe(Math.min(from.day, monthLength(to.year, to.month)));
      }
      const wanted = billingHour === null ? from.hour * 60 + from.minute : billingHour * 60;
      const got = to.hour * 60 + to.minute;
      if (got !== wanted) {
        // Only a time that does not exist on that day may come out later, by the length of the jump.
        expect(got).toBeGreaterThan(wanted);
        expect(got - wanted).toBeLessThanOrEqual(60);
        const before = localParts(result - (got - wanted) * 60_000, timeZone);
        expect(before.hour * 60 + before.minute).not.toBe(wanted);
      } else {
        // Of a time that comes twice it is the first: no earlier instant has the same clock.
        for (const minutes of [30, 60]) {
          const earlier = localParts(result - minutes * 60_000, timeZone);
          expect([earlier.day, earlier.hour, earlier.minute]).not.toEqual([to.day, to.hour, to.minute]);
        }
      }
    }),
    RUNS,
  );
});

it('orders stay on their anchor, one for each interval, and the first deliveries follow cut-off and behaviour', () => {
  fc.assert(
    fc.property(
      plan,
      moment,
      zone,
      hour,
      fc.constantFrom('ASAP' as const, 'NEXT' as const),
      fc.integer({ min: 0, max: 20 }),
      (one, orderedAt, timeZone, billingHour, preAnchorBehavior, cutOffDays) => {
        const { anchor, delivery, billing } = one;
        const first = firstDelivery(orderedAt, { billing, delivery, anchor, preAnchorBehavior, cutOffDays }, timeZone, billingHour);
        const orders = upcoming(
          {
            zone: timeZone,
            billingHour,
            baseAt: first.baseAt,
            baseCycle: first.baseCycle,
            nextCycle: 2,
            deliveryPolicy: delivery,
            billingPolicy: billing,
            anchor,
            prepaidCreditsLeft: one.deliveries - 1,
            completedOrders: 1,
            maxCycles: null,
            chargeOffsetDays: 0,
            exceptions: new Map(),
          },
          { from: orderedAt, limit: 7, months: 12 * 200 },
        );
        // The schedule built on it goes on without a break, and charges first on the date promised.
        expect(orders[0]?.billingAt).toBe(first.nextDeliveryAt);
        expect(orders.find(order => !order.isPrepaidDelivery)?.billingAt).toBe(first.nextChargeAt);
        if (!anchor) {
          expect(first.shipsAt).toBe(orderedAt);
          if (delivery.interval === 'MONTH') {
            for (const order of orders) {
              const { year, month, day: date } = localParts(order.billingAt, timeZone);
              expect(date).toBe(Math.min(localParts(orderedAt, timeZone).day, monthLength(year, month)));
            }
          }
          return;
        }
        const ordered = localDay(orderedAt, timeZone);
        // A second opinion, day by day: noon of each day from the order on.
        const anchors: number[] = [];
        for (let ahead = 0; anchors.length < 2 && ahead < 1_100; ahead += 1) {
          if (isOnAnchor(noon(ordered + ahead), anchor, 'UTC')) anchors.push(ordered + ahead);
        }
        const [nearest = 0, following = 0] = anchors;
        const isTooLate = nearest > ordered && nearest - ordered <= cutOffDays;
        const target = isTooLate ? following : nearest;
        const shipsAtOnce = preAnchorBehavior === 'ASAP' || nearest === ordered;
        if (shipsAtOnce) expect(first.shipsAt).toBe(orderedAt);
        else expect(localDay(first.shipsAt, timeZone)).toBe(target);
        if (preAnchorBehavior === 'ASAP' && nearest !== ordered) expect(localDay(first.nextDeliveryAt, timeZone)).toBe(target);
        expect(isOnAnchor(first.nextDeliveryAt, anchor, timeZone)).toBe(true);
        expect(isOnAnchor(first.nextChargeAt, anchor, timeZone)).toBe(true);
        expect(first.nextDeliveryAt).toBeGreaterThan(first.shipsAt);
        for (const order of orders) expect(isOnAnchor(order.billingAt, anchor, timeZone)).toBe(true);
        expect(multipleOf(billing, delivery)).toBe(one.deliveries);
      },
    ),
    {
      ...RUNS,
      examples: [
        // The next delivery falls into the hour that the clock skips.
        [
          {
            delivery: { interval: 'MONTH', intervalCount: 7 },
            anchor: { type: 'MONTHDAY', day: 9 },
            deliveries: 2,
            billing: { interval: 'MONTH', intervalCount: 14 },
          },
          2066536800000,
          'America/New_York',
          null,
          'NEXT',
          12,
        ],
      ],
    },
  );
});

function noon(dayNumber: number): number {
  return dayNumber * DAY + DAY / 2;
}
