import { DateTime } from 'luxon';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { ACTIONS } from '../../../../src/server/engine/actions/catalogue.ts';
import { changedBy } from '../../../../src/server/engine/actions/code/update-price.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { inDays, makeContract, offerPlans, stockGoods, type Goods, type Made } from '../subscriptions/fixture.ts';
import { Bulk } from './helpers.ts';

// What the actions do is the engine's; here is what each makes of its form, and what it leaves alone.
let server: TestServer;
let bulk: Bulk;
let goods: Goods;
const tried = new Set<string>();
beforeAll(async () => {
  server = await startTestServer({ jobs: true, seed: { contracts: 5, stores: 1 }, config: { portalUrl: 'https://portal.example.com' } });
  bulk = new Bulk(server);
  goods = await stockGoods(server);
});
afterAll(() => server?.close());

/** Runs an action on subscriptions; gives the rows and the contracts as the record call shows them. */
async function run(key: string, made: Made[], input: JsonObject = {}): Promise<{ rows: JsonObject[]; views: Record<string, any>[] }> {
  tried.add(key);
  const done = await bulk.run(key, { mode: 'IDS', ids: made.map(one => one.id) }, input);
  expect(['COMPLETED', 'COMPLETED_WITH_ERRORS']).toContain(done.status);
  const rows = await bulk.rows(Number(done.id));
  for (const row of rows) {
    const notes = await bulk.notes(Number(row.subscriptionId), Number(done.id));
    expect([key, row.reason, notes.map(note => note.source)]).toEqual([
      key,
      row.reason,
      row.status === 'SUCCESS' && key !== 'EXPORT_SUBSCRIPTION' ? ['System'] : [],
    ]);
  }
  const views = [];
  for (const { id } of made) views.push((await server.call('subscription-contract.read', { id })).data);
  return { rows, views };
}
const make = (over: JsonObject & { tokens?: string[] } = {}): Promise<Made> => makeContract(server, goods, over);
const outcome = (rows: JsonObject[]): unknown[] => rows.map(row => (row.reason === null ? row.status : `${row.status}: ${row.reason}`));
const local = (epoch: number): DateTime => DateTime.fromSeconds(epoch, { zone: 'America/New_York' });
const day = (epoch: number): string => local(epoch).toISODate() ?? '';

test('pause, resume, cancel and reactivate move each subscription as the single actions do, and skip those that they are not for', async () => {
  const [a, b] = [await make(), await make()];
  expect((await run('PAUSE_SUBSCRIPTION', [a], { until: 'DURATION', intervalCount: 2, intervalType: 'WEEK' })).views[0]).toMatchObject({
    status: 'PAUSED',
    resumeDateEpoch: expect.any(Number),
  });
  expect(outcome((await run('PAUSE_SUBSCRIPTION', [a, b], { until: 'INDEFINITE' })).rows)).toEqual([
    'SKIPPED: This subscription is already paused.',
    'SUCCESS',
  ]);
  const date = inDays(12);
  const resumed = await run('RESUME_SUBSCRIPTION', [a, b], { from: 'DATE', nextBillingDateEpoch: date });
  expect(resumed.views.map(view => [view.status, day(view.nextBillingDateEpoch)])).toEqual([
    ['ACTIVE', day(date)],
    ['ACTIVE', day(date)],
  ]);
  expect(outcome((await run('RESUME_SUBSCRIPTION', [a], { from: 'INTERVAL' })).rows)).toEqual([
    'SKIPPED: Only paused subscriptions can be resumed.',
  ]);
  expect((await run('CANCEL_SUBSCRIPTION', [a], { cancellationReason: 'Other', cancellationComment: 'Cleared' })).views[0]).toMatchObject({
    status: 'CANCELLED',
    cancellationReason: 'Other',
    cancellationComment: 'Cleared',
    cancellationSource: 'MERCHANT',
  });
  expect(outcome((await run('CANCEL_SUBSCRIPTION', [a], { cancellationReason: 'Other' })).rows)).toEqual([
    'SKIPPED: This subscription has already ended.',
  ]);
  expect((await run('REACTIVATE_SUBSCRIPTION', [a, b], { from: 'INTERVAL' })).views[0]?.status).toBe('ACTIVE');
});

