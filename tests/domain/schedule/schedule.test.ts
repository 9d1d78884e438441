import { describe, expect, it } from 'vitest';
import { addDays, atBillingHour, daysBetween, instant, stepDate } from '../../../src/domain/calendar/calendar.ts';
import { chargeOffsetDays } from '../../../src/domain/schedule/charge-offset.ts';
import {
  cycleDate,
  nextCharge,
  nextOrder,
  oneIntervalLater,
  plannedOrders,
  upcoming,
  type Schedule,
} from '../../../src/domain/schedule/schedule.ts';
import { at, local, scheduleOf } from '../support.ts';

const month = { interval: 'MONTH', intervalCount: 1 } as const;
const week = { interval: 'WEEK', intervalCount: 1 } as const;
const day = { interval: 'DAY', intervalCount: 1 } as const;
const NY = 'America/New_York';

const list = (schedule: Schedule, limit = 10) => upcoming(schedule, { from: schedule.baseAt, limit, months: 1200 });
const dates = (schedule: Schedule, limit?: number) =>
  list(schedule, limit).map(({ billingAt }) => local(billingAt, schedule.zone).slice(0, 10));

describe('stepping dates', () => {
  it('counts months from the base, so 31 January goes to 28 February and back to 31 March', () => {
    const base = at('2026-01-31T10:00', NY);
    expect([1, 2, 3, 13].map(n => local(stepDate(base, month, n, NY), NY))).toEqual([
      '2026-02-28 10:00',
      '2026-03-31 10:00',
      '2026-04-30 10:00',
      '2027-02-28 10:00',
    ]);
  });

  it('keeps 29 February in leap years only', () => {
    const base = at('2024-02-29T10:00');
    expect([1, 2, 3, 4].map(n => local(stepDate(base, { interval: 'YEAR', intervalCount: 1 }, n, 'UTC')))).toEqual([
      '2025-02-28 10:00',
      '2026-02-28 10:00',
      '2027-02-28 10:00',
      '2028-02-29 10:00',
    ]);
  });

  it('keeps the local hour over daylight saving', () => {
    const base = at('2026-03-07T09:00', NY);
    expect(local(stepDate(base, day, 1, NY), NY)).toBe('2026-03-08 09:00');
    expect(stepDate(base, day, 1, NY) - base).toBe(23 * 3_600_000);
    expect(stepDate(at('2026-10-31T09:00', NY), day, 1, NY) - at('2026-10-31T09:00', NY)).toBe(25 * 3_600_000);
  });

  it('moves an hour that the clock jumps over forward, for that day only', () => {
    const base = at('2026-03-07T02:30', NY);
    expect([1, 2].map(n => local(stepDate(base, day, n, NY), NY))).toEqual(['2026-03-08 03:30', '2026-03-09 02:30']);
    expect(local(stepDate(at('2026-03-07T12:00', NY), day, 1, NY, 2), NY)).toBe('2026-03-08 03:00');
    expect(local(stepDate(at('2026-04-23T12:00', 'Africa/Cairo'), day, 1, 'Africa/Cairo', 0), 'Africa/Cairo')).toBe('2026-04-24 01:00');
    expect(local(stepDate(at('2026-10-03T02:10', 'Australia/Lord_Howe'), day, 1, 'Australia/Lord_Howe'), 'Australia/Lord_Howe')).toBe(
      '2026-10-04 02:40',
    );
  });

  it('takes the first of an hour that comes twice, from summer and from winter alike', () => {
    const first = Date.UTC(2026, 10, 1, 5, 30);
    expect(stepDate(at('2026-10-31T01:30', NY), day, 1, NY)).toBe(first);
    expect(stepDate(at('2026-12-01T01:30', NY), month, -1, NY)).toBe(first);
    expect(instant({ year: 2026, month: 11, day: 1 }, { hour: 1, minute: 30, second: 0, millisecond: 0 }, NY)).toBe(first);
  });

  it("D256 takes the billing hour from 0 to 23, in the store's zone", () => {
    const base = at('2026-01-15T22:45', NY);
    expect(local(stepDate(base, month, 1, NY, 0), NY)).toBe('2026-02-15 00:00');
    expect(local(stepDate(base, month, 1, NY, 23), NY)).toBe('2026-02-15 23:00');
    expect(local(atBillingHour(base, NY, 9), NY)).toBe('2026-01-15 09:00');
    expect(() => stepDate(base, month, 1, NY, 24)).toThrow('The billing hour must be a whole number from 0 to 23, not 24.');
  });

  it("D257 keeps each order's own clock time when the billing hour is not set", () => {
    const base = at('2026-01-15T22:45:12.345', NY);
    expect(stepDate(base, month, 1, NY)).toBe(at('2026-02-15T22:45:12.345', NY));
    expect(atBillingHour(base, NY, null)).toBe(base);
    expect(stepDate(base, month, 0, NY)).toBe(base);
  });

  it('counts local days', () => {
    expect(daysBetween(at('2026-03-07T23:59', NY), at('2026-03-08T00:01', NY), NY)).toBe(1);
    expect(daysBetween(at('2026-03-08T00:01', NY), at('2026-03-07T23:59', NY), NY)).toBe(-1);
    expect(local(addDays(at('2026-03-01T09:00', NY), 10, NY), NY)).toBe('2026-03-11 09:00');
  });

  it('says when a zone or an instant is wrong', () => {
    expect(() => stepDate(0, month, 1, 'Mars/Base')).toThrow('"Mars/Base" is not a time zone. Use an IANA name such as Europe/Paris.');
    expect(() => stepDate(Number.NaN, month, 1, 'UTC')).toThrow('This is not a date');
  });
});

