// Metrics against the same figures worked out one by one from the rows of the demo store, and pages of figures against each other.
import { isDeepStrictEqual } from 'node:util';
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDays, besideBefore, eachDay } from '../../../../src/domain/calendar/plain-days.ts';
import { lineShares } from '../../../../src/domain/money/line-shares.ts';
import { monthlyValue } from '../../../../src/domain/money/metrics.ts';
import { toMinor } from '../../../../src/domain/money/money.ts';
import type { JsonObject } from '../../../../src/contract/types.ts';
import { dimensionsOf, FACTS, FILTER_NAMES, takesFilter } from '../../../../src/domain/analytics/facts.ts';
import { measure, sceneOf, type Group } from '../../../../src/server/platform/analytics/measure.ts';
import { inStoreCurrency } from '../../../../src/server/platform/records/exchange-rates.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';
import { figuresOf, readRaw, type SignedFigures } from './signed-figures.ts';

let server: TestServer;
const ZONE = 'America/New_York';
const dayIn = (at: Date): string => new Intl.DateTimeFormat('en-CA', { timeZone: ZONE }).format(at);
const today = dayIn(new Date());
const days = besideBefore({ startDate: addDays(today, -60), endDate: addDays(today, -1) });
beforeAll(async () => {
  server = await startTestServer({ seed: { contracts: 150, stores: 1 } });
});
afterAll(() => server.close());

const chart = async (path: string, input: JsonObject = {}): Promise<any> => {
  const answer = await server.call('analytics.chartOf', { path, ...days, ...input });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.data;
};
const tiles = async (path: string, input: JsonObject = {}): Promise<Record<string, any>> =>
  Object.fromEntries((await chart(path, input)).items.map((item: JsonObject) => [item.key, item]));
const rowsOf = (table: 'contracts' | 'contract_lines' | 'orders' | 'billing_attempts' | 'events' | 'movements') =>
  server.services.db.asOwner(trx =>
    trx
      .selectFrom(table as 'contracts')
      .selectAll()
      .where('store_id', '=', 1)
      .execute(),
  ) as Promise<any[]>;
const store = () => server.services.db.asOwner(trx => trx.selectFrom('stores').selectAll().where('id', '=', 1).executeTakeFirstOrThrow());
const within = (at: Date | null, { startDate, endDate } = days): boolean => at !== null && dayIn(at) >= startDate && dayIn(at) <= endDate;
const rate = (part: number, whole: number): number | null => (whole === 0 ? null : Math.round((part / whole) * 1000) / 10);
/** Subscriptions with the day on which billing ended, which only the log of events knows. */
const contracts = async (): Promise<any[]> => {
  const failed = new Map(
    (await rowsOf('events')).filter(row => row.key === 'subscription_failed').map(row => [row.contract_id, row.created_at]),
  );
  return (await rowsOf('contracts')).map(row => ({ ...row, failed_at: failed.get(row.id) ?? row.updated_at }));
};
const ended = (row: any): Date | null =>
  ({ CANCELLED: row.cancelled_at, EXPIRED: row.expired_at, FAILED: row.failed_at })[row.status as string] ?? null;
const ranOn = (row: any, day: string): boolean => dayIn(row.created_at) < day && (ended(row) === null || dayIn(ended(row) as Date) >= day);

describe('upsell', () => {
  it('what offers were seen and taken, and what they add, is what the rows say', async () => {
    const [first, second] = (await rowsOf('contracts')).map(row => row.id);
    const day = `'${days.endDate}T12:00:00Z'`;
    const row = (contract: number, kind: string, happened: string, more: string): string =>
      `(1, '${kind}', 7, ${contract}, '${happened}', 'PORTAL', '${days.endDate}', ${more}, ${day})`;
    await server.services.db.exec(`insert into offer_events (store_id, kind, profile_id, contract_id, happened, place, day, is_once,
        value_before, value_after, monthly_change, created_at) values
      ${row(first, 'UPSELL', 'VIEWED', 'false, 0, 0, 0')}, ${row(second, 'UPSELL', 'VIEWED', 'false, 0, 0, 0')},
      ${row(first, 'UPSELL', 'ACCEPTED', 'true, 0, 900, 0')}, ${row(first, 'UPGRADE', 'ACCEPTED', 'false, 1000, 1500, 250')}`);
    const found = { ...(await tiles('upsell.overview')), ...(await tiles('upsell.funnel')) };
    expect(Object.fromEntries(Object.entries(found).map(([key, item]) => [key, item.value]))).toEqual({
      'net-mrr-added': '2.50',
      'upsell-revenue': '9.00',
      'one-time-upsell-revenue': '9.00',
      'offer-subscribers': 1,
      'offers-seen': 2,
      'offers-taken': 2,
      'offer-conversion': 100,
    });
    expect(JSON.stringify(await chart('upsell.kinds'))).toContain('Upgrade');
    expect(JSON.stringify(await chart('upsell.profiles'))).toContain('Deleted (7)');
  });
});

