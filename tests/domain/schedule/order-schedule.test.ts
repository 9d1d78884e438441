// The order schedule as the settings page says it: terms of a place, tags, dates in figures, what is wrong with it, and the preview.
import { describe, expect, it } from 'vitest';
import { withDefaults } from '../../../src/contract/validation/defaults.ts';
import { orderScheduleErrors, orderScheduleOf, ORDER_TYPES, termsFor } from '../../../src/domain/schedule/order-schedule-settings.ts';
import { previewOrders } from '../../../src/domain/schedule/order-schedule-preview.ts';
import { fillTag, scheduleTags, tagProblem, type OrderTag } from '../../../src/domain/schedule/order-tags.ts';
import { onAllowedDay } from '../../../src/domain/schedule/schedule.ts';
import { shortDate } from '../../../src/domain/calendar/short-date.ts';
import type { JsonObject } from '../../../src/contract/types.ts';
import { productDefinitions } from '../../support/definitions.ts';
import { at, local } from '../support.ts';

const page = (changes: JsonObject = {}): JsonObject =>
  withDefaults<JsonObject>(productDefinitions().settings['order-schedule'] ?? {}, changes);
const NEW_YORK = 'America/New_York';

describe('terms', () => {
  const rows = [
    { countryCode: 'US', provinceCodes: [], offsetDays: 4 },
    { countryCode: 'US', provinceCodes: ['HI', 'ak'], offsetDays: 9 },
    { countryCode: 'CA', provinceCodes: ['QC'], offsetDays: 6 },
  ];
  const settings = orderScheduleOf(
    page({ scheduleType: 'DELIVERY', chargeOffset: 2, countryBasedChargeOffset: rows, onlyOnBillingDays: true, billingDays: [1] }),
  );

  it('a province counts before its country, the country before the rest', () => {
    const days = (countryCode: string, provinceCode: string | null) => termsFor(settings, { countryCode, provinceCode }).chargeOffsetDays;
    expect([
      days('US', 'HI'),
      days('US', 'AK'),
      days('US', 'NY'),
      days('US', null),
      days('CA', 'QC'),
      days('CA', 'ON'),
      days('FR', null),
    ]).toEqual([9, 9, 4, 4, 6, 2, 2]);
  });
  it('D266 an order is scheduled by its delivery or by its billing; weekdays belong to charge dates, days before delivery to delivery dates', () => {
    expect(ORDER_TYPES).toEqual({ DELIVERY: 'delivery_scheduled_order', BILLING: 'billing_scheduled_order' });
    expect(settings.billingDays).toEqual([]);
    const billing = orderScheduleOf(
      page({ chargeOffset: 5, countryBasedChargeOffset: rows, onlyOnBillingDays: true, billingDays: [5, 2] }),
    );
    expect(billing).toMatchObject({ scheduleType: 'BILLING', billingDays: [2, 5], chargeOffset: 0, countryBasedChargeOffset: [] });
    expect(orderScheduleOf(page({ billingDays: [1] })).billingDays).toEqual([]);
  });
  it('a page that is half typed is read as far as it goes', () => {
    expect(
      orderScheduleOf({
        scheduleType: 'DELIVERY',
        chargeOffset: null,
        countryBasedChargeOffset: [{}, { countryCode: 'US' }, null],
        deliveryDateField: { enabled: true, key: '  ' },
      }),
    ).toMatchObject({
      chargeOffset: 0,
      countryBasedChargeOffset: [{ countryCode: 'US', provinceCodes: 'ALL', offsetDays: 0 }],
      dateFields: { delivery: null, pickup: null },
    });
    expect(orderScheduleOf({ onlyOnBillingDays: true, billingDays: [9, 'x', 3, 3] }).billingDays).toEqual([3]);
  });
});