describe('upcoming orders', () => {
  it('lists the next 10 orders or 12 months, whichever is less', () => {
    const from = at('2026-01-01T09:00');
    expect(upcoming(scheduleOf({ deliveryPolicy: week, billingPolicy: week }), { from })).toHaveLength(10);
    expect(
      upcoming(
        scheduleOf({ deliveryPolicy: { interval: 'MONTH', intervalCount: 3 }, billingPolicy: { interval: 'MONTH', intervalCount: 3 } }),
        { from },
      ).map(({ billingAt }) => local(billingAt)),
    ).toEqual(['2026-04-01 09:00', '2026-07-01 09:00', '2026-10-01 09:00', '2027-01-01 09:00']);
    expect(upcoming(scheduleOf(), { from, limit: 3 })).toHaveLength(3);
  });

  it('always lists the very next order, even beyond the horizon or overdue', () => {
    const yearly = { interval: 'YEAR', intervalCount: 2 } as const;
    expect(upcoming(scheduleOf({ deliveryPolicy: yearly, billingPolicy: yearly }), { from: at('2026-01-01') })).toHaveLength(1);
    expect(local(upcoming(scheduleOf(), { from: at('2026-02-20') })[0]?.billingAt ?? 0)).toBe('2026-02-01 09:00');
  });

  it('carries cycle, order number, dates and status', () => {
    expect(list(scheduleOf({ nextCycle: 4, completedOrders: 3, chargeOffsetDays: 2 }), 1)).toEqual([
      {
        cycle: 4,
        orderNumber: 4,
        billingAt: at('2026-04-01T09:00'),
        deliveryAt: at('2026-04-03T09:00'),
        status: 'SCHEDULED',
        isPrepaidDelivery: false,
        isRescheduled: false,
      },
    ]);
  });

  it('charges earlier than it delivers when the schedule is by delivery date', () => {
    const [order] = list(scheduleOf({ chargeOffsetDays: 5, scheduleType: 'DELIVERY' }), 1);
    expect([local(order?.billingAt ?? 0), local(order?.deliveryAt ?? 0)]).toEqual(['2026-01-27 09:00', '2026-02-01 09:00']);
  });

  it('stops at the maximum of orders, the checkout order counting as the first', () => {
    expect(list(scheduleOf({ maxCycles: 4 })).map(({ orderNumber }) => orderNumber)).toEqual([2, 3, 4]);
    expect(list(scheduleOf({ maxCycles: 4, completedOrders: 4, nextCycle: 5 }))).toEqual([]);
    expect(nextOrder(scheduleOf({ maxCycles: 1 }))).toBeNull();
    expect(nextCharge(scheduleOf({ maxCycles: 1 }))).toBeNull();
  });

  it('does not count a skipped order, and later orders keep their dates', () => {
    const orders = list(scheduleOf({ maxCycles: 3, exceptions: new Map([[2, { status: 'SKIPPED' }]]) }));
    expect(orders.map(({ cycle, orderNumber, status }) => [cycle, orderNumber, status])).toEqual([
      [2, 2, 'SKIPPED'],
      [3, 2, 'SCHEDULED'],
      [4, 3, 'SCHEDULED'],
    ]);
    expect(local(orders[1]?.billingAt ?? 0)).toBe('2026-03-01 09:00');
    expect(nextOrder(scheduleOf({ exceptions: new Map([[2, { status: 'SKIPPED' }]]) }))?.cycle).toBe(3);
  });

  it('puts an unskipped order back on its date', () => {
    expect(list(scheduleOf({ exceptions: new Map([[2, { status: 'SCHEDULED' }]]) }), 3)).toEqual(list(scheduleOf(), 3));
  });

  it('moves one order alone, to the moment given', () => {
    const orders = list(
      scheduleOf({ billingHour: 6, exceptions: new Map([[3, { status: 'SCHEDULED', movedTo: at('2026-03-10T14:30') }]]) }),
      3,
    );
    expect(orders.map(({ billingAt, isRescheduled }) => [local(billingAt), isRescheduled])).toEqual([
      ['2026-02-01 06:00', false],
      ['2026-03-10 14:30', true],
      ['2026-04-01 06:00', false],
    ]);
  });

  it('moves all later orders with a new base', () => {
    expect(dates(scheduleOf({ baseAt: at('2026-02-10T09:00'), baseCycle: 2 }), 3)).toEqual(['2026-02-10', '2026-03-10', '2026-04-10']);
  });

  it('pushes the order after a moved one when both would fall on one day', () => {
    const moved = new Map([[2, { status: 'SCHEDULED', movedTo: at('2026-01-15T18:00') }]] as const);
    expect(dates(scheduleOf({ deliveryPolicy: week, billingPolicy: week, exceptions: moved }), 3)).toEqual([
      '2026-01-15',
      '2026-01-16',
      '2026-01-22',
    ]);
  });

  it('plans nothing on or before the day of the latest order', () => {
    expect(dates(scheduleOf({ lastOrderAt: at('2026-02-03T09:00') }), 2)).toEqual(['2026-02-04', '2026-03-01']);
  });

  it('D258 moves orders forward to an allowed weekday', () => {
    expect(dates(scheduleOf({ billingDays: [1, 5] }), 4)).toEqual(['2026-02-02', '2026-03-02', '2026-04-03', '2026-05-01']);
    expect(dates(scheduleOf({ billingDays: [] }), 1)).toEqual(['2026-02-01']);
    expect(dates(scheduleOf({ deliveryPolicy: day, billingPolicy: day, billingDays: [1, 2, 3, 4, 5] }), 4)).toEqual([
      '2026-01-02',
      '2026-01-05',
      '2026-01-06',
      '2026-01-07',
    ]);
    expect(() => dates(scheduleOf({ billingDays: [8] }))).toThrow('Billing days must be numbers from 1 (Monday) to 7 (Sunday).');
  });
});