describe('metrics', () => {
  it('subscriptions, subscribers and churn are what the rows say', async () => {
    const all = await contracts();
    const found = { ...(await tiles('subscriptions.standing')), ...(await tiles('subscriptions.movement')) };
    const begun = all.filter(row => within(row.created_at));
    const cancelled = all.filter(row => row.status === 'CANCELLED' && within(row.cancelled_at));
    const expired = all.filter(row => row.status === 'EXPIRED' && within(row.expired_at));
    const failed = all.filter(row => row.status === 'FAILED' && within(row.failed_at));
    const atStart = all.filter(row => ranOn(row, days.startDate));
    expect(found['new-subscriptions'].value).toBe(begun.length);
    expect(found['cancelled-subscriptions'].value).toBe(cancelled.length);
    expect(found['net-growth'].value).toBe(begun.length - cancelled.length - failed.length - expired.length);
    expect(found['churn-rate'].value).toBe(rate(cancelled.length + failed.length, atStart.length + begun.length));
    expect(found['active-subscriptions'].value).toBe(all.filter(row => row.status === 'ACTIVE').length);
    expect(cancelled.length).toBeGreaterThan(3);
    // Each figure says where it comes from; amounts of before the ledger say that they were worked out.
    expect(found['churn-rate'].about).toMatch(/Gifts .* are left out\. Source: the ledger of movements/);
    expect(found.mrr.about).toContain('were worked out from the log');

    const customers = [...new Set(all.map(row => row.customer_id))].map(id => all.filter(row => row.customer_id === id));
    const firstDay = (rows: any[]): string => rows.map(row => dayIn(row.created_at)).sort()[0] ?? '';
    const last = (rows: any[]) =>
      rows.every(row => ended(row)) ? rows.reduce((a, b) => ((ended(a) as Date) >= (ended(b) as Date) ? a : b)) : undefined;
    const lost = customers.filter(rows => ['CANCELLED', 'FAILED'].includes(last(rows)?.status) && within(ended(last(rows))));
    const newOnes = customers.filter(rows => firstDay(rows) >= days.startDate && firstDay(rows) <= days.endDate);
    const before = customers.filter(
      rows => firstDay(rows) < days.startDate && (!last(rows) || dayIn(ended(last(rows)) as Date) >= days.startDate),
    );
    const moved = await tiles('subscribers.movement');
    expect(moved['new-subscribers'].value).toBe(newOnes.length);
    expect(moved['lost-subscribers'].value).toBe(lost.length);
    expect(moved['subscriber-churn-rate'].value).toBe(rate(lost.length, before.length + newOnes.length));
  });

  it('recurring revenue is the monthly value of each subscription; new and lost are parts of it', async () => {
    const [all, store_] = [await rowsOf('contracts'), await store()];
    // Each line by what it costs, rounded as the running sum, and converted by itself.
    const lines = (await rowsOf('contract_lines')).filter(row => !row.one_time_added);
    const worth = (rows: any[]): number =>
      rows.reduce((all, row) => {
        const amount = monthlyValue(row.recurring_charge ?? row.subtotal, row.billing_interval, row.billing_interval_count);
        const own = lines.filter(line => line.contract_id === row.id).sort((x, y) => x.position - y.position || x.id - y.id);
        return lineShares(amount, own).reduce((sum, share) => sum + inStoreCurrency(store_, share, row.currency_code), all);
      }, 0);
    const pausedBefore = new Set(
      (await rowsOf('movements')).filter(row => row.kind === 'cancelled' && row.status_before === 'PAUSED').map(row => row.contract_id),
    );
    const [now, moved] = [await tiles('subscribers.standing'), await tiles('subscribers.movement')];
    const active = all.filter(row => row.status === 'ACTIVE');
    expect(toMinor(now.mrr.value, 'USD')).toBe(worth(active));
    expect(toMinor(moved['new-mrr'].value, 'USD')).toBe(worth(all.filter(row => within(row.created_at))));
    const cancelled = all.filter(row => row.status === 'CANCELLED' && within(row.cancelled_at));
    expect(toMinor(moved['lost-mrr'].value, 'USD')).toBe(worth(cancelled.filter(row => !pausedBefore.has(row.id))));
    expect(now['subscriptions-per-subscriber'].value).toBe(
      Math.round((active.length / new Set(active.map(row => row.customer_id)).size) * 100) / 100,
    );
  });

  it('a month of each interval: 20.00 twice every two months, 10.00 a week, 120.00 a year', async () => {
    const { rows } = await server.services.db.asOwner(trx =>
      sql<{ two: number; week: number; year: number; day: number }>`select monthly_value(4000, 'MONTH', 2) as two,
        monthly_value(1000, 'WEEK', 1) as week, monthly_value(12000, 'YEAR', 1) as year, monthly_value(100, 'DAY', 10) as day`.execute(trx),
    );
    expect(rows[0]).toEqual({ two: 2000, week: 4348, year: 1000, day: 304 });
    for (const [amount, unit, n] of [
      [4000, 'MONTH', 2],
      [1000, 'WEEK', 1],
      [12000, 'YEAR', 1],
      [100, 'DAY', 10],
    ] as const)
      expect(Object.values(rows[0] ?? {})).toContain(monthlyValue(amount, unit, n));
  });

  it('revenue and orders are the paid orders by the day they were paid, and the days add up to the whole', async () => {
    const paid = (await rowsOf('orders')).filter(row => row.status === 'PAID' && !row.is_prepaid_delivery && within(row.processed_at));
    const sum = (rows: any[]): number => rows.reduce((all, row) => all + (row.currency_code === 'USD' ? row.total : row.total_usd), 0);
    const found = { ...(await tiles('orders.earned')), ...(await tiles('orders.counts')) };
    expect(toMinor(found.revenue.value, 'USD')).toBe(sum(paid));
    expect(toMinor(found['recurring-revenue'].value, 'USD')).toBe(sum(paid.filter(row => row.order_type === 'RECURRING')));
    expect(found['paid-orders'].value).toBe(paid.length);
    expect(toMinor(found['average-recurring-order'].value, 'USD')).toBe(
      Math.round(sum(paid.filter(row => row.order_type === 'RECURRING')) / paid.filter(row => row.order_type === 'RECURRING').length),
    );
    const line = await chart('overview.revenue');
    expect(line.grain).toBe('week');
    expect(line.series[0].points.reduce((all: number, point: any) => all + toMinor(point.y, 'USD'), 0)).toBe(sum(paid));
    expect(line.series[0].points).toHaveLength(Math.ceil(eachDay(days).length / 7));
    const byDay = await chart('overview.revenue', besideBefore({ startDate: addDays(today, -7), endDate: addDays(today, -1) }) as never);
    expect(byDay.series[0].points.map((point: any) => point.x)).toEqual(
      eachDay({ startDate: addDays(today, -7), endDate: addDays(today, -1) }),
    );
  });

  it('what is still being retried is kept out of success and recovery rates; every payment has one fate', async () => {
    const [attempts, orders] = [await rowsOf('billing_attempts'), new Map((await rowsOf('orders')).map(row => [row.id, row]))];
    const first = attempts.filter(row => row.attempt_number === 1 && within(row.created_at));
    const fate = (row: any): string => {
      const order = orders.get(row.order_id);
      return row.success
        ? 'PAID'
        : order?.status === 'PAID'
          ? 'RECOVERED'
          : order?.next_retry_at || order?.status === 'PROCESSING'
            ? 'OPEN'
            : 'LOST';
    };
    const n = (...fates: string[]): number => first.filter(row => fates.includes(fate(row))).length;
    const found = await tiles('payments.rates');
    expect(found['success-rate'].value).toBe(rate(n('PAID', 'RECOVERED'), n('PAID', 'RECOVERED', 'LOST')));
    expect(found['recovery-rate'].value).toBe(rate(n('RECOVERED'), n('RECOVERED', 'LOST')));
    expect(found['first-attempt-rate'].value).toBe(rate(n('PAID'), first.length));
    const stages = await chart('payments.fates', {});
    expect(stages.series.map((one: any) => one.key).sort()).toEqual(expect.arrayContaining(['PAID']));
    const ways = await chart('payments.ways');
    const recovered = await tiles('payments.recovered');
    expect(ways.series[0].points.reduce((all: number, point: any) => all + toMinor(point.y, 'USD'), 0)).toBe(
      toMinor(recovered['recovered-amount'].value, 'USD'),
    );
  });

  it('cohorts: month 0 is the month of acquisition, the future has no cells, and cells are parts of the size', async () => {
    const all = await contracts();
    const month = (at: Date): string => dayIn(at).slice(0, 7);
    const { tables, width } = await chart('cohorts.by-month');
    const [retention] = tables;
    expect(retention.key).toBe('subscription-retention');
    const row = retention.rows.find((one: any) => one.size > 3 && one.cells.length > 6);
    const own = all.filter(one => month(one.created_at) === row.cohort);
    expect(row.size).toBe(own.length);
    const after = (k: number): string => {
      const at = Number(row.cohort.slice(0, 4)) * 12 + Number(row.cohort.slice(5, 7)) - 1 + k;
      return `${Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`;
    };
    for (const k of [0, 3, 6]) {
      const kept = own.filter(one => ended(one) === null || month(ended(one) as Date) > after(k)).length;
      expect(row.cells[k].value, `month ${k} of ${row.cohort}`).toBe(rate(kept, own.length));
    }
    // Subscribers: the month of the first subscription, and whether any of theirs still runs.
    const people = [...new Set(all.map(one => one.customer_id))].map(id => all.filter(one => one.customer_id === id));
    const monthOfFirst = (rows: any[]): string => rows.map(one => month(one.created_at)).sort()[0] as string;
    const theirs = tables[1].rows.find((one: any) => one.cohort === row.cohort);
    expect(tables[1].key).toBe('subscriber-retention');
    const begun = people.filter(rows => monthOfFirst(rows) === row.cohort);
    expect(theirs.size).toBe(begun.length);
    for (const k of [0, 3, 6])
      expect(theirs.cells[k].value, `subscribers in month ${k}`).toBe(
        rate(
          begun.filter(rows =>
            rows.some(one => month(one.created_at) <= after(k) && (ended(one) === null || month(ended(one) as Date) > after(k))),
          ).length,
          begun.length,
        ),
      );
    expect(retention.rows[0].cells).toHaveLength(retention.rows[0].cohort === today.slice(0, 7) ? 1 : 2);
    expect(Math.max(...retention.rows.map((one: any) => one.cells.length))).toBeLessThanOrEqual(width);
    const value = tables.find((one: any) => one.key === 'cohort-value').rows.find((one: any) => one.cohort === row.cohort);
    const numbers = value.cells.map((cell: any) => Number(cell.value));
    expect(numbers).toEqual(numbers.toSorted((a: number, b: number) => a - b));
    const worth = tables.find((one: any) => one.key === 'cohort-subscriber-value').rows.find((one: any) => one.cohort === row.cohort);
    const ids = begun.map(([first]) => first.customer_id);
    const { rows: paid } = await server.services.db.ownerQuery<any>(
      `select coalesce(processed_at, billing_at) as at, case when currency_code = 'USD' then total else total_usd end as total from orders
        where store_id = 1 and status = 'PAID' and not is_prepaid_delivery and order_type in ('CHECKOUT', 'RECURRING')
        and customer_id = any($1)`,
      [ids],
    );
    for (const k of [0, 3, 6]) {
      const sum = paid.filter(one => month(one.at) <= after(k)).reduce((all, one) => all + Number(one.total), 0);
      expect(Math.round(Number(worth.cells[k].value) * 100), `value in month ${k}`).toBe(Math.round(sum / begun.length));
    }
    const reached = (await chart('cohorts.by-order')).tables[0].rows.find((one: any) => one.cohort === row.cohort);
    expect(reached.cells[0]).toEqual({ index: 1, value: 100 });
  });
});

