// The engine keeps to the order schedule a contract was sold under: weekdays, delivery dates charged before, tags and date fields of its
// orders.
import { describe, expect, it } from 'vitest';
import { DateTime } from 'luxon';
import type { JsonObject } from '../../../src/contract/types.ts';
import { applyDateFields, applyTerms } from '../../../src/server/engine/edits/order-schedule.ts';
import { updateShippingDetails } from '../../../src/server/engine/delivery/contract-delivery.ts';
import { chargeNow, delay, reschedule, rescheduleOneOrder, skipOrder } from '../../../src/server/engine/edits/orders.ts';
import { updateBillingDetails } from '../../../src/server/engine/edits/frequency.ts';
import { oneIntervalAfter, upcomingOrders } from '../../../src/server/engine/schedule.ts';
import { pause, resume } from '../../../src/server/engine/status.ts';
import { scheduleView } from '../../../src/server/engine/orders-response.ts';
import { UnitOfWork } from '../../../src/server/engine/unit-of-work.ts';
import { oneEngine } from '../../support/database.ts';
import { eachShop } from './each-shop.ts';
import { ADDRESS, MONTHLY, type Shop, WEEKLY } from './shop.ts';

const ZONE = 'America/New_York';
const day = (at: Date | number): string =>
  DateTime.fromMillis(at instanceof Date ? at.getTime() : at, { zone: ZONE }).toFormat('ccc yyyy-MM-dd HH:mm');
const epochOf = (text: string): number => Math.floor(Date.parse(text) / 1000);
const DELIVERY: JsonObject = {
  scheduleType: 'DELIVERY',
  chargeOffset: 3,
  countryBasedChargeOffset: [
    { countryCode: 'CA', provinceCodes: [], offsetDays: 7 },
    { countryCode: 'US', provinceCodes: ['HI'], offsetDays: 10 },
  ],
};
const MONDAYS: JsonObject = { scheduleType: 'BILLING', onlyOnBillingDays: true, billingDays: [1] };
const BY_CHARGE = { scheduleType: 'BILLING', billingDays: [], chargeOffsetDays: 0 } as const;

