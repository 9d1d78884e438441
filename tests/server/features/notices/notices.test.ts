// What the product tells a store: popups by the store's data, the news, and the summary of payments behind the banner.
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openSession } from '../../../../src/server/platform/auth/sessions.ts';
import { TRIGGERS } from '../../../../src/server/features/notices/triggers.ts';
import { oneEngine } from '../../../support/database.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

const DAY = 86_400_000;

describe.each(oneEngine)('popups, news and payments (%s)', engine => {
  let server: TestServer;
  let staff: string;
  /** A store without anything: the way a merchant begins. */
  const FRESH = 77,
    OWNER = 7700;
  let fresh: string;
  const owner = (statement: string) =>
    server.services.db.ownerQuery(statement).then(result => {
      server.services.sessions.forget();
      return result;
    });
  beforeAll(async () => {
    server = await startTestServer({
      engine,
      seed: { contracts: 60, stores: 2 },
      tables: ['start-up', 'start-up-app', 'popup', 'whats-new', 'payments-overview', 'store-app', 'sign-in'],
    });
    await owner(
      `insert into users (store_id, id, email, first_name, type) values (1, 1099, 'support@perennial.example', 'Sam', 'LOOP_USER')`,
    );
    await owner(`insert into stores (id, myshopify_domain, name, email, onboarding) values (${FRESH}, 'fresh.myshopify.com', 'Fresh', 'a@fresh.example', '{}');
      insert into users (store_id, id, email, first_name, type) values (${FRESH}, ${OWNER}, 'a@fresh.example', 'Ava', 'OWNER'), (${FRESH}, ${OWNER + 1}, 'b@fresh.example', 'Ben', 'ADMIN')`);
    const sign = (store: number, user: number) =>
      server.services.db.asSystem(trx => openSession(trx, store, user, 24)).then(opened => opened.token);
    staff = await sign(1, 1099);
    fresh = await sign(FRESH, OWNER);
  });
  afterAll(() => server?.close());
  beforeEach(() =>
    owner(`delete from notice_marks; delete from popups; delete from plan_products where store_id = ${FRESH}; delete from records where store_id = ${FRESH}; delete from variants where store_id = ${FRESH}; delete from products where store_id = ${FRESH};
    delete from contracts where store_id = ${FRESH}; delete from customers where store_id = ${FRESH}; delete from billing_attempts where store_id = ${FRESH}; delete from settings where store_id = ${FRESH};
    update stores set details = '{}', storefront_widget_version = 1, billing_plan_id = 4, clock_offset_ms = 0 where id = ${FRESH}`),
  );

  const fetchPopup = async (input: { id?: number | null; popupData?: { page?: string } } = {}, as: string = fresh) => {
    const { status, body } = await server.call('popup.fetch', input, { as });
    expect(status).toBe(200);
    return body as any;
  }; // any: the shape is what is tested
  const due = async (page = '/dashboard') => (await fetchPopup({ id: null, popupData: { page } })).data?.id ?? null;
  const mark = async (id: number, state: string) => (await server.call('popup.mark', { id, state }, { as: fresh })).status;
  const addGroup = () =>
    owner(
      `insert into records (store_id, entity, id, data) values (${FRESH}, 'selling-plan-group', 500, '{"shopifyId": 3300500, "name": "Monthly"}')`,
    );
  const addProduct = (title = 'House blend') =>
    owner(`insert into products (store_id, id, shopify_id, handle, title) values (${FRESH}, 600, 8100600, 'house-blend', '${title}');
    insert into variants (store_id, id, product_id, shopify_id, title, price) values (${FRESH}, 601, 600, 4600601, 'Default', 1000); insert into plan_products (store_id, group_id, product_id) values (${FRESH}, 500, 600)`);
  const addContracts = (n: number, status = 'ACTIVE') =>
    owner(`insert into customers (store_id, id, shopify_id, email) values (${FRESH}, 1, 1, 'c@fresh.example') on conflict do nothing;
    insert into contracts (store_id, shopify_id, customer_id, currency_code, billing_interval, billing_interval_count, delivery_interval, delivery_interval_count, status)
    select ${FRESH}, 7000 + n, 1, 'USD', 'MONTH', 1, 'MONTH', 1, '${status}' from generate_series(1, ${n}) n`);

  it('S147 S148 S273 S274 answers data, display and placeholderData', async () => {
    const body = await fetchPopup({ id: null, popupData: { page: '/dashboard' } });
    expect(Object.keys(body).sort()).toEqual(['data', 'display', 'placeholderData']);
    expect(body.display).toBe(true);
    expect(Object.keys(body.data).sort()).toEqual(['body', 'header', 'id', 'primary_cta_link', 'primary_cta_text']);
    expect(Object.keys(body.placeholderData)).toEqual(
      expect.arrayContaining(['myshopify_domain', 'product_title', 'sellingPlanGroup_shopify_id', 'variant_id']),
    );
  });

  it('S182 answers display false to a busy store, and to an id that there is not', async () => {
    expect(await server.call('popup.fetch', { popupData: { page: '/dashboard' } })).toMatchObject({
      status: 200,
      body: { data: null, display: false },
    });
    expect(await fetchPopup({ id: 424 })).toMatchObject({ data: null, display: false });
  });

  it('S181 S149 shows the lowest popup whose reason holds, as the store grows', async () => {
    expect(await due()).toBe(1);
    expect(await due('/subscriptions')).toBeNull(); // the welcome belongs to the dashboard
    await addGroup();
    const second = await fetchPopup({ popupData: { page: '/selling-plans' } });
    expect([
      second.data.id,
      second.data.primary_cta_link,
      second.placeholderData.sellingPlanGroup_id,
      second.placeholderData.sellingPlanGroup_shopify_id,
    ]).toEqual([2, '/selling-plans/{{sellingPlanGroup_id}}', '500', '3300500']);
    await addProduct();
    const third = await fetchPopup();
    expect([third.data.id, third.placeholderData]).toEqual([
      3,
      {
        myshopify_domain: 'fresh.myshopify.com',
        product_title: 'House blend',
        sellingPlanGroup_shopify_id: '3300500',
        variant_id: '4600601',
        sellingPlanGroup_id: '500',
        product_handle: 'house-blend',
      },
    ]);
    expect((await server.call('store-app.widgetStatus', { status: 'ACTIVE' }, { as: fresh })).status).toBe(200);
    expect(await due()).toBe(4);
    await owner(`update stores set clock_offset_ms = ${2 * DAY} where id = ${FRESH}`);
    expect(await due()).toBe(8);
    await addContracts(1);
    expect(await due()).toBe(5);
    await owner(`update contracts set shopify_id = shopify_id + 5000 where store_id = ${FRESH}`);
    await addContracts(2);
    expect(await due()).toBeNull();
  });

  it('S311 says so when 40 of the 50 subscriptions of the free plan are used, and not beyond the limit', async () => {
    await addGroup();
    await addProduct();
    await owner(`update stores set billing_plan_id = 1 where id = ${FRESH}`);
    await addContracts(39);
    expect(await due()).toBeNull();
    await owner(`update contracts set shopify_id = shopify_id + 5000 where store_id = ${FRESH}`);
    await addContracts(1, 'PAUSED');
    expect(await due()).toBe(7);
    await owner(`update stores set storefront_widget_version = 2 where id = ${FRESH}`);
    expect(await due()).toBeNull(); // its button would lead to the library
    await owner(`update stores set billing_plan_id = 4, storefront_widget_version = 1 where id = ${FRESH}`);
    expect(await due()).toBeNull();
  });

  it('speaks of the first failed payment until payment recovery is set up', async () => {
    await addGroup();
    await addProduct();
    await addContracts(5);
    await owner(
      `insert into billing_attempts (store_id, order_id, contract_id, attempt_number, trigger, idempotency_key, amount, currency_code, ready, success) values (${FRESH}, 10001, 1, 1, 'SCHEDULED', 'k1', 100, 'USD', true, false)`,
    );
    expect(await due('/subscriptions')).toBe(9);
    await owner(`insert into settings (store_id, name, data) values (${FRESH}, 'paymentRecovery', '{}')`);
    expect(await due('/subscriptions')).toBeNull();
  });

  it('S183 a dismissed popup rests for seven days, for this person only, and comes again while its reason holds', async () => {
    await addGroup();
    expect(await due()).toBe(2);
    expect(await mark(2, 'SEEN')).toBe(200);
    expect(await due()).toBe(2);
    expect(await mark(2, 'DISMISSED')).toBe(200);
    expect(await due()).toBeNull();
    const other = (await server.services.db.asSystem(trx => openSession(trx, FRESH, OWNER + 1, 24))).token;
    expect((await fetchPopup({}, other)).data.id).toBe(2);
    await owner(`update stores set clock_offset_ms = ${8 * DAY} where id = ${FRESH}`);
    expect(await due()).toBe(2);
    await addProduct();
    expect(await due()).toBe(3);
  });

  it('S184 S188 once its action was used a popup is over; the one that is still open stays until it is dismissed', async () => {
    await addGroup();
    await addProduct();
    expect(await due()).toBe(3);
    expect(await mark(3, 'DONE')).toBe(200);
    expect(await due()).toBeNull();
    expect((await fetchPopup({ id: 3 })).display).toBe(true);
    expect(await mark(3, 'DISMISSED')).toBe(200);
    await owner(`update stores set clock_offset_ms = ${30 * DAY} where id = ${FRESH}`);
    expect(await due()).toBeNull();
    expect(await mark(424, 'SEEN')).toBe(404);
    expect(await mark(3, 'LIKED')).toBe(422);
  });

  it('S187 words a popup for the widget library where its button leads there', async () => {
    await owner(`update stores set storefront_widget_version = 2 where id = ${FRESH}`);
    // The first steps are the set-up card's, whose button leads to them.
    expect(await due()).toBeNull();
    await addGroup();
    await addContracts(1);
    const { data } = await fetchPopup({ popupData: { page: '/dashboard' } });
    expect([data.id, data.primary_cta_text]).toEqual([5, 'Open the widget library']);
    expect(data.body).toContain('href="/subscriptions"');
  });

  it('only staff can write a popup for one store', async () => {
    const popup = { id: 2000, header: 'Hello', body: '<p>Only you.</p>', primary_cta_text: 'Open', primary_cta_link: '/subscriptions' };
    expect((await server.call('popup.save', popup)).body).toMatchObject({ code: 'FORBIDDEN' });
    expect((await server.call('popup.save', popup, { as: staff })).status).toBe(200);
    expect((await server.call('popup.fetch', {})).body).toMatchObject({ display: true, data: { id: 2000, header: 'Hello' } });
    expect((await fetchPopup({ popupData: { page: '/subscriptions' } })).data).toBeNull();
    await server.call('popup.save', { ...popup, page: '/selling-plans' }, { as: staff });
    expect((await server.call('popup.fetch', { popupData: { page: '/subscriptions' } })).body).toMatchObject({ display: false });
    await server.call('popup.save', { ...popup, showUntil: '2020-01-01T00:00:00Z' }, { as: staff });
    expect((await server.call('popup.fetch', {})).body).toMatchObject({ display: false });
    expect((await server.call('popup.remove', { id: 2000 }, { as: staff })).status).toBe(200);
    const { rows: noted } = await server.services.db.asOwner(trx =>
      sql<{
        action: string;
      }>`select action from account_log where store_id = 1 and action in ('popup.saved', 'popup.removed') order by id`.execute(trx),
    );
    expect(noted.at(-1)?.action).toBe('popup.removed');
    expect((await server.call('popup.remove', { id: 2000 }, { as: staff })).status).toBe(404);
    expect((await server.call('popup.remove', { id: 2000 })).status).toBe(403);
  });

  it('knows the reason of every common popup', () => {
    for (const popup of server.services.definitions.popups) expect(Object.keys(TRIGGERS)).toContain(popup.trigger);
    expect(server.services.definitions.popups.map(popup => popup.trigger).sort()).toEqual(Object.keys(TRIGGERS).sort());
  });

  it('S092 the news are unread until they were seen, for each person', async () => {
    const feed = async (as?: 'admin') => (await server.call('whats-new.feed', {}, as ? { as } : {})).data;
    const first = await feed();
    expect(first.items.length).toBeGreaterThan(2);
    expect([first.unread, first.items.every((one: any) => one.isUnread)]).toEqual([first.items.length, true]); // any: see above
    expect((await server.call('whats-new.seen', { newsId: first.items[2].id })).status).toBe(200);
    expect((await feed()).items.map((one: any) => one.isUnread).slice(0, 4)).toEqual([true, true, false, false]); // any: see above
    await server.call('whats-new.seen', { newsId: first.items[0].id });
    expect((await feed()).unread).toBe(0);
    expect((await feed('admin')).unread).toBe(first.items.length);
    expect((await server.call('whats-new.seen', { newsId: 'no-such-news' })).status).toBe(404);
  });

  it("S282 S284 S285 S286 sums up the payments of both periods by the day of the first attempt, in the store's zone and currency", async () => {
    const order = (
      id: number,
      status: string,
      retry: string | null,
    ) => `insert into orders (store_id, id, contract_id, customer_id, cycle, order_number, status, scheduled_at, billing_at, delivery_at, currency_code, next_retry_at)
      values (${FRESH}, ${id}, 1, 1, ${id}, ${id}, '${status}', now(), now(), now(), 'USD', ${retry ? `'${retry}'` : 'null'});`;
    const attempt = (id: number, at: string, amount: number, success: boolean | null, currency = 'USD', n = 1, rate = 1) =>
      `insert into billing_attempts (store_id, order_id, contract_id, attempt_number, trigger, idempotency_key, amount, currency_code, rate, ready, success, created_at) values (${FRESH}, ${id}, 1, ${n}, 'SCHEDULED', '${id}-${n}', ${amount}, '${currency}', ${rate}, true, ${success}, '${at}');`;
    await owner(
      `delete from orders where store_id = ${FRESH}; update stores set timezone = 'America/New_York', details = '{"usdRates": {"EUR": 1.2, "JPY": 0.02}}' where id = ${FRESH};` +
        // 1 November, 00:30 in New York, is the first day; a minute before midnight of 31 October belongs to the comparison.
        order(1, 'PAID', null) +
        attempt(1, '2026-11-01T04:30:00Z', 10_000, true) +
        order(2, 'PAID', null) +
        attempt(2, '2026-11-01T03:59:00Z', 5000, true) +
        order(3, 'PAID', null) +
        attempt(3, '2026-11-10T12:00:00Z', 2000, false) +
        attempt(3, '2026-11-13T12:00:00Z', 2000, true, 'USD', 2) +
        order(4, 'FAILED', '2026-12-10T12:00:00Z') +
        attempt(4, '2026-11-10T12:00:00Z', 3000, false) +
        order(5, 'FAILED', null) +
        attempt(5, '2026-11-10T12:00:00Z', 1000, false) +
        order(6, 'PAID', null) +
        attempt(6, '2026-11-30T23:00:00Z', 1000, true, 'EUR', 1, 1.1) +
        order(7, 'PAID', null) +
        attempt(7, '2026-11-30T23:00:00Z', 100, true, 'JPY', 1, 0.01) +
        order(8, 'PAID', null) +
        attempt(8, '2026-12-01T06:00:00Z', 77_000, true) +
        order(9, 'PROCESSING', null) +
        attempt(9, '2026-11-20T12:00:00Z', 400, null),
    );
    const input = {
      startDate: '2026-11-01',
      endDate: '2026-11-30',
      comparisonStartDate: '2026-10-02',
      comparisonEndDate: '2026-10-31',
      dataType: 'revenue',
    };
    const { status, data } = await server.call('payments-overview.paymentSummaryInfoForBanner', input, { as: fresh });
    expect(status).toBe(200);
    expect(data).toEqual({
      ...input,
      currencyCode: 'USD',
      attempted: { value: '176.00', count: 7, previous: '50.00', previousCount: 1, changePercent: 252 },
      realized: { value: '132.00', count: 4, previous: '50.00', previousCount: 1, changePercent: 164 },
      recovered: { value: '20.00', count: 1, previous: '0.00', previousCount: 0, changePercent: null },
      underRecovery: { value: '34.00', count: 2, previous: '0.00', previousCount: 0, changePercent: null },
      lost: { value: '10.00', count: 1, previous: '0.00', previousCount: 0, changePercent: null },
    });
    for (const wrong of [
      { ...input, dataType: 'profit' },
      { ...input, endDate: '2026-10-01' },
      { ...input, startDate: '1990-01-01' },
      { ...input, startDate: '11/01/2026' },
    ]) {
      expect((await server.call('payments-overview.paymentSummaryInfoForBanner', wrong, { as: fresh })).status).toBe(422);
    }
    // What the page's range may be: two years, like the figures beside it.
    const long = { ...input, startDate: '2024-12-01', comparisonStartDate: '2022-12-01', comparisonEndDate: '2024-11-30' };
    expect((await server.call('payments-overview.paymentSummaryInfoForBanner', long, { as: fresh })).status).toBe(200);
    const both = { ...long, startDate: '2024-01-01', comparisonEndDate: '2022-01-01' };
    expect(await server.call('payments-overview.paymentSummaryInfoForBanner', both, { as: fresh })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/startDate', message: 'Choose at most 731 days.' }, { pointer: '/comparisonEndDate' }] },
    });
    await owner(`delete from orders where store_id = ${FRESH}`);
  });

  it('S282 adds up with what the seeded store holds', async () => {
    const today = new Date();
    const day = (back: number) => new Date(today.getTime() - back * DAY).toISOString().slice(0, 10);
    const { data } = await server.call('payments-overview.paymentSummaryInfoForBanner', {
      startDate: day(30),
      endDate: day(1),
      comparisonStartDate: day(60),
      comparisonEndDate: day(31),
      dataType: 'revenue',
    });
    const { rows } = await server.services.db.asOwner(trx =>
      sql<{
        n: number;
      }>`select count(*)::int as n from billing_attempts where store_id = 1 and attempt_number = 1 and created_at >= ${day(30)}::date::timestamp at time zone 'America/New_York' and created_at < (${day(1)}::date + 1)::timestamp at time zone 'America/New_York'`.execute(
        trx,
      ),
    );
    expect(rows[0]?.n).toBeGreaterThan(0);
    expect(data.attempted.count).toBe(rows[0]?.n);
    expect(data.realized.count + data.underRecovery.count + data.lost.count).toBe(data.attempted.count);
  });

  it("S298 alerts that can't be counted are only noted: the start goes on without them", async () => {
    await server.services.db.exec('alter table alerts rename to alerts_away');
    try {
      const { status, data } = await server.call('start-up.session', {}, { as: fresh });
      expect([status, data.alertCount, data.store.myshopify_domain]).toEqual([200, 0, 'fresh.myshopify.com']);
      expect(server.logged.some(line => line['msg'] === 'An error was reported.' && line['sourceFunction'] === 'openAlerts')).toBe(true);
    } finally {
      await server.services.db.exec('alter table alerts_away rename to alerts');
    }
    await owner(
      "insert into alerts (store_id, type_key, title, summary, category, severity, affected_count) values (1, 'OUT_OF_STOCK', 'Upcoming orders without stock', 'Three orders need more than there is.', 'Inventory', 'MEDIUM', 3) on conflict do nothing",
    );
    expect((await server.call('start-up.session')).data.alertCount).toBeGreaterThan(0);
  });

  it('the session says which banners stand, so that the first drawing has them', async () => {
    const session = async () => (await server.call('start-up.session', {}, { as: fresh })).data.banners;
    expect(await session()).toEqual({ isFreePlanLimitExceeded: false, isEligible: true });
    await addContracts(51);
    await owner(`update stores set billing_plan_id = 1, details = '{"paymentProviders": ["Invoice"]}' where id = ${FRESH}`);
    expect(await session()).toEqual({ isFreePlanLimitExceeded: true, isEligible: false });
  });
});