describe('anchors', () => {
  it('D258 keeps every order on the weekday, 1 being Monday and 7 Sunday', () => {
    const base = { deliveryPolicy: { interval: 'WEEK', intervalCount: 2 }, billingPolicy: { interval: 'WEEK', intervalCount: 2 } } as const;
    expect(dates(scheduleOf({ ...base, baseAt: at('2026-01-05T09:00'), anchor: { type: 'WEEKDAY', day: 1 } }), 2)).toEqual([
      '2026-01-19',
      '2026-02-02',
    ]);
    expect(dates(scheduleOf({ ...base, baseAt: at('2026-01-04T09:00'), anchor: { type: 'WEEKDAY', day: 7 } }), 2)).toEqual([
      '2026-01-18',
      '2026-02-01',
    ]);
  });

  it('D259 takes 1 to 31 as the day of the month, on its last day where it lacks, and 32 as the last day', () => {
    const baseAt = at('2026-02-28T09:00');
    expect(dates(scheduleOf({ baseAt, anchor: { type: 'MONTHDAY', day: 30 } }), 3)).toEqual(['2026-03-30', '2026-04-30', '2026-05-30']);
    expect(dates(scheduleOf({ baseAt, anchor: { type: 'MONTHDAY', day: 31 } }), 3)).toEqual(['2026-03-31', '2026-04-30', '2026-05-31']);
    expect(dates(scheduleOf({ baseAt, anchor: { type: 'MONTHDAY', day: 32 } }), 3)).toEqual(['2026-03-31', '2026-04-30', '2026-05-31']);
    expect(dates(scheduleOf({ baseAt: at('2026-01-01T09:00'), anchor: { type: 'MONTHDAY', day: 1 } }), 2)).toEqual([
      '2026-02-01',
      '2026-03-01',
    ]);
  });

  it('D261 takes the day of a month of the year, 29 February being the 28th in common years', () => {
    const year = { interval: 'YEAR', intervalCount: 1 } as const;
    expect(
      dates(
        scheduleOf({
          baseAt: at('2024-02-29T09:00'),
          deliveryPolicy: year,
          billingPolicy: year,
          anchor: { type: 'YEARDAY', day: 29, month: 2 },
        }),
        4,
      ),
    ).toEqual(['2025-02-28', '2026-02-28', '2027-02-28', '2028-02-29']);
    expect(
      dates(
        scheduleOf({
          baseAt: at('2026-12-31T09:00'),
          deliveryPolicy: year,
          billingPolicy: year,
          anchor: { type: 'YEARDAY', day: 31, month: 12 },
        }),
        1,
      ),
    ).toEqual(['2027-12-31']);
  });

  it('leaves an order that was moved off the anchor where it is and brings the next ones back, not sooner than an interval', () => {
    const moved = scheduleOf({ baseAt: at('2026-01-31T09:00'), baseCycle: 2, anchor: { type: 'MONTHDAY', day: 30 } });
    expect(dates(moved, 4)).toEqual(['2026-01-31', '2026-02-28', '2026-03-30', '2026-04-30']);
    const later = scheduleOf({ baseAt: at('2026-01-20T09:00'), baseCycle: 2, anchor: { type: 'MONTHDAY', day: 15 } });
    expect(dates(later, 3)).toEqual(['2026-01-20', '2026-03-15', '2026-04-15']);
  });

  it('has no effect when it does not suit the frequency', () => {
    expect(dates(scheduleOf({ anchor: { type: 'WEEKDAY', day: 3 } }), 2)).toEqual(['2026-02-01', '2026-03-01']);
  });

  it('finds the date after a resume or a charge out of turn', () => {
    expect(local(oneIntervalLater(at('2026-01-20T14:00'), month, null, 'UTC', 9))).toBe('2026-02-20 09:00');
    expect(local(oneIntervalLater(at('2026-01-20T14:00'), month, { type: 'MONTHDAY', day: 1 }, 'UTC', null))).toBe('2026-03-01 14:00');
  });
});

