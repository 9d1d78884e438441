// The order schedule over the wire: its page, the specification's calls part by part, the updates of existing subscriptions, tags, and third-party delivery.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DateTime } from 'luxon';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { overContracts, runUpdate } from '../../../../src/server/features/bulk-actions/updates/contract-update.ts';
import { chargeOffsets } from '../../../../src/server/features/bulk-actions/updates/order-schedule-update.ts';
import { oneEngine } from '../../../support/database.ts';
import { startTestServer, type Answered, type TestServer } from '../../../support/server.ts';

const ZONE = 'America/New_York';
const weekday = (at: Date): number => DateTime.fromJSDate(at, { zone: ZONE }).weekday;
const localDay = (at: Date): number =>
  Math.round(DateTime.fromJSDate(at, { zone: ZONE }).startOf('day').setZone('utc', { keepLocalTime: true }).toMillis() / 86_400_000);

describe.each(oneEngine)('order schedule on %s', engine => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({
      engine,
      jobs: true,
      seed: { contracts: 230, stores: 2 },
      tables: ['settings', 'preferences', 'preferences-app', 'order-schedule', 'order-tags', 'third-party-delivery', 'logs'],
    });
  });
  afterAll(() => server?.close());

  const query = <R>(text: string, params: unknown[] = []): Promise<R[]> =>
    server.services.db.ownerQuery<R>(text, params).then(({ rows }) => rows);
  const page = async (): Promise<JsonObject> => (await server.call('settings.get', { settingsPage: 'order-schedule' })).data as JsonObject;
  const save = async (over: JsonObject): Promise<Answered> =>
    server.call('settings.set', { ...(await page()), ...over, settingsPage: 'order-schedule' });
  const saved = async (over: JsonObject): Promise<JsonObject> => {
    const answer = await save(over);
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    return answer.data as JsonObject;
  };
  const finished = async (kind: string): Promise<JsonObject> => {
    for (;;) {
      const { data } = await server.call('preferences-app.updateStatus', { kind });
      if (data?.status === 'COMPLETED' || data?.status === 'FAILED') return data as JsonObject;
      await new Promise(resolve => setTimeout(resolve, 20));
    }
  };
  interface Row {
    id: number;
    next: Date;
    offset: number;
    type: string;
    country: string;
    province: string | null;
  }
  const active = (): Promise<Row[]> =>
    query<Row>(
      "select id, next_billing_at as next, charge_offset_days as offset, schedule_type as type, coalesce(shipping_address->>'countryCode', country_code) as country, shipping_address->>'provinceCode' as province from contracts where store_id = 1 and status = 'ACTIVE' and next_billing_at is not null order by id",
    );
  const forget = (): void => server.services.sessions.forget();
  const zapiet = async (value: JsonObject | null): Promise<void> => {
    await query(
      "update stores set details = case when $1::jsonb is null then details - 'zapiet' else jsonb_set(details, '{zapiet}', $1::jsonb) end where id = 1",
      [value === null ? null : JSON.stringify(value)],
    );
    forget();
  };

  test('the page has its defaults, validates its fields and says what is wrong where', async () => {
    expect(await page()).toMatchObject({
      version: 0,
      scheduleType: 'BILLING',
      onlyOnBillingDays: false,
      deliveryDateField: { enabled: false, source: 'ORDER_ATTRIBUTE', key: 'Delivery date', dateFormat: 'YYYY-MM-DD' },
      frequencyTag: { enabled: false, value: '{frequency}' },
    });
    const wrong = async (over: JsonObject): Promise<[string, string][]> =>
      ((await save(over)).body.errors as { pointer: string; message: string }[]).map(error => [error.pointer, error.message]);
    expect(await wrong({ onlyOnBillingDays: true, billingDays: [] })).toEqual([['/billingDays', 'Choose at least one weekday.']]);
    expect(await wrong({ scheduleType: 'DELIVERY', chargeOffset: 31, countryBasedChargeOffset: [] })).toEqual([
      ['/chargeOffset', 'Choose between 0 and 30 days.'],
    ]);
    expect(
      await wrong({
        scheduleType: 'DELIVERY',
        chargeOffset: 1,
        countryBasedChargeOffset: [
          { countryCode: 'US', provinceCodes: ['CA'], offsetDays: 2 },
          { countryCode: 'US', provinceCodes: ['CA'], offsetDays: 3 },
        ],
      }),
    ).toEqual([['/countryBasedChargeOffset/1/provinceCodes', 'CA is already in row 1.']]);
    expect(await wrong({ frequencyTag: { enabled: true, value: 'a, b' } })).toEqual([
      ['/frequencyTag/value', "Tags can't contain commas."],
    ]);
    expect(await wrong({ frequencyTag: { enabled: true, value: 'Every {fequency}' } })).toEqual([
      ['/frequencyTag/value', 'Unknown placeholder {fequency}. Use {delivery_date}, {billing_date}, {order_number}, {frequency} or {id}.'],
    ]);
    expect(await wrong({ deliveryDateField: { enabled: true, source: 'ORDER_ATTRIBUTE', key: '', dateFormat: 'YYYY-MM-DD' } })).toEqual([
      ['/deliveryDateField/key', 'Enter the name of the attribute.'],
    ]);
    expect((await page()).version).toBe(0);
    // Days before delivery mean nothing while dates are charge dates, and are not kept.
    await saved({ onlyOnBillingDays: true, billingDays: [2, 4] });
    expect(await page()).toMatchObject({ version: 1, onlyOnBillingDays: true, billingDays: [2, 4], chargeOffset: 0 });
  });

  test('C340 C341 specific billing days are read and saved apart; none allows all', async () => {
    expect((await server.call('order-schedule.billingDays')).data).toEqual({ specificBillingDays: [2, 4] });
    expect((await server.call('order-schedule.saveBillingDays', { specificBillingDays: [5, 1] })).data).toEqual({
      specificBillingDays: [1, 5],
    });
    expect(await page()).toMatchObject({ onlyOnBillingDays: true, billingDays: [5, 1] });
    expect((await server.call('order-schedule.saveBillingDays', { specificBillingDays: [] })).data).toEqual({ specificBillingDays: [] });
    expect(await page()).toMatchObject({ onlyOnBillingDays: false });
    expect((await server.call('order-schedule.saveBillingDays', { specificBillingDays: [8] })).status).toBe(422);
    expect((await server.call('order-schedule.saveBillingDays', { specificBillingDays: [1] }, { as: 'readOnly' })).status).toBe(403);
  });

  test('C339 C342 days before delivery by country and province; they need delivery dates', async () => {
    const rows = [
      { countryCode: 'CA', provinceCodes: 'ALL', offsetDays: 6 },
      { countryCode: 'US', provinceCodes: ['HI', 'AK'], offsetDays: 9 },
    ];
    expect((await server.call('order-schedule.saveChargeOffsets', { countryBasedChargeOffset: rows })).body).toMatchObject({
      code: 'INVALID_STATE',
      message: expect.stringContaining('charge dates'),
    });
    await saved({ scheduleType: 'DELIVERY', chargeOffset: 2, countryBasedChargeOffset: [] });
    expect((await server.call('order-schedule.saveChargeOffsets', { countryBasedChargeOffset: rows, chargeOffset: 3 })).data).toEqual({
      scheduleType: 'DELIVERY',
      chargeOffset: 3,
      countryBasedChargeOffset: rows,
    });
    expect((await server.call('order-schedule.chargeOffsets')).data).toEqual({
      scheduleType: 'DELIVERY',
      chargeOffset: 3,
      countryBasedChargeOffset: rows,
    });
    expect((await page()).countryBasedChargeOffset).toEqual([
      { countryCode: 'CA', provinceCodes: [], offsetDays: 6 },
      { countryCode: 'US', provinceCodes: ['HI', 'AK'], offsetDays: 9 },
    ]);
  });

  test('D107 D236 an action key that a call does not serve is an error that names it', async () => {
    for (const [call, key] of [
      ['change', 'moveEverything'],
      ['change', 'deliveryDateField'],
      ['change', '__proto__'],
      ['changeDateField', 'orderSchedule'],
      ['changeDateField', ''],
    ] as const) {
      const answer = await server.call(`order-schedule.${call}`, { actionKey: key, applyToExisting: true });
      expect([answer.status, answer.body.message], `${call} ${key}`).toEqual([422, `Invalid action key: ${key}`]);
    }
    expect(await query("select 1 from runs where kind in ('UPDATE_CHARGE_OFFSET', 'UPDATE_DELIVERY_DATE_FIELDS')")).toEqual([]);
  });

  test('D191 C343 the key orderSchedule changes it and, only when asked for, brings every running subscription to it', async () => {
    const before = await active();
    expect(before.every(row => row.type === 'BILLING' && row.offset === 0)).toBe(true);
    expect((await server.call('order-schedule.change', { actionKey: 'orderSchedule', chargeOffset: 4 })).data).toMatchObject({
      scheduleType: 'DELIVERY',
      chargeOffset: 4,
    });
    expect(await active()).toEqual(before);
    const started = await server.call('order-schedule.change', { actionKey: 'orderSchedule', applyToExisting: true });
    expect(started.data).toMatchObject({ kind: 'UPDATE_CHARGE_OFFSET', status: 'QUEUED' });
    const run = await finished('UPDATE_CHARGE_OFFSET');
    expect(run).toMatchObject({ status: 'COMPLETED', percent: 100, failed: 0 });
    expect(run.processed).toBe(run.total);
    const now = new Date();
    const after = await active();
    expect(after.map(row => row.id)).toEqual(before.map(row => row.id));
    for (const [index, row] of after.entries()) {
      const was = before[index] as Row;
      const offset = row.country === 'CA' ? 6 : row.country === 'US' && ['HI', 'AK'].includes(row.province ?? '') ? 9 : 4;
      expect([row.type, row.offset], `subscription ${row.id}`).toEqual(['DELIVERY', offset]);
      // The date stays and is a delivery date now; where that can't be charged in time any more it is charged tomorrow. What was due already stays due.
      const earlier = DateTime.fromJSDate(was.next, { zone: ZONE }).minus({ days: offset }).toJSDate();
      const expected = was.next <= now ? localDay(was.next) : earlier > now ? localDay(earlier) : localDay(now) + 1;
      expect(localDay(row.next), `subscription ${row.id}: ${was.next.toISOString()} ${row.next.toISOString()}`).toBe(expected);
    }
    expect((await query<{ action: string }>('select action from account_log where store_id = 1 order by id desc limit 1'))[0]?.action).toBe(
      'bulk_update.update_charge_offset',
    );
    const [note] = await query<{ source: string; data: JsonObject }>(
      "select source, data from events where store_id = 1 and key = 'order_schedule_preferences' order by id desc limit 1",
    );
    expect(note).toMatchObject({ source: 'System', data: { isAutomatic: true, after: { scheduleType: 'DELIVERY' } } });
    // Again: nothing is left to do.
    await server.call('order-schedule.change', { actionKey: 'orderSchedule', applyToExisting: true });
    expect((await finished('UPDATE_CHARGE_OFFSET')).succeeded).toBe(0);
    expect(await active()).toEqual(after);
  });

  test('weekdays reach existing subscriptions too: no order ahead is charged on another day, none is lost', async () => {
    const before = await active();
    await saved({ scheduleType: 'BILLING', onlyOnBillingDays: true, billingDays: [2, 5] });
    await server.call('order-schedule.change', { actionKey: 'orderSchedule', applyToExisting: true });
    expect(await finished('UPDATE_CHARGE_OFFSET')).toMatchObject({ status: 'COMPLETED' });
    const after = await active();
    expect(after.map(row => row.id)).toEqual(before.map(row => row.id));
    for (const row of after) expect([2, 5], `subscription ${row.id} on ${row.next.toISOString()}`).toContain(weekday(row.next));
  });

  test('an update that was interrupted goes on where it was, and changes no subscription twice', async () => {
    await saved({ scheduleType: 'BILLING', onlyOnBillingDays: true, billingDays: [3] });
    const [row] = await query<{ id: number }>(
      "insert into runs (store_id, kind, input) values (1, 'UPDATE_CHARGE_OFFSET', $1) returning id",
      [JSON.stringify({ page: await page() })],
    );
    const data = { storeId: 1, runId: row?.id ?? 0 };
    const noted = async (): Promise<number> =>
      (await query<{ n: number }>("select count(*) as n from events where store_id = 1 and key = 'order_schedule_preferences'"))[0]?.n ?? 0;
    const before = await noted();
    let steps = 0;
    const failing = {
      ...server.services,
      definitions: server.services.definitions,
      db: {
        ...server.services.db,
        inStore: ((storeId, work, options) => {
          steps += 1;
          if (steps === 3) throw new Error('The process ends here.');
          return server.services.db.inStore(storeId, work, options);
        }) as typeof server.services.db.inStore,
      },
    };
    await expect(runUpdate(failing, overContracts(chargeOffsets), data, new AbortController().signal, [])).rejects.toThrow(
      'The process ends here.',
    );
    const half = await noted();
    expect(half).toBeGreaterThan(before);
    await runUpdate(server.services, overContracts(chargeOffsets), data, new AbortController().signal, []);
    expect(
      await query(
        "select contract_id from events where store_id = 1 and key = 'order_schedule_preferences' and id > (select max(id) from events) - $1 group by contract_id having count(*) > 1",
        [(await noted()) - before],
      ),
    ).toEqual([]);
    for (const one of await active()) expect(weekday(one.next)).toBe(3);
  });

  test('D191 C344 the key deliveryDateField changes the fields and brings every running subscription to them', async () => {
    const field = { enabled: true, source: 'ORDER_ATTRIBUTE', key: 'Deliver on', dateFormat: 'DD/MM/YYYY' };
    expect(
      (
        await server.call('order-schedule.changeDateField', {
          actionKey: 'deliveryDateField',
          deliveryDateField: field,
          applyToExisting: true,
        })
      ).data,
    ).toMatchObject({ kind: 'UPDATE_DELIVERY_DATE_FIELDS' });
    expect(await finished('UPDATE_DELIVERY_DATE_FIELDS')).toMatchObject({ status: 'COMPLETED' });
    const { enabled: _enabled, ...kept } = field;
    const rows = await query<{ date_fields: JsonObject | null }>(
      "select distinct date_fields from contracts where store_id = 1 and status in ('ACTIVE', 'PAUSED')",
    );
    expect(rows.map(row => row.date_fields)).toEqual([{ delivery: kept, pickup: null }]);
    expect((await page()).deliveryDateField).toEqual(field);
    expect(await query("select 1 from contracts where store_id = 2 and (date_fields is not null or schedule_type <> 'BILLING')")).toEqual(
      [],
    );
  });

  test('one update of a kind at a time, by who may change', async () => {
    await query("insert into runs (store_id, kind, status) values (1, 'UPDATE_CHARGE_OFFSET', 'IN_PROGRESS')");
    expect((await server.call('order-schedule.change', { actionKey: 'orderSchedule', applyToExisting: true })).body).toMatchObject({
      code: 'INVALID_STATE',
      message: 'An update is already in progress.',
    });
    await query("update runs set status = 'FAILED' where store_id = 1 and status = 'IN_PROGRESS'");
    expect(
      (await server.call('order-schedule.change', { actionKey: 'orderSchedule', applyToExisting: true }, { as: 'readOnly' })).status,
    ).toBe(403);
    expect((await server.call('order-schedule.billingDays', {}, { as: 'readOnly' })).status).toBe(200);
  });

  test('D192 D193 C345 C346 the tag of a key: of orders only, saved by its text', async () => {
    expect((await server.call('order-tags.fetchByKey', { storeId: 1, entity: 'ORDER', tagKey: 'DELIVERY_DATE' })).data).toEqual({
      entity: 'ORDER',
      tagKey: 'DELIVERY_DATE',
      enabled: false,
      value: 'Deliver {delivery_date}',
      dateFormat: 'YYYY-MM-DD',
    });
    expect((await server.call('order-tags.fetchByKey', { storeId: 1, entity: 'CUSTOMER', tagKey: 'DELIVERY_DATE' })).status).toBe(422);
    expect((await server.call('order-tags.fetchByKey', { storeId: 1, entity: 'ORDER', tagKey: 'NOPE' })).status).toBe(422);
    const before = await page();
    expect(
      (
        await server.call('order-tags.upsert', {
          tagKey: 'DELIVERY_DATE',
          enabled: true,
          value: 'On {delivery_date}',
          dateFormat: 'DD.MM.YYYY',
        })
      ).data,
    ).toEqual({ entity: 'ORDER', tagKey: 'DELIVERY_DATE', enabled: true, value: 'On {delivery_date}', dateFormat: 'DD.MM.YYYY' });
    expect(await page()).toMatchObject({
      deliveryDateTag: { enabled: true, value: 'On {delivery_date}', dateFormat: 'DD.MM.YYYY' },
      billingDays: before.billingDays,
      deliveryDateField: before.deliveryDateField,
    });
    const wrong = await server.call('order-tags.upsert', { tagKey: 'ORDER_NUMBER', enabled: true, value: 'No {number}' });
    expect([wrong.status, (wrong.body.errors as { pointer: string }[]).map(error => error.pointer)]).toEqual([422, ['/value']]);
    expect(
      (await server.call('order-tags.upsert', { tagKey: 'ORDER_NUMBER', enabled: true, value: 'No {order_number}' }, { as: 'readOnly' }))
        .status,
    ).toBe(403);
  });

  test('C199 C200 C201 C202 while Zapiet is not connected the answers say so', async () => {
    expect((await server.call('third-party-delivery.isIntegrated')).data).toEqual({ isIntegrated: false, appInstalled: false });
    for (const [call, input] of [
      ['datesConfig', { deliveryMethod: 'SHIPPING' }],
      ['timeSlots', { date: '2099-01-01', deliveryMethod: 'SHIPPING' }],
      ['disablePreferences', {}],
    ] as const) {
      expect((await server.call(`third-party-delivery.${call}`, input)).body, call).toMatchObject({
        code: 'INVALID_STATE',
        message: "Zapiet isn't connected to this store. Connect it in your integrations first.",
      });
    }
  });

  test('C199 C200 C201 C202 connected, it answers the same each time from what the store has, and turns off what clashes', async () => {
    const today = DateTime.now().setZone(ZONE).startOf('day');
    const date = (days: number): string => today.plus({ days }).toISODate() ?? '';
    // A weekday is closed on which none of the dates below falls.
    const closed = today.plus({ days: 6 }).weekday;
    await zapiet({
      appInstalled: true,
      isIntegrated: true,
      minDays: 2,
      maxDays: 200,
      disabledWeekdays: [closed],
      disabledDates: [date(4), date(400)],
      slots: [
        { from: '09:00', to: '12:00' },
        { from: '17:00', to: '20:00', weekdays: [today.plus({ days: 3 }).weekday] },
        { from: '10:00', to: '18:00', methods: ['PICKUP'], locationIds: [1] },
      ],
    });
    expect((await server.call('third-party-delivery.isIntegrated')).data).toEqual({ isIntegrated: true, appInstalled: true });
    const config = await server.call('third-party-delivery.datesConfig', { deliveryMethod: 'SHIPPING', months: 2 });
    expect(config.data).toEqual({
      minDate: date(2),
      maxDate: today.plus({ months: 2 }).toISODate(),
      disabledDates: [date(4)],
      disabledWeekdays: [closed],
    });
    expect((await server.call('third-party-delivery.datesConfig', { deliveryMethod: 'SHIPPING', months: 2 })).data).toEqual(config.data);
    expect((await server.call('third-party-delivery.datesConfig', { deliveryMethod: 'SHIPPING', contractId: 999_999 })).status).toBe(404);
    expect((await server.call('third-party-delivery.timeSlots', { date: date(3), deliveryMethod: 'SHIPPING' })).data).toEqual([
      { id: `${date(3)} 09:00`, from: '09:00', to: '12:00', available: true },
      { id: `${date(3)} 17:00`, from: '17:00', to: '20:00', available: true },
    ]);
    expect((await server.call('third-party-delivery.timeSlots', { date: date(5), deliveryMethod: 'SHIPPING' })).data).toMatchObject([
      { available: true },
      { available: false },
    ]);
    for (const bad of [date(0), date(4), date(6), date(300)])
      expect((await server.call('third-party-delivery.timeSlots', { date: bad, deliveryMethod: 'SHIPPING' })).body, bad).toMatchObject({
        message: 'Choose another date, this one is not available.',
      });
    expect((await server.call('third-party-delivery.timeSlots', { date: date(3), deliveryMethod: 'PICKUP' })).body.message).toBe(
      'Choose a location for the pickup.',
    );
    expect(
      (await server.call('third-party-delivery.timeSlots', { date: date(3), deliveryMethod: 'PICKUP', locationId: 1 })).data,
    ).toHaveLength(3);
    expect(await page()).toMatchObject({ onlyOnBillingDays: true });
    expect((await server.call('third-party-delivery.disablePreferences', {}, { as: 'readOnly' })).status).toBe(403);
    expect((await server.call('third-party-delivery.disablePreferences')).data).toEqual({ disabled: ['specificBillingDays'] });
    expect(await page()).toMatchObject({ onlyOnBillingDays: false });
    expect((await server.call('third-party-delivery.disablePreferences')).data).toEqual({ disabled: [] });
    expect((await save({ onlyOnBillingDays: true, billingDays: [1] })).body.errors).toMatchObject([
      {
        pointer: '/onlyOnBillingDays',
        message: 'Zapiet chooses the days of your deliveries. Disconnect it to charge on certain weekdays only.',
      },
    ]);
    await zapiet(null);
  });

  test('delivery dates are part of a higher plan: on another, dates are charge dates and the rest of the page works', async () => {
    const [row] = await query<{ plan_id: number }>('select billing_plan_id as plan_id from stores where id = 1');
    await query('update stores set billing_plan_id = 2 where id = 1');
    forget();
    try {
      expect((await save({ scheduleType: 'DELIVERY', chargeOffset: 3 })).status).toBe(200);
      expect(await page()).toMatchObject({ scheduleType: 'BILLING', chargeOffset: 0 });
      await saved({ onlyOnBillingDays: true, billingDays: [1] });
      expect(await page()).toMatchObject({ onlyOnBillingDays: true, billingDays: [1] });
    } finally {
      await query('update stores set billing_plan_id = $1 where id = 1', [row?.plan_id]);
      forget();
    }
  });
});