describe.each(oneEngine)('order schedule on %s', engine => {
  let shop: Shop;
  eachShop(engine, opened => {
    shop = opened;
  });

  /** Charge and delivery of the orders ahead, as the record shows them. */
  const ahead = async (id: number, limit = 3): Promise<[string, string][]> => {
    const subscription = await shop.get(id);
    return upcomingOrders(subscription, ZONE, shop.now, limit).map(order => [day(order.billingAt), day(order.deliveryAt)]);
  };

  it('an order whose date is another weekday is charged on the next one that is allowed; later ones are counted from the date itself', async () => {
    await shop.settings('order-schedule', MONDAYS);
    const id = await shop.contract({ first: '2026-02-01T14:00:00Z' });
    expect((await ahead(id)).map(([charge]) => charge)).toEqual(['Mon 2026-02-02 09:00', 'Mon 2026-03-02 09:00', 'Mon 2026-04-06 09:00']);
    expect(day((await shop.get(id)).contract.next_billing_at as Date)).toBe('Mon 2026-02-02 09:00');
    await shop.until('2026-05-01T00:00:00Z');
    const orders = (await shop.orders(id)).filter(order => order.status === 'PAID');
    expect(orders.map(order => [day(order.billing_at), day(order.processed_at as Date)])).toEqual(
      ['Mon 2026-02-02 09:00', 'Mon 2026-03-02 09:00', 'Mon 2026-04-06 09:00'].map(date => [date, date]),
    );
  });

  it('retries of a failed payment keep their own days', async () => {
    await shop.settings('order-schedule', MONDAYS);
    await shop.settings('paymentRecovery', { retryAttempts: 3, retrySpacingDays: 2 });
    const id = await shop.contract({ first: '2026-02-01T14:00:00Z', token: 'tok_fail_n_2_then_success' });
    await shop.until('2026-02-20T00:00:00Z');
    expect((await shop.attempts(id)).map(row => day(row.created_at))).toEqual([
      'Mon 2026-02-02 09:00',
      'Wed 2026-02-04 09:00',
      'Fri 2026-02-06 09:00',
    ]);
    expect((await ahead(id, 1))[0]?.[0]).toBe('Mon 2026-03-02 09:00');
  });

  it('D266 with delivery dates every delivery keeps its day of the month and is charged so many days before, over daylight saving', async () => {
    await shop.settings('order-schedule', DELIVERY);
    const id = await shop.contract({ first: '2026-01-28T19:30:00Z' });
    expect((await shop.get(id)).contract).toMatchObject({ schedule_type: 'DELIVERY', charge_offset_days: 3 });
    expect(await ahead(id)).toEqual([
      ['Wed 2026-01-28 14:30', 'Sat 2026-01-31 14:30'],
      ['Wed 2026-02-25 14:30', 'Sat 2026-02-28 14:30'],
      ['Sat 2026-03-28 14:30', 'Tue 2026-03-31 14:30'],
    ]);
    const shown = await shop.as()(async context => {
      const work = await UnitOfWork.open(context);
      const [subscription] = await work.load([id]);
      return scheduleView(work, subscription!, shop.now, 1);
    });
    expect(shown[0]).toMatchObject({
      type: 'delivery_scheduled_order',
      billingDateEpoch: epochOf('2026-01-28T19:30:00Z'),
      deliveryDateEpoch: epochOf('2026-01-31T19:30:00Z'),
    });
    await shop.until('2026-04-01T00:00:00Z');
    expect(
      (await shop.orders(id)).filter(order => order.status === 'PAID').map(order => [day(order.billing_at), day(order.delivery_at)]),
    ).toEqual([
      ['Wed 2026-01-28 14:30', 'Sat 2026-01-31 14:30'],
      ['Wed 2026-02-25 14:30', 'Sat 2026-02-28 14:30'],
      ['Sat 2026-03-28 14:30', 'Tue 2026-03-31 14:30'],
    ]);
  });

  it('an anchor is the day of delivery, also after a resume and a charge out of turn', async () => {
    await shop.settings('order-schedule', DELIVERY);
    const id = await shop.contract({
      first: '2026-01-20T15:00:00Z',
      billingPolicy: { ...WEEKLY, anchorType: 'WEEKDAY', anchorDay: 5 },
      deliveryPolicy: WEEKLY,
    });
    expect((await ahead(id)).slice(1).map(([charge, delivery]) => [charge.slice(0, 3), delivery.slice(0, 3)])).toEqual([
      ['Tue', 'Fri'],
      ['Tue', 'Fri'],
    ]);
    await shop.act(id, 'pause', (work, subscription) => pause(work, subscription, null));
    await shop.act(id, 'resume', (work, subscription) =>
      resume(work, subscription, oneIntervalAfter(subscription, work.at, work.zone, null)),
    );
    expect((await ahead(id)).map(([charge, delivery]) => [charge.slice(0, 3), delivery.slice(0, 3)])).toEqual([
      ['Tue', 'Fri'],
      ['Tue', 'Fri'],
      ['Tue', 'Fri'],
    ]);
    await shop.act(id, 'chargeNow', (work, subscription) => chargeNow(work, subscription, {}));
    expect((await ahead(id)).map(([, delivery]) => delivery.slice(0, 3))).toEqual(['Fri', 'Fri', 'Fri']);
    const [charged] = (await shop.orders(id)).filter(order => order.status === 'PAID');
    expect([day(charged!.billing_at), day(charged!.delivery_at)]).toEqual(['Sat 2026-01-10 10:00', 'Tue 2026-01-13 10:00']);
  });

  it('moving, delaying and skipping speak of charge dates and move the delivery along', async () => {
    await shop.settings('order-schedule', DELIVERY);
    const id = await shop.contract({ first: '2026-02-01T15:00:00Z' });
    await shop.act(id, 'rescheduleOneOrder', (work, subscription) =>
      rescheduleOneOrder(work, subscription, { billingDateEpoch: epochOf('2026-02-05T15:00:00Z') }),
    );
    expect(await ahead(id, 2)).toEqual([
      ['Thu 2026-02-05 10:00', 'Sun 2026-02-08 10:00'],
      ['Sun 2026-03-01 10:00', 'Wed 2026-03-04 10:00'],
    ]);
    await shop.act(id, 'reschedule', (work, subscription) =>
      reschedule(work, subscription, { nextBillingDateEpoch: epochOf('2026-02-10T15:00:00Z') }),
    );
    await shop.act(id, 'delay', (work, subscription) => delay(work, subscription, { days: 2 }));
    expect(await ahead(id, 2)).toEqual([
      ['Thu 2026-02-12 10:00', 'Sun 2026-02-15 10:00'],
      ['Thu 2026-03-12 10:00', 'Sun 2026-03-15 10:00'],
    ]);
    await shop.act(id, 'skipOrder', (work, subscription) => skipOrder(work, subscription, {}));
    await shop.act(id, 'updateBillingDetails', (work, subscription) => updateBillingDetails(work, subscription, { billingPolicy: WEEKLY }));
    expect((await ahead(id, 3)).map(([charge]) => charge)).toEqual([
      'Thu 2026-03-12 10:00',
      'Thu 2026-03-19 10:00',
      'Thu 2026-03-26 10:00',
    ]);
  });

  it('a day that is chosen for an order is moved to the next weekday on which it may be charged', async () => {
    await shop.settings('order-schedule', MONDAYS);
    const id = await shop.contract({ first: '2026-02-01T15:00:00Z' });
    await shop.act(id, 'rescheduleOneOrder', (work, subscription) =>
      rescheduleOneOrder(work, subscription, { billingDateEpoch: epochOf('2026-02-04T15:00:00Z') }),
    );
    expect((await ahead(id, 2)).map(([charge]) => charge)).toEqual(['Mon 2026-02-09 10:00', 'Mon 2026-03-02 10:00']);
    await shop.act(id, 'reschedule', (work, subscription) =>
      reschedule(work, subscription, { nextBillingDateEpoch: epochOf('2026-02-17T15:00:00Z') }),
    );
    expect((await ahead(id, 2)).map(([charge]) => charge)).toEqual(['Mon 2026-02-23 10:00', 'Mon 2026-03-23 10:00']);
  });

  it('the days before delivery follow the address: another country, another province, not another street', async () => {
    await shop.settings('order-schedule', DELIVERY);
    const id = await shop.contract({ first: '2026-02-17T15:00:00Z' });
    const move = (address: object) =>
      shop.act(id, 'updateShippingDetails', (work, subscription) =>
        updateShippingDetails(work, subscription, { address: { ...ADDRESS, ...address }, optionCode: 'STANDARD' }),
      );
    await shop.settings('order-schedule', { ...DELIVERY, chargeOffset: 5 });
    await move({ address1: '2 Oak Street' });
    expect((await ahead(id, 1))[0]).toEqual(['Tue 2026-02-17 10:00', 'Fri 2026-02-20 10:00']);
    await move({ provinceCode: 'HI', zip: '96801' });
    expect((await ahead(id, 1))[0]).toEqual(['Tue 2026-02-10 10:00', 'Fri 2026-02-20 10:00']);
    await move({ countryCode: 'CA', provinceCode: 'ON', zip: 'K1A 0A1' });
    expect((await ahead(id, 2))[0]).toEqual(['Fri 2026-02-13 10:00', 'Fri 2026-02-20 10:00']);
    expect(await shop.log(id)).toEqual(expect.arrayContaining(['order_schedule_preferences']));
  });

  it('a changed setting moves no subscription that there is; taking it over keeps every date and reads it again', async () => {
    const id = await shop.contract({ first: '2026-02-20T15:00:00Z' });
    const before = await ahead(id);
    await shop.settings('order-schedule', DELIVERY);
    expect(await ahead(id)).toEqual(before);
    await shop.act(id, 'updateQuantity', (work, subscription) =>
      applyTerms(work, subscription, { scheduleType: 'DELIVERY', billingDays: [], chargeOffsetDays: 3 }),
    );
    expect(await ahead(id, 2)).toEqual([
      ['Tue 2026-02-17 10:00', 'Fri 2026-02-20 10:00'],
      ['Tue 2026-03-17 10:00', 'Fri 2026-03-20 10:00'],
    ]);
    await shop.act(id, 'updateQuantity', (work, subscription) => applyTerms(work, subscription, BY_CHARGE));
    expect(await ahead(id)).toEqual(before);
    const notes = (await shop.activity(id)).filter(row => row.key === 'order_schedule_preferences').map(row => row.data);
    expect(notes[0]).toMatchObject({
      before: { scheduleType: 'BILLING', chargeOffsetDays: 0 },
      after: { scheduleType: 'DELIVERY', chargeOffsetDays: 3 },
    });
  });

  it('nothing is charged on the spot because its charge date came to lie in the past: that order moves, or all of them', async () => {
    const apply = (id: number, chargeOffsetDays: number) =>
      shop.act(id, 'updateQuantity', (work, subscription) =>
        applyTerms(work, subscription, { scheduleType: 'DELIVERY', billingDays: [], chargeOffsetDays }),
      );
    const monthly = await shop.contract({ first: '2026-01-12T15:00:00Z' });
    await apply(monthly, 5);
    expect(await ahead(monthly, 2)).toEqual([
      ['Sun 2026-01-11 10:00', 'Fri 2026-01-16 10:00'],
      ['Sat 2026-02-07 10:00', 'Thu 2026-02-12 10:00'],
    ]);
    const weekly = await shop.contract({ first: '2026-01-12T15:00:00Z', every: WEEKLY });
    await apply(weekly, 20);
    expect(await ahead(weekly, 3)).toEqual([
      ['Sun 2026-01-11 10:00', 'Sat 2026-01-31 10:00'],
      ['Sun 2026-01-18 10:00', 'Sat 2026-02-07 10:00'],
      ['Sun 2026-01-25 10:00', 'Sat 2026-02-14 10:00'],
    ]);
    expect((await shop.attempts(monthly)).length + (await shop.attempts(weekly)).length).toBe(0);
  });

  it('what was moved by hand stays on its date, and a paused one takes the terms with it', async () => {
    const id = await shop.contract({ first: '2026-02-01T15:00:00Z' });
    await shop.act(id, 'rescheduleOneOrder', (work, subscription) =>
      rescheduleOneOrder(work, subscription, { billingDateEpoch: epochOf('2026-02-09T15:00:00Z') }),
    );
    await shop.act(id, 'updateQuantity', (work, subscription) =>
      applyTerms(work, subscription, { scheduleType: 'DELIVERY', billingDays: [], chargeOffsetDays: 4 }),
    );
    expect(await ahead(id, 2)).toEqual([
      ['Thu 2026-02-05 10:00', 'Mon 2026-02-09 10:00'],
      ['Wed 2026-02-25 10:00', 'Sun 2026-03-01 10:00'],
    ]);
    const paused = await shop.contract({ first: '2026-02-01T15:00:00Z' });
    await shop.act(paused, 'pause', (work, subscription) => pause(work, subscription, new Date('2026-03-02T15:00:00Z')));
    await shop.act(paused, 'updateQuantity', (work, subscription) =>
      applyTerms(work, subscription, { scheduleType: 'BILLING', billingDays: [3], chargeOffsetDays: 0 }),
    );
    await shop.until('2026-03-03T00:00:00Z');
    expect((await ahead(paused, 1))[0]?.[0]).toBe('Wed 2026-03-04 10:00');
  });

  it('D193 placed orders carry the tags with their own dates, number and frequency, besides the subscription tags', async () => {
    await shop.settings('order-schedule', {
      ...DELIVERY,
      deliveryDateTag: { enabled: true, value: 'Deliver {delivery_date}', dateFormat: 'DD/MM/YYYY' },
      billingDateTag: { enabled: true, value: 'Charged {billing_date}', dateFormat: 'MM-DD-YYYY' },
      orderNumberTag: { enabled: true, value: 'No {order_number} of {id}' },
      frequencyTag: { enabled: true, value: '{frequency}' },
    });
    const id = await shop.contract({ first: '2026-02-01T15:00:00Z', token: 'tok_fail_n_1_then_success' });
    await shop.until('2026-03-10T00:00:00Z');
    const { contract } = await shop.get(id);
    const [first, second] = (await shop.orders(id)).filter(order => order.status === 'PAID');
    expect(first?.tags).toEqual([
      'Subscription',
      'Subscription Recurring Order',
      `Subscription #${contract.shopify_id}`,
      'Deliver 04/02/2026',
      'Charged 02-01-2026',
      `No 1 of ${contract.shopify_id}`,
      'Every month',
    ]);
    expect(second?.tags.slice(3, 6)).toEqual(['Deliver 04/03/2026', 'Charged 03-01-2026', `No 2 of ${contract.shopify_id}`]);
  });

  it('placed orders say their date in the delivery or the pickup field, in place of what was chosen at checkout', async () => {
    await shop.settings('order-schedule', {
      ...DELIVERY,
      deliveryDateField: { enabled: true, source: 'ORDER_ATTRIBUTE', key: 'Delivery date', dateFormat: 'YYYY-MM-DD' },
      pickupDateField: { enabled: true, source: 'NOTE_ATTRIBUTE', key: 'Pickup', dateFormat: 'DD.MM.YYYY' },
    });
    const shipped = await shop.contract({
      first: '2026-02-01T15:00:00Z',
      customAttributes: [
        { key: 'Delivery date', value: '2026-01-10' },
        { key: 'gift', value: 'no' },
      ],
    });
    const picked = await shop.contract({
      first: '2026-02-01T15:00:00Z',
      deliveryType: 'PICKUP',
      optionCode: 'LOCATION-1',
      note: 'Ring twice\nPickup: 01.01.2026',
    });
    await shop.until('2026-02-10T00:00:00Z');
    const [order] = await shop.orders(shipped);
    expect(order).toMatchObject({
      note: '',
      custom_attributes: [
        { key: 'Delivery date', value: '2026-02-04' },
        { key: 'gift', value: 'no' },
      ],
    });
    expect((await shop.get(shipped)).contract.custom_attributes).toEqual([
      { key: 'Delivery date', value: '2026-01-10' },
      { key: 'gift', value: 'no' },
    ]);
    expect((await shop.orders(picked))[0]?.note).toBe('Ring twice\nPickup: 04.02.2026');
    await shop.act(shipped, 'updateQuantity', (work, subscription) => {
      expect(applyDateFields(work, subscription, work.settings.orderSchedule.dateFields)).toBe(false);
    });
    await shop.act(shipped, 'updateQuantity', (work, subscription) => {
      expect(applyDateFields(work, subscription, { delivery: null, pickup: null })).toBe(true);
    });
    await shop.until('2026-03-10T00:00:00Z');
    expect((await shop.orders(shipped))[1]?.custom_attributes).toEqual([
      { key: 'Delivery date', value: '2026-01-10' },
      { key: 'gift', value: 'no' },
    ]);
  });

  it('prepaid deliveries are dated like all others: one charge, three delivery dates', async () => {
    await shop.settings('order-schedule', DELIVERY);
    const id = await shop.contract({
      first: '2026-01-28T15:00:00Z',
      billingPolicy: { interval: 'MONTH', intervalCount: 3 },
      deliveryPolicy: MONTHLY,
    });
    await shop.until('2026-05-01T00:00:00Z');
    const orders = (await shop.orders(id)).filter(order => order.status === 'PAID');
    expect(orders.map(order => [order.is_prepaid_delivery, day(order.delivery_at).slice(4, 14)])).toEqual([
      [false, '2026-01-31'],
      [true, '2026-02-28'],
      [true, '2026-03-31'],
      [false, '2026-04-30'],
    ]);
  });
});