const kinds = (schedule: Schedule, limit = 6) =>
  list(schedule, limit).map(
    ({ status, isPrepaidDelivery, orderNumber }) =>
      `${status === 'SKIPPED' ? 'skip ' : ''}${isPrepaidDelivery ? 'paid' : 'charge'} ${orderNumber}`,
  );

describe('prepaid', () => {
  const quarterly = scheduleOf({ billingPolicy: { interval: 'MONTH', intervalCount: 3 }, prepaidCreditsLeft: 2 });
  it('charges when no credit is left and delivers from credits in between', () => {
    expect(kinds(quarterly)).toEqual(['paid 1', 'paid 1', 'charge 2', 'paid 2', 'paid 2', 'charge 3']);
    expect(nextCharge(quarterly)?.cycle).toBe(4);
  });

  it('keeps the credit of a skipped delivery and moves the charge on', () => {
    expect(kinds({ ...quarterly, exceptions: new Map([[2, { status: 'SKIPPED' }]]) })).toEqual([
      'skip paid 1',
      'paid 1',
      'paid 1',
      'charge 2',
      'paid 2',
      'paid 2',
    ]);
    expect(kinds({ ...quarterly, exceptions: new Map([[4, { status: 'SKIPPED' }]]) })).toEqual([
      'paid 1',
      'paid 1',
      'skip charge 2',
      'charge 2',
      'paid 2',
      'paid 2',
    ]);
  });

  it('counts charges, not deliveries, towards the maximum, and sends what is paid before it ends', () => {
    expect(kinds({ ...quarterly, maxCycles: 2 }, 20)).toEqual(['paid 1', 'paid 1', 'charge 2', 'paid 2', 'paid 2']);
    expect(kinds({ ...quarterly, maxCycles: 1 }, 20)).toEqual(['paid 1', 'paid 1']);
  });

  it('ends with the last credit when it is marked for cancellation', () => {
    expect(kinds({ ...quarterly, isMarkedForCancellation: true }, 20)).toEqual(['paid 1', 'paid 1']);
  });

  it('uses credits that a merchant gave to a subscription that is not prepaid', () => {
    expect(kinds(scheduleOf({ prepaidCreditsLeft: 1 }), 3)).toEqual(['paid 1', 'charge 2', 'charge 3']);
  });
});