describe('pages of figures', () => {
  it('D194 a chart is answered by GET and POST paths, with the same figures', async () => {
    const [post, get] = [
      await server.call('analytics.chartOf', { path: 'orders.earned', ...days }),
      await server.call('analytics.chart', { path: 'orders.earned', ...days }),
    ];
    expect(get.status).toBe(200);
    expect(get.data).toEqual(post.data);
    expect((await server.call('analytics.chart', { path: 'orders.nothing' })).status).toBe(422);
  });

  it('D195 D296 the path of a generic GET says what it lists', async () => {
    const countries = await server.call('analytics.generic', { list: 'countries' });
    expect(countries.data).toEqual(expect.arrayContaining([{ value: 'US', label: 'United States' }]));
    expect((await server.call('analytics.generic', { list: 'plans' })).data[0]).toEqual({
      value: expect.any(Number),
      label: expect.any(String),
    });
    expect((await server.call('analytics.generic', { list: 'moons' })).status).toBe(422);
  });

  it('every component of every page is answered, and its file holds the same figures', async () => {
    for (const page of Object.values(server.services.definitions.analytics))
      for (const { components } of page.tabs.flatMap(tab => tab.sections))
        for (const { key } of components) {
          const data = await chart(`${page.key}.${key}`);
          expect(data.type).toBeTruthy();
        }
    const file = await server.request('POST', '/host/v2/analytics/chart/orders.earned', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...days, format: 'csv' }),
      as: 'owner',
    });
    expect(file.headers.get('content-type')).toContain('text/csv');
    const found = await tiles('orders.earned');
    expect(file.text).toContain(`Subscription revenue (USD),${found.revenue.value},${found.revenue.previousValue}`);
  });

  it('the first page has the same figures', async () => {
    const [revenue, movement, overview] = await Promise.all(
      ['revenue', 'movement', 'overview'].map(key => server.call(`home.${key}`, key === 'overview' ? {} : { ...days })),
    );
    const [earned, moved, now] = [await tiles('overview.earned'), await tiles('overview.moved'), await tiles('overview.standing')];
    const same = (a: any, b: any): void =>
      expect([a.value, a.previousValue, a.changePercent]).toEqual([b.value, b.previous, b.changePercent]);
    same(earned.revenue, revenue!.data.revenue);
    same(earned['recurring-revenue'], revenue!.data.recurring);
    same(earned['average-order'], revenue!.data.averageOrder);
    same(moved['new-subscriptions'], movement!.data.begun);
    same(moved['churn-rate'], movement!.data.churnRate);
    expect(now.mrr.value).toBe(overview!.data.mrr);
    expect(now['active-subscribers'].value).toBe(overview!.data.activeSubscribers);
    const payments = await server.call('payments-overview.paymentSummaryInfoForBanner', { ...days, dataType: 'revenue' });
    const amounts = await tiles('payments.amounts');
    expect(amounts['collected-amount'].value).toBe(payments.data.realized.value);
    expect(amounts['lost-amount'].value).toBe(payments.data.lost.value);
  });

  it('filters narrow every figure; parts add up to the whole', async () => {
    const whole = await tiles('subscriptions.movement');
    const { data: countries } = await server.call('analytics.generic', { list: 'countries' });
    let sum = 0;
    for (const { value } of countries) sum += (await tiles('subscriptions.movement', { country: [value] }))['new-subscriptions'].value;
    expect(sum).toBe(whole['new-subscriptions'].value);
    const table = await chart('subscriptions.plan-movement');
    const [first] = table.rows;
    expect(first.values[0]).toBe((await tiles('subscriptions.movement', { plan: [Number(first.key)] }))['new-subscriptions'].value);
  });

  it('S236 S238 S239 S240 a page needs the right to look at its figures, and so do its charts', async () => {
    const pages: [string, string][] = [
      ['subscribers', 'subscribers.movement'],
      ['cohorts', 'cohorts.by-order'],
      ['orders', 'orders.counts'],
      ['product', 'product.changes'],
    ];
    for (const [page, path] of pages) {
      const area = server.services.definitions.analytics[page]?.permission;
      await server.services.db.asOwner(async trx => {
        await sql`update users set permissions = jsonb_set(permissions, array[${area ?? ''}], '"NO_ACCESS"') where store_id = 1 and id = 1003`.execute(
          trx,
        );
      });
      const token = await server.signIn('mixed');
      expect((await server.call('analytics.pageConfig', { page }, { as: token })).status, page).toBe(403);
      expect((await server.call('analytics.chartOf', { path }, { as: token })).status, path).toBe(403);
      expect((await server.call('analytics.pageConfig', { page })).status).toBe(200);
    }
  });

  it('days that make no sense are refused with where and why', async () => {
    const answer = await server.call('analytics.chartOf', { path: 'orders.earned', startDate: '2026-05-02', endDate: '2026-05-01' });
    expect(answer.status).toBe(422);
    expect(answer.body.errors?.[0]).toMatchObject({ pointer: '/endDate' });
  });
});