test('orders are skipped, put back, moved and charged; several skips of one subscription are one line in its log', async () => {
  const a = await make();
  const skipped = await run('SKIP_ORDER', [a], { count: 2 });
  expect(outcome(skipped.rows)).toEqual(['SUCCESS']);
  const orders = (await server.call('subscription-contract.ordersSchedule', { id: a.id })).data as JsonObject[];
  expect(orders.slice(0, 3).map(order => order.status)).toEqual(['SKIPPED', 'SKIPPED', 'SCHEDULED']);
  await run('UNSKIP_ORDER', [a], { count: 3 });
  expect(((await server.call('subscription-contract.ordersSchedule', { id: a.id })).data as JsonObject[])[0]?.status).toBe('SCHEDULED');
  expect(outcome((await run('UNSKIP_ORDER', [a], { count: 1 })).rows)).toEqual(['SKIPPED: This subscription has no skipped order ahead.']);
  const before = (await server.call('subscription-contract.read', { id: a.id })).data.nextBillingDateEpoch;
  expect(day((await run('RESCHEDULE', [a], { mode: 'DAYS', days: -3, scope: 'ALL' })).views[0]?.nextBillingDateEpoch)).toBe(
    day(before - 3 * 86_400),
  );
  expect(
    day((await run('RESCHEDULE', [a], { mode: 'DATE', nextBillingDateEpoch: inDays(20), scope: 'NEXT' })).views[0]?.nextBillingDateEpoch),
  ).toBe(day(inDays(20)));
  const weekday = (await run('RESCHEDULE', [a], { mode: 'WEEKDAY', weekday: 3, scope: 'ALL' })).views[0];
  expect(local(Number(weekday?.nextBillingDateEpoch)).weekday).toBe(3);
  const monthDay = (await run('RESCHEDULE', [a], { mode: 'MONTHDAY', monthDay: 28, scope: 'ALL' })).views[0];
  expect(day(Number(monthDay?.nextBillingDateEpoch)).slice(8)).toBe('28');
  expect(outcome((await run('RESCHEDULE', [a], { mode: 'MONTHDAY', monthDay: 28, scope: 'ALL' })).rows)).toEqual([
    'SKIPPED: Its next order is on that day already.',
  ]);
  expect(outcome((await run('CHARGE_ORDER', [a], { which: 'OVERDUE' })).rows)).toEqual([
    'SKIPPED: No order of this subscription is past its date.',
  ]);
  expect(outcome((await run('CHARGE_ORDER', [a], { which: 'FAILED' })).rows)).toEqual([
    'SKIPPED: No payment of this subscription has failed.',
  ]);
  expect((await run('CHARGE_ORDER', [a], { which: 'NEXT', keepSchedule: true })).views[0]?.completedOrdersCount).toBe(1);
});

test('tags, note and attributes are added, replaced and removed; what changes nothing is skipped', async () => {
  const a = await make();
  expect((await run('UPDATE_TAGS', [a], { mode: 'ADD', tags: ['vip', 'gold'] })).views[0]?.tags).toEqual(['vip', 'gold']);
  expect(outcome((await run('UPDATE_TAGS', [a], { mode: 'ADD', tags: ['VIP'] })).rows)).toEqual([
    'SKIPPED: Nothing changes for this subscription.',
  ]);
  expect((await run('UPDATE_TAGS', [a], { mode: 'REMOVE', tags: ['Gold'] })).views[0]?.tags).toEqual(['vip']);
  expect((await run('UPDATE_NOTE', [a], { mode: 'REPLACE', note: 'Ring twice' })).views[0]?.note).toBe('Ring twice');
  expect((await run('UPDATE_NOTE', [a], { mode: 'ADD', note: 'Then wait' })).views[0]?.note).toBe('Ring twice\nThen wait');
  expect(
    (
      await run('UPDATE_ATTRIBUTES', [a], {
        mode: 'ADD',
        customAttributes: [
          { key: 'colour', value: 'red' },
          { key: 'size', value: 'L' },
        ],
      })
    ).views[0]?.customAttributes,
  ).toEqual([
    { key: 'colour', value: 'red' },
    { key: 'size', value: 'L' },
  ]);
  expect((await run('UPDATE_ATTRIBUTES', [a], { mode: 'REMOVE', names: ['size'] })).views[0]?.customAttributes).toEqual([
    { key: 'colour', value: 'red' },
  ]);
});