it('plans for ever when nothing ends the subscription', () => {
  const orders = plannedOrders(scheduleOf());
  for (let count = 0; count < 1_200; count += 1) expect(orders.next().done).toBe(false);
  expect(local(orders.next().value?.billingAt ?? 0)).toBe('2126-02-01 09:00');
});

it('runs forward even over a day that a zone left out', () => {
  const orders = list(
    scheduleOf({ zone: 'Pacific/Apia', baseAt: at('2011-12-28T10:00', 'Pacific/Apia'), deliveryPolicy: day, billingPolicy: day }),
    3,
  );
  expect(orders.map(({ billingAt }) => local(billingAt, 'Pacific/Apia'))).toEqual([
    '2011-12-29 10:00',
    '2011-12-31 10:00',
    '2012-01-01 10:00',
  ]);
});

it('gives the same date to a cycle wherever the list starts', () => {
  const schedule = scheduleOf({ baseAt: at('2026-01-31T09:00'), nextCycle: 7 });
  expect(list(schedule, 1)[0]?.billingAt).toBe(cycleDate(schedule, 7));
  expect(local(cycleDate(schedule, 7))).toBe('2026-07-31 09:00');
});

it('takes the charge offset of the province before the country before the default', () => {
  const settings = {
    chargeOffset: 2,
    countryBasedChargeOffset: [
      { countryCode: 'US', provinceCodes: 'ALL', offsetDays: 4 },
      { countryCode: 'US', provinceCodes: ['AK', 'HI'], offsetDays: 9 },
    ],
  } as const;
  expect(chargeOffsetDays(settings, { countryCode: 'US', provinceCode: 'HI' })).toBe(9);
  expect(chargeOffsetDays(settings, { countryCode: 'US', provinceCode: 'NY' })).toBe(4);
  expect(chargeOffsetDays(settings, { countryCode: 'US' })).toBe(4);
  expect(chargeOffsetDays(settings, { countryCode: 'CA', provinceCode: 'HI' })).toBe(2);
});