describe('months that are over', () => {
  /** The last three whole months. */
  const months = [1, 2, 3].map(back => {
    const at = Number(today.slice(0, 4)) * 12 + Number(today.slice(5, 7)) - 1 - back;
    const first = (n: number): string => `${Math.floor(n / 12)}-${String((n % 12) + 1).padStart(2, '0')}-01`;
    return besideBefore({ startDate: first(at), endDate: addDays(first(at + 1), -1) });
  });
  /** What the pages answer, in the shape of the figures that are worked out from the raw tables. */
  const shown = async (month: (typeof months)[number]): Promise<SignedFigures> => {
    const asked = month as never;
    const all: Record<string, any> = {};
    for (const path of ['subscriptions.movement', 'subscribers.movement', 'orders.earned', 'orders.counts'])
      for (const [key, item] of Object.entries(await tiles(path, asked))) all[key] = item.value;
    for (const series of (await chart('subscribers.changes', asked)).series)
      all[series.key] = series.points.reduce((sum: number, point: any) => sum + point.y, 0);
    const column = async (path: string, i: number): Promise<Record<string, any>> =>
      Object.fromEntries((await chart(path, asked)).rows.map((row: any) => [String(row.key), row.values[i]]));
    const byOrder = await column('orders.by-order', 2);
    return {
      ...all,
      byOrder,
      lostByReason: await column('cancellation.reasons', 1),
      lostByProduct: await column('product.movement', 3),
      lostByPlan: await column('cancellation.plans', 2),
    } as SignedFigures;
  };
  const some = (parts: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(parts).filter(([, amount]) => Number(amount) !== 0));
  const alike = (answered: SignedFigures, worked: SignedFigures): void => {
    for (const key of ['lostByReason', 'lostByProduct', 'lostByPlan'] as const) expect(some(answered[key]), key).toEqual(some(worked[key]));
    for (const [number, rate] of Object.entries(worked.byOrder)) expect(answered.byOrder[number] ?? 0, `order ${number}`).toBe(rate ?? 0);
    const { lostByReason: _reason, lostByProduct: _product, lostByPlan: _plan, byOrder: _order, ...whole } = worked;
    expect(answered).toMatchObject(whole);
  };

  /** Opening and movements come to the closing figure, whatever it is narrowed to, and today's closing figure is MRR. */
  const falls = async (): Promise<void> => {
    const [{ value: country }] = (await server.call('analytics.generic', { list: 'countries' })).data;
    const products = (await server.call('analytics.generic', { list: 'products' })).data.map((one: any) => one.value);
    const parts: Record<string, number[]> = { whole: [], product: [] };
    for (const [i, input] of [
      {},
      besideBefore({ startDate: addDays(today, -400), endDate: today }),
      { country: [country] },
      ...products.map((product: number) => ({ product: [product] })),
    ].entries()) {
      const points = (await chart('subscribers.mrr-movements', input as JsonObject)).series[0].points;
      const amounts: number[] = points.map((point: any) => toMinor(point.y, 'USD'));
      expect(
        amounts.slice(0, -1).reduce((sum, amount) => sum + amount, 0),
        JSON.stringify(input),
      ).toBe(amounts.at(-1));
      if (i === 0) parts.whole = amounts;
      // The report of movements has the rows of each bar, and they add up to it.
      if (i === 0)
        for (const point of points.slice(1, -1)) {
          const [term] = server.services.definitions.metrics[String(point.x)]!.numerator;
          const rows = await server.call('report-mrr_movement.list', {
            filter: { day: { from: days.startDate, to: days.endDate }, kind: term!.when.happened!.map(String) },
            pageSize: 100,
          });
          expect(rows.status, JSON.stringify(rows.body)).toBe(200);
          if (rows.data.length < 100)
            expect(
              rows.data.reduce((sum: number, row: any) => sum + toMinor(row.mrrChange, 'USD'), 0),
              point.label,
            ).toBe(toMinor(point.y, 'USD'));
        }
      if (i === 1) expect(amounts.at(-1)).toBe(toMinor((await tiles('subscribers.standing')).mrr.value, 'USD'));
      if (i > 2) parts.product = amounts.map((amount, n) => amount + (parts.product?.[n] ?? 0));
    }
    expect(parts.product).toEqual(parts.whole);
    expect(parts.whole?.filter(amount => amount !== 0).length).toBeGreaterThan(3);
  };

  /** In the last of them customers looked at an offer and at leaving, of each subscription that had begun. */
  const offersAndLeavers = `with own as (select id, customer_id, '${months[0]?.endDate} 09:00Z'::timestamptz as at from contracts
      where store_id = 1 and created_at < '${months[0]?.startDate}')
    , seen as (insert into offer_events (store_id, kind, profile_id, contract_id, happened, place, day, value_after, created_at)
        select 1, 'SWAP', 1, id, 'ACCEPTED', 'PORTAL', at::date, id % 977, at from own)
    insert into cancellation_attempts (store_id, contract_id, customer_id, source, reason, outcome, started_at)
      select 1, id, customer_id, 'CUSTOMER', 'Later', 'SAVED', at from own`;
  /** Whatever a row of a store can become later that figures are narrowed or split by, or converted with. */
  const moveEverything = () =>
    server.services.db.exec(`update contracts set country_code = 'FR', frequency = 'Every 9 weeks', is_prepaid = not is_prepaid,
        plan_group_ids = '{9}', product_ids = '{9}', variant_ids = '{9}', source = 'API', cancellation_reason = 'Moved' where store_id = 1;
      update payment_methods set brand = 'other', type = 'PAYPAL' where store_id = 1;
      update stores set details = jsonb_set(details, '{usdRates}', '{"EUR": 9, "GBP": 9, "CAD": 9, "JPY": 9}') where id = 1`);
  /** Every figure of every fact that has a past, split by each dimension and narrowed by each filter; but not how a payment ends: a late
   * one changes the month of its first try. */
  const everything = async (): Promise<Record<string, unknown>> => {
    const { db } = server.services;
    const period = { startDate: String(months[2]?.startDate), endDate: String(months[0]?.endDate) };
    const asking = { store: (await store()) as never, now: new Date(), filters: {} };
    const found: Record<string, unknown> = {};
    await db.asOwner(async trx => {
      for (const [fact, { kind, measures }] of Object.entries(FACTS)) {
        if (kind === 'now') continue;
        const terms = Object.keys(measures).map(name => ({ fact, measure: name, when: {}, at: 'end' as const, times: 1, minus: false }));
        const ask = async (more: Partial<typeof asking>, by: string[]): Promise<Group[]> =>
          (await measure({ ...asking, ...more, trx }, terms as never, period, { by })).sort((a, b) =>
            JSON.stringify(a.keys) < JSON.stringify(b.keys) ? -1 : 1,
          );
        const narrowed = fact === 'order' || fact === 'payment' ? FILTER_NAMES.filter(name => takesFilter(fact, name)) : [];
        for (const by of new Set([...dimensionsOf(fact), ...narrowed]))
          if (!['fate', 'recovery'].includes(by)) found[`${fact} by ${by}`] = await ask({}, [by]);
        for (const name of narrowed) {
          const [one] = found[`${fact} by ${name}`] as Group[];
          found[`${fact} of ${name}`] = await ask({ filters: { [name]: [one?.keys[0]] } as never }, []);
        }
      }
    });
    return found;
  };

  it('are read from tables alone that keep what was, whichever fact and column', () => {
    const kept = ['movements', 'movement_reasons', 'contract_spans', 'orders', 'billing_attempts', 'events', 'cancellation_attempts'];
    const asking = {
      trx: undefined as never,
      store: { id: 1, timezone: ZONE, currency_code: 'USD' } as never,
      filters: {},
      now: new Date(),
    };
    const compiler = new Kysely({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => new DummyDriver(),
        createIntrospector: db => new PostgresIntrospector(db),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      },
    });
    const read = (fact: string): string[] => {
      const { one, tests } = sceneOf(asking, fact, days, {}, []);
      const parts = [one.from, ...tests, ...Object.values(one.columns), ...Object.values(one.measures).map(({ value }) => value)];
      return parts.flatMap(part =>
        [...part.compile(compiler).sql.matchAll(/(?<!distinct )\b(?:from|join) ("?[a-z_]+)/g)].flatMap(([, name]) =>
          name === 'lateral' ? [] : String(name),
        ),
      );
    };
    const flows = Object.entries(FACTS).flatMap(([fact, { kind }]) => (kind === 'flow' ? fact : []));
    const found = flows.flatMap(read);
    expect(found.length).toBeGreaterThan(flows.length);
    expect([...new Set(found)].filter(name => ![...kept, 'offer_events'].includes(name))).toEqual([]);
  });

  it('are what the raw tables say, by what the tiles say, before and after 200 later changes', async () => {
    const { db } = server.services;
    await db.exec(offersAndLeavers);
    const raw = await readRaw(db, ZONE);
    const all = await everything();
    const { startDate, endDate } = months[1]!;
    const behind = () => server.call('analytics.rows', { startDate, endDate, path: 'orders.earned', metric: 'revenue', country: ['US'] });
    const rows = await behind();
    expect(rows.data?.total, JSON.stringify(rows.body)).toBeGreaterThan(3);
    const first: SignedFigures[] = [];
    for (const month of months) {
      const answered = await shown(month);
      alike(answered, figuresOf(raw, month));
      // Parts add up to the whole.
      for (const parts of [answered.lostByProduct, answered.lostByPlan, answered.lostByReason])
        expect(Object.values(parts).reduce((sum, amount) => sum + toMinor(amount, 'USD'), 0)).toBe(toMinor(answered['lost-mrr'], 'USD'));
      first.push(answered);
    }
    await falls();
    const states = new Map((await rowsOf('contracts')).map(row => [row.id, row.status]));
    const lines = await rowsOf('contract_lines');
    let changed = 0;
    for (let round = 0; changed < 200 && round < 4; round++)
      for (const [id, status] of states) {
        if (changed >= 200) break;
        const [call, input, next] =
          status !== 'ACTIVE' && status !== 'PAUSED'
            ? ['reactivate', {}, 'ACTIVE']
            : (id + round) % 3 === 0
              ? ['cancel', { cancellationReason: 'Later', notifyCustomer: false }, 'CANCELLED']
              : (id + round) % 3 === 1 && status === 'ACTIVE'
                ? ['pause', {}, 'PAUSED']
                : ['updateQuantity', { lineId: lines.find(line => line.contract_id === id).id, quantity: 1 + ((id + round) % 4) }, status];
        const answer = await server.call(`subscription-contract.${call}`, { id, ...(input as JsonObject) });
        if (answer.status !== 200) continue;
        states.set(id, next as string);
        changed++;
      }
    expect(changed).toBe(200);
    await moveEverything();
    const later = await readRaw(db, ZONE);
    expect(later.ledger.length).toBeGreaterThan(raw.ledger.length + 100);
    await falls();
    const now = await everything();
    expect(Object.keys(all).filter(key => !isDeepStrictEqual(now[key], all[key]))).toEqual([]);
    expect(Object.keys(all).length).toBeGreaterThan(150);
    expect((await behind()).data).toEqual(rows.data);
    for (const [i, month] of months.entries()) {
      expect(await shown(month)).toEqual(first[i]);
      alike(first[i] as SignedFigures, figuresOf(later, month));
    }
  });
});