describe('what is wrong with a page', () => {
  const wrong = (changes: JsonObject) => orderScheduleErrors(page(changes)).map(({ pointer, message }) => [pointer, message]);

  it('a place stands in one row only', () => {
    expect(
      wrong({
        scheduleType: 'DELIVERY',
        countryBasedChargeOffset: [
          { countryCode: 'US', provinceCodes: [], offsetDays: 1 },
          { countryCode: 'US', provinceCodes: ['CA'], offsetDays: 2 },
          { countryCode: 'CA', provinceCodes: [], offsetDays: 2 },
        ],
      }),
    ).toEqual([]);
    expect(
      wrong({
        scheduleType: 'DELIVERY',
        countryBasedChargeOffset: [
          { countryCode: 'US', provinceCodes: ['CA', 'NY'], offsetDays: 1 },
          { countryCode: 'FR', provinceCodes: [], offsetDays: 2 },
          { countryCode: 'US', provinceCodes: ['ny'], offsetDays: 3 },
          { countryCode: 'FR', provinceCodes: [], offsetDays: 4 },
        ],
      }),
    ).toEqual([
      ['/countryBasedChargeOffset/2/provinceCodes', 'NY is already in row 1.'],
      ['/countryBasedChargeOffset/3/countryCode', 'This country is already in row 2. Name provinces, or leave one of both.'],
    ]);
  });
  it('tags that are used can be filled in and are short enough; others are left alone', () => {
    expect(
      wrong({
        deliveryDateTag: { enabled: true, value: 'On {delivery_day}', dateFormat: 'YYYY-MM-DD' },
        billingDateTag: { enabled: false, value: '{nope}', dateFormat: 'YYYY-MM-DD' },
      }),
    ).toEqual([
      [
        '/deliveryDateTag/value',
        'Unknown placeholder {delivery_day}. Use {delivery_date}, {billing_date}, {order_number}, {frequency} or {id}.',
      ],
    ]);
    expect(tagProblem('{delivery_date')).toBe('A placeholder is written in braces, such as {delivery_date}.');
    expect(tagProblem('To be delivered by van on {delivery_date} early')).toBe(
      'Filled in, this tag can be 42 characters long. A tag can have at most 40.',
    );
    expect(tagProblem('{}')).toContain('Unknown placeholder {}');
    expect(['{frequency}', 'Plain', '#{id} {order_number}', '{constructor}'].map(tagProblem)).toEqual([
      null,
      null,
      null,
      expect.stringContaining('Unknown placeholder {constructor}'),
    ]);
  });
  it('one attribute is not written in two ways', () => {
    const field = (dateFormat: string): JsonObject => ({ enabled: true, source: 'ORDER_ATTRIBUTE', key: 'Date', dateFormat });
    expect(wrong({ deliveryDateField: field('YYYY-MM-DD'), pickupDateField: field('DD/MM/YYYY') })).toEqual([
      ['/pickupDateField/dateFormat', expect.stringContaining('the same attribute')],
    ]);
    expect(wrong({ deliveryDateField: field('YYYY-MM-DD'), pickupDateField: field('YYYY-MM-DD') })).toEqual([]);
  });
});

describe('tags and dates in figures', () => {
  const facts = {
    billingAt: at('2026-03-08T23:30', NEW_YORK),
    deliveryAt: at('2026-03-11T00:30', NEW_YORK),
    orderNumber: 7,
    frequency: 'Every 2 weeks',
    subscriptionId: 77,
  };
  const tag = (tagKey: OrderTag['tagKey'], value: string, enabled = true): OrderTag => ({
    tagKey,
    enabled,
    value,
    dateFormat: 'DD.MM.YYYY',
  });

  it("dates are those of the store's zone", () => {
    expect(shortDate(facts.billingAt, NEW_YORK, 'MM/DD/YYYY')).toBe('03/08/2026');
    expect(shortDate(facts.billingAt, 'Asia/Tokyo', 'YYYY-DD-MM')).toBe('2026-09-03');
    expect(fillTag(tag('DELIVERY_DATE', '{delivery_date}|{billing_date}|{order_number}|{frequency}|{id}'), facts, NEW_YORK)).toBe(
      '11.03.2026|08.03.2026|7|Every 2 weeks|77',
    );
  });
  it('an order gets the tags that are used, each once, none longer than the platform takes', () => {
    expect(
      scheduleTags(
        [tag('DELIVERY_DATE', 'A {delivery_date}'), tag('BILLING_DATE', 'B', false), tag('ORDER_NUMBER', 'Same'), tag('FREQUENCY', 'Same')],
        facts,
        NEW_YORK,
      ),
    ).toEqual(['A 11.03.2026', 'Same']);
    expect(scheduleTags([tag('FREQUENCY', `${'x'.repeat(39)} {frequency}`)], facts, NEW_YORK)).toEqual(['x'.repeat(39)]);
  });
});