test('products are added, swapped, counted and removed; the last one stays', async () => {
  const a = await make();
  const lines = (view: Record<string, any> | undefined): unknown[] =>
    view?.lines.map((line: JsonObject) => [line.variantId, line.quantity]);
  expect(
    lines((await run('ADD_PRODUCT', [a], { variantId: goods.other, quantity: 2, type: 'RECURRING', discountType: 'NONE' })).views[0]),
  ).toEqual([
    [goods.plain, 1],
    [goods.digital, 1],
    [goods.other, 2],
  ]);
  expect(lines((await run('UPDATE_QUANTITY', [a], { variantId: goods.other, quantity: 5 })).views[0])).toContainEqual([goods.other, 5]);
  expect(lines((await run('REMOVE_PRODUCT', [a], { variantId: goods.digital })).views[0])).toEqual([
    [goods.plain, 1],
    [goods.other, 5],
  ]);
  expect(outcome((await run('REMOVE_PRODUCT', [a], { variantId: goods.digital })).rows)).toEqual([
    'SKIPPED: This product is not in the subscription.',
  ]);
  const swapped = await run('SWAP_PRODUCT', [a], {
    variantIds: [goods.other],
    toVariantId: goods.digital,
    quantityRule: 'RATIO',
    ratio: 0.5,
    priceRule: 'CUSTOM',
    price: '7.50',
  });
  expect(lines(swapped.views[0])).toEqual([
    [goods.plain, 1],
    [goods.digital, 3],
  ]);
  expect(swapped.views[0]?.lines[1]).toMatchObject({ price: '7.50' });
  await run('REMOVE_PRODUCT', [a], { variantId: goods.digital });
  expect(outcome((await run('REMOVE_PRODUCT', [a], { variantId: goods.plain })).rows)).toEqual([
    'SKIPPED: A subscription must have at least one product.',
  ]);
});

test('prices, discounts, frequency and limits', async () => {
  const a = await make();
  const price = (view: Record<string, any> | undefined, i = 0): string => view?.lines[i].price;
  expect(price((await run('UPDATE_PRICE', [a], { products: 'ONE', variantId: goods.plain, rule: 'PRICE', price: '18.00' })).views[0])).toBe(
    '18.00',
  );
  expect(
    price(
      (await run('UPDATE_PRICE', [a], { products: 'ONE', variantId: goods.plain, rule: 'PERCENT', percent: 10, rounding: 'ENDING_99' }))
        .views[0],
    ),
  ).toBe('19.99');
  await bulk.query('update variants set price = 2100 where store_id = 1 and id = $1', [goods.plain]);
  expect(price((await run('UPDATE_PRICE', [a], { products: 'ONE', variantId: goods.plain, rule: 'STORE' })).views[0])).toBe('21.00');
  await bulk.query('update variants set price = 2000 where store_id = 1 and id = $1', [goods.plain]);
  expect(
    (await run('ADD_DISCOUNT', [a], { kind: 'MANUAL', title: 'Sorry', type: 'PERCENTAGE', value: '10', targetType: 'LINE_ITEM' })).views[0]
      ?.discounts,
  ).toHaveLength(1);
  expect(outcome((await run('ADD_DISCOUNT', [a], { kind: 'CODE', code: 'NOSUCHCODE' })).rows)).toEqual([
    "SKIPPED: This discount code doesn't exist.",
  ]);
  expect((await run('REMOVE_DISCOUNT', [a], { which: 'TITLE', title: 'sorry' })).views[0]?.discounts).toEqual([]);
  expect(outcome((await run('RECALCULATE_DISCOUNT', [a])).rows)[0]).toMatch(/^SKIPPED: .*no selling plan/);
  expect(
    (await run('UPDATE_FREQUENCY', [a], { billingPolicy: { interval: 'WEEK', intervalCount: 2 }, discountType: 'OLD' })).views[0]
      ?.billingPolicy,
  ).toMatchObject({ interval: 'WEEK', intervalCount: 2 });
  expect((await run('UPDATE_MIN_MAX_CYCLES', [a], { minCycles: 2, maxCycles: 6 })).views[0]).toMatchObject({ minCycles: 2, maxCycles: 6 });
  expect(outcome((await run('UPDATE_MIN_MAX_CYCLES', [a], { minCycles: 3, maxCycles: 9, onlyIfEmpty: true })).rows)).toEqual([
    'SKIPPED: Nothing changes for this subscription.',
  ]);
  expect(outcome((await run('UPDATE_SELLING_PLAN', [a], { sellingPlanId: 88_102 })).rows)).toEqual([
    'SKIPPED: Goods plain is not sold with this plan. Choose a plan that all products share.',
  ]);
  await offerPlans(server, [goods.plain, goods.digital]);
  expect((await run('UPDATE_SELLING_PLAN', [await make()], { sellingPlanId: 88_102 })).views[0]).toMatchObject({
    frequency: 'Every 2 weeks',
    totalLineItemPrice: '32.00',
  });
  expect(changedBy(1000, -10, 'WHOLE', 'USD')).toBe(900);
  expect(changedBy(1005, 0, 'ENDING_99', 'USD')).toBe(999);
  expect(changedBy(30, 0, 'ENDING_99', 'USD')).toBe(99);
  expect(changedBy(1005, 10, 'ENDING_99', 'JPY')).toBe(1106);
});

