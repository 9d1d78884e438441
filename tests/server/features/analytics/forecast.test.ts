// What is ahead: the same on every page that says it, and how long stock lasts for it. That it comes true is tests/server/features/home/ahead.test.ts.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { monthsThere, rateBetween } from '../../../../src/domain/analytics/lifetime.ts';
import { figureOf } from '../../../../src/server/platform/analytics/evaluate.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ seed: { contracts: 80, stores: 1 } });
});
afterAll(() => server?.close());
const chart = async (path: string): Promise<any> => {
  const answer = await server.call('analytics.chart', { path });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.data;
};

it('planned charges are those of Home, week by week what they are together, and what is likely is the part that came in lately', async () => {
  const [planned30, planned60, planned90, orders, likely] = (await chart('orders.ahead')).items;
  const home = (await server.call('home.upcoming')).data;
  expect(planned30.value).toBe(home.month.value);
  expect(Number(planned60.value)).toBeGreaterThan(Number(planned30.value));
  expect(Number(planned90.value)).toBeGreaterThan(Number(planned60.value));
  const weeks = await chart('orders.weeks');
  const sum = (n: number): number => weeks.series[n].points.reduce((all: number, point: any) => all + Number(point.y), 0);
  expect(weeks.series[0].points).toHaveLength(13);
  expect(sum(0)).toBeCloseTo(Number(planned90.value), 2);
  expect(sum(1)).toBe(orders.value);
  const part = Number(/: ([\d.]+)%\./.exec(likely.about)?.[1]) / 100;
  expect(part).toBeGreaterThan(0.5);
  expect(Math.abs(Number(likely.value) / Number(planned90.value) - part)).toBeLessThan(0.001);
});

it('both are those of the subscriptions that a filter leaves', async () => {
  const all = (await chart('orders.ahead')).items[2].value;
  const countries: string[] = (await server.call('analytics.generic', { list: 'countries' })).data.map((one: any) => one.value);
  let sum = 0;
  for (const country of countries) {
    const { data } = await server.call('analytics.chart', { path: 'orders.ahead', country: [country] });
    sum += Number(data.items[2].value);
  }
  expect(sum).toBeCloseTo(Number(all), 2);
  const pieces = async (input: object): Promise<number> =>
    (await server.call('analytics.chart', { path: 'orders.stock', ...input })).data.rows.reduce(
      (n: number, row: any) => n + row.values[3],
      0,
    );
  expect(await pieces({ country: countries.slice(0, 1) })).toBeLessThan(await pieces({}));
});

it('stock says how many days it lasts for what goes out, the shortest first, and nothing where it is not tracked', async () => {
  const before = await chart('orders.stock');
  const { rows } = await server.services.db.ownerQuery<{ id: number; name: string }>(
    "select v.id, p.title || case when v.title in ('', 'Default', 'Default Title') then '' else ' – ' || v.title end as name from variants v join products p on p.store_id = v.store_id and p.id = v.product_id where v.store_id = 1",
  );
  const ids = new Map(rows.map(row => [row.name, row.id]));
  const names: string[] = before.rows.filter((row: any) => row.values[3] >= 2 && ids.has(row.label)).map((row: any) => row.label);
  const [short = '', untracked = ''] = names;
  const set = (name: string, values: string) =>
    server.services.db.ownerQuery(`update variants set ${values} where store_id = 1 and id = ${ids.get(name)}`);
  await server.services.db.ownerQuery(
    "update variants set inventory_management = 'shopify', inventory_quantity = 1000000 where store_id = 1",
  );
  await set(short, 'inventory_quantity = 1');
  await set(untracked, 'inventory_management = null');
  const after = await chart('orders.stock');
  const of = (name: string): any => after.rows.find((row: any) => row.label === name).values;
  expect(after.rows[0].label).toBe(short);
  expect(of(short).slice(0, 5)).toEqual([...before.rows.find((row: any) => row.label === short).values.slice(0, 4), 1]);
  expect(of(short)[5]).toBeGreaterThanOrEqual(0);
  expect(of(short)[5]).toBeLessThan(90);
  expect(of(untracked).slice(4)).toEqual([null, null]);
  expect(after.rows.at(-1).values[5]).toBeNull();
});

it('a ratio far below 1 keeps three digits, others two decimals, and money whole minor units', () => {
  const { metrics } = server.services.definitions;
  const some = Object.values(metrics)[0];
  if (!some) throw new Error('There are no metrics.');
  expect(figureOf({ ...some, unit: 'number' }, 1, 4000)).toBe(0.00025);
  expect(figureOf({ ...some, unit: 'number' }, 10, 3)).toBe(3.33);
  expect(figureOf({ ...some, unit: 'money' }, 1000, 3)).toBe(333);
  expect(figureOf({ ...some, unit: 'number' }, 1, 0)).toBeNull();
});