describe('preview', () => {
  const ask = (changes: JsonObject, countryCode = 'US') =>
    previewOrders(page(changes), {
      zone: NEW_YORK,
      now: at('2026-01-31T09:00', NEW_YORK),
      every: { interval: 'MONTH', intervalCount: 1 },
      countryCode,
    }).map(order => [order.orderNumber, local(order.billingAt, NEW_YORK).slice(0, 10), local(order.deliveryAt, NEW_YORK).slice(0, 10)]);

  it('shows the next three orders as the engine will date them', () => {
    expect(ask({})).toEqual([
      [2, '2026-02-28', '2026-02-28'],
      [3, '2026-03-31', '2026-03-31'],
      [4, '2026-04-30', '2026-04-30'],
    ]);
    expect(ask({ onlyOnBillingDays: true, billingDays: [1] })).toEqual([
      [2, '2026-03-02', '2026-03-02'],
      [3, '2026-04-06', '2026-04-06'],
      [4, '2026-05-04', '2026-05-04'],
    ]);
    const delivery = {
      scheduleType: 'DELIVERY',
      chargeOffset: 3,
      countryBasedChargeOffset: [{ countryCode: 'CA', provinceCodes: [], offsetDays: 10 }],
    };
    expect(ask(delivery)).toEqual([
      [2, '2026-02-28', '2026-03-03'],
      [3, '2026-03-31', '2026-04-03'],
      [4, '2026-04-30', '2026-05-03'],
    ]);
    expect(ask(delivery, 'CA')[0]).toEqual([2, '2026-02-28', '2026-03-10']);
  });
  it('shows tags and date field of each order', () => {
    const [first] = previewOrders(
      page({
        deliveryDateTag: { enabled: true, value: 'Deliver {delivery_date}', dateFormat: 'DD/MM/YYYY' },
        frequencyTag: { enabled: true, value: '{frequency}' },
        deliveryDateField: { enabled: true, source: 'ORDER_ATTRIBUTE', key: 'Day', dateFormat: 'YYYY.MM.DD' },
      }),
      { zone: 'UTC', now: at('2026-05-01T12:00'), every: { interval: 'WEEK', intervalCount: 2 }, countryCode: 'US' },
    );
    expect(first).toMatchObject({ tags: ['Deliver 15/05/2026', 'Every 2 weeks'], field: { key: 'Day', value: '2026.05.15' } });
  });
});

it('a date moves forward to the next weekday that is allowed, at its own time of day', () => {
  // The Sunday on which New York's clocks go forward, half past two, which there is not; Monday has it.
  expect(local(onAllowedDay(at('2026-03-07T02:30', NEW_YORK), NEW_YORK, [1]), NEW_YORK)).toBe('2026-03-09 02:30');
  expect(local(onAllowedDay(at('2026-03-07T02:30', NEW_YORK), NEW_YORK, [7]), NEW_YORK)).toBe('2026-03-08 03:30');
  expect(onAllowedDay(at('2026-03-09T02:30', NEW_YORK), NEW_YORK, [1])).toBe(at('2026-03-09T02:30', NEW_YORK));
  expect(onAllowedDay(5, 'UTC', [])).toBe(5);
});