test('delivery, mails, the backup method and the export', async () => {
  const [a, one] = [await make(), await make({ tokens: ['tok_success'] })];
  expect((await run('UPDATE_SHIPPING_PRICE', [a], { rule: 'AMOUNT', deliveryPrice: '3.25' })).views[0]?.deliveryPrice).toBe('3.25');
  expect((await run('UPDATE_SHIPPING_PRICE', [a], { rule: 'RECOMPUTE' })).views[0]?.deliveryPrice).not.toBe('3.25');
  expect(outcome((await run('UPDATE_DELIVERY_METHOD', [a], { optionCode: 'BY_ROCKET' })).rows)[0]).toMatch(/^SKIPPED: /);
  expect(outcome((await run('SEND_PAYMENT_UPDATE_EMAIL', [a])).rows)).toEqual(['SUCCESS']);
  expect(outcome((await run('SEND_PAYMENT_UPDATE_EMAIL', [a])).rows)).toEqual(['SKIPPED: The customer was asked in the last 24 hours.']);
  expect(outcome((await run('SEND_PORTAL_LINK', [a])).rows)).toEqual(['SUCCESS']);
  const mails = await bulk.query<{ template: string }>(
    "select template from outbox where store_id = 1 and contract_id = $1 and template in ('PAYMENT_METHOD_UPDATE', 'CUSTOMER_PORTAL_LINK') order by template",
    [a.id],
  );
  expect(mails.map(mail => mail.template)).toEqual(['CUSTOMER_PORTAL_LINK', 'PAYMENT_METHOD_UPDATE']);
  const backup = await run('ASSIGN_BACKUP_PAYMENT', [a, one]);
  expect(outcome(backup.rows)).toEqual(['SUCCESS', 'SKIPPED: The customer has no other payment method that can be charged.']);
  expect(backup.views[0]?.backupPaymentMethodId).toBe(a.methods[1]);
  tried.add('EXPORT_SUBSCRIPTION');
  const exported = await bulk.run('EXPORT_SUBSCRIPTION', { mode: 'IDS', ids: [a.id, one.id] }, { columns: ['id', 'status'] });
  expect((await bulk.file(Number(exported.id))).trim().split(/\r?\n/)).toEqual([
    'Subscription,Status',
    `${one.id},ACTIVE`,
    `${a.id},ACTIVE`,
  ]);
});

test('orders of the days of a holiday', async () => {
  const [at, DAY] = [Math.floor(Date.now() / 1000), 86_400];
  const a = await make();
  const { rows } = await run('HOLD_FOR_HOLIDAY', [a], { from: at, until: at + 90 * DAY, note: 'Away until spring' });
  expect(outcome(rows)).toEqual(['SUCCESS']);
  const { data } = await server.call('subscription-contract.ordersSchedule', { id: a.id });
  const held = (data as { status: string; billingDateEpoch: number }[]).filter(order => order.billingDateEpoch < at + 89 * DAY);
  expect(held.length).toBeGreaterThan(0);
  expect(held.map(order => order.status)).toEqual(held.map(() => 'SKIPPED'));
  // Noon to noon in New York: 92 days, one of which has an hour more; a day more is too many.
  const wrong = (until: string) =>
    ACTIONS.get('HOLD_FOR_HOLIDAY')?.check?.(
      { from: Date.parse('2026-10-01T16:00:00Z') / 1000, until: Date.parse(until) / 1000 },
      new Date(),
    );
  expect([wrong('2027-01-01T17:00:00Z')?.length, wrong('2027-01-02T17:00:00Z')?.length]).toEqual([0, 1]);
  const none = await run('HOLD_FOR_HOLIDAY', [a], { from: at, until: at + DAY });
  expect(outcome(none.rows)).toEqual(['SKIPPED: No order comes in these days.']);
});

test('a note on the next order', async () => {
  const { views } = await run('ADD_ORDER_NOTE', [await make()], { note: 'With a ribbon' });
  expect(views[0]?.nextOrderNote).toBe('With a ribbon');
});

test('every action of the catalogue was tried here', () => {
  const inBulk = [...ACTIONS.values()].filter(action => action.in.bulk);
  expect(inBulk.map(action => action.key).filter(key => !tried.has(key))).toEqual([]);
});
