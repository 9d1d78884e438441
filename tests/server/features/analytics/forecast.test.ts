// What is ahead: the same on every page that says it, and how long stock lasts for it. That it comes true is tests/server/features/home/ahead.test.ts.
import { afterAll, beforeAll, expect, it } from 'vitest';
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
  const part = Number(/: ([\d.]+) %\./.exec(likely.about)?.[1]) / 100;
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