describe('what a subscriber is worth', () => {
  const DAY = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' });
  /** The sums of whole months by the raw tables: revenue, customers who were lost, and those who were there when a month began or came in it. */
  async function counted(months: readonly string[]): Promise<{ revenue: number; lost: number; there: number }> {
    const query = async <T>(text: string): Promise<T[]> => (await server.services.db.ownerQuery<T & object>(text)).rows;
    const orders = await query<{
      at: Date;
      total: number;
    }>(`select o.processed_at as at, case o.currency_code when 'USD' then o.total else o.total_usd end as total from orders o
      join contracts c on c.store_id = o.store_id and c.id = o.contract_id where o.store_id = 1 and o.status = 'PAID'
        and not o.is_prepaid_delivery and o.order_type in ('CHECKOUT', 'RECURRING') and c.source <> 'GIFT'`);
    const moves = await query<{ customer: number; contract: number; day: string; runs: boolean; kind: string }>(
      `select customer_id as customer, contract_id as contract, to_char(day, 'YYYY-MM-DD') as day, status_after in ('ACTIVE', 'PAUSED') as runs,
        kind from movements where store_id = 1 and origin <> 'GIFT' and row_no = 0 order by at, contract_id, change_no`,
    );
    const running = new Map<number, Set<number>>();
    const came: { customer: number; day: string; end?: string; kind?: string; isFirst: boolean }[] = [];
    for (const { customer, contract, day, runs, kind } of moves) {
      const all = running.get(customer) ?? new Set<number>();
      const before = all.size;
      if (runs) all.add(contract);
      else all.delete(contract);
      if (before === 0 && all.size > 0) came.push({ customer, day, isFirst: !running.has(customer) });
      const last = came.findLast(one => one.customer === customer);
      if (before > 0 && all.size === 0 && last) Object.assign(last, { end: day, kind });
      running.set(customer, all);
    }
    const sum = { revenue: 0, lost: 0, there: 0 };
    for (const month of months) {
      sum.revenue += orders.filter(({ at }) => DAY.format(at).startsWith(month)).reduce((all, { total }) => all + Number(total), 0);
      sum.lost += came.filter(({ end, kind = '' }) => end?.startsWith(month) && ['cancelled', 'failed'].includes(kind)).length;
      sum.there += came.filter(({ day, end }) => day < `${month}-01` && (end ?? '9') >= `${month}-01`).length;
      sum.there += came.filter(({ day, isFirst }) => isFirst && day.startsWith(month)).length;
    }
    return sum;
  }

  it('is the revenue of a month for as many of 36 months as they stay, by the raw tables, and says so with its range', async () => {
    const today = DAY.format(new Date());
    const months = [6, 5, 4, 3, 2, 1].map(back => {
      const at = Number(today.slice(0, 4)) * 12 + Number(today.slice(5, 7)) - 1 - back;
      return `${Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`;
    });
    const { revenue, lost, there } = await counted(months);
    expect(lost).toBeGreaterThanOrEqual(10);
    const { items } = await chart('subscribers.lifetime');
    let stay = 0;
    for (let month = 0; month < 36; month++) stay += (1 - lost / there) ** month;
    expect(items.map((item: any) => Number(item.value))).toEqual([
      Math.round((revenue / there) * stay) / 100,
      Math.round(revenue / there) / 100,
      Math.round((lost / there) * 1000) / 10,
      Math.round(stay * 10) / 10,
    ]);
    const [low = 0, high = 0] =
      /between \$([\d,.]+) and\s+\$([\d,.]+),/
        .exec(items[0].about)
        ?.slice(1)
        .map(one => Number(one.replace(',', ''))) ?? [];
    expect(items[0].note).toMatch(/^between \$[\d,.]+ and \$[\d,.]+$/);
    expect(items[0].about).toContain(items[0].note.slice('between '.length).split(' and ')[0]);
    expect(low).toBeLessThan(Number(items[0].value));
    expect(high).toBeGreaterThan(Number(items[0].value));
    expect(items[0].about).toMatch(/first 36 months.*What comes after 36 months is\s+not counted\./s);
  });

  it('is not said where too little is known, but what is missing', async () => {
    const few = await server.call('analytics.chart', { path: 'subscribers.lifetime', country: ['AQ'] });
    expect(few.data).toMatchObject({
      mistake: '0 subscribers were lost in the last 6 whole months; 10 are needed to tell how long subscribers stay.',
    });
    expect(few.data.items).toBeUndefined();
    expect([monthsThere(0), monthsThere(1), Math.round(monthsThere(0.1) * 100) / 100]).toEqual([36, 1, 9.77]);
    const [low, high] = rateBetween(10, 100);
    expect([low.toFixed(3), high.toFixed(3)]).toEqual(['0.055', '0.174']);
  });
});
