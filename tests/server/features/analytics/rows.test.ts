// Every number of every page of figures leads to the rows behind it, and the rows add up to it: all pages, components, figures and points.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FACTS, FILTERS, isOfFact, takesFilter, type FilterName } from '../../../../src/domain/analytics/facts.ts';
import { addDays } from '../../../../src/domain/calendar/plain-days.ts';
import { toMinor } from '../../../../src/domain/money/money.ts';
import type { AnalyticsComponent, AnalyticsPage, JsonObject, Metric } from '../../../../src/contract/types.ts';
import { startTestServer, type TestServer } from '../../../support/server.ts';

/** Amounts in minor units, other figures as they are. */
const fromDecimal = (value: string | number): number => (typeof value === 'string' ? toMinor(value, 'USD') : value);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ seed: { contracts: 120, stores: 1 } });
});
afterAll(() => server?.close());

const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(new Date());
const days = { startDate: addDays(today, -75), endDate: addDays(today, -1) };
const call = async (name: string, input: JsonObject): Promise<any> => {
  const answer = await server.call(name, { ...days, ...input });
  expect(answer.status, `${name} ${JSON.stringify(input)} ${JSON.stringify(answer.body)}`).toBe(200);
  return answer.data;
};

interface Shown {
  place: JsonObject;
  value: string | number | null;
  /** Of what no metric says. */
  unit?: string;
}
/** The figures that a component draws, each with what names it. At most a few of each kind: the first, the last and one between. */
function shownBy(component: AnalyticsComponent, data: any): Shown[] {
  const some = <T>(all: T[]): T[] => (all.length < 4 ? all : ([all[0], all[Math.floor(all.length / 2)], all.at(-1)] as T[]));
  const isTime = data.xType === 'DATE' || component.by === 'time';
  const at = ({ x, to }: { x: string; to?: string }): JsonObject => (isTime ? { from: x, to: to ?? x } : { part: x });
  const leads = ({ hasRows }: { hasRows?: boolean }): boolean => hasRows !== false;
  if (data.items) return data.items.filter(leads).map((item: any) => ({ place: { metric: item.key }, value: item.value, unit: item.unit }));
  if (data.steps) return data.steps.map((step: any) => ({ place: { metric: step.key }, value: step.value }));
  if (data.tables)
    return data.tables.flatMap((table: any) =>
      some(table.rows).flatMap((row: any) =>
        some(row.cells).map((cell: any) => ({ place: { metric: table.key, cohort: row.cohort, column: cell.index }, value: cell.value })),
      ),
    );
  if (data.rows)
    return some(data.rows).flatMap((row: any) =>
      data.columns.filter(leads).map((column: any, i: number) => ({
        place: { metric: column.key, ...at({ x: row.part ?? row.key, to: row.to }) },
        value: row.values[i],
        unit: column.unit,
      })),
    );
  // Beside each other, as parts of a whole: each point is a metric.
  if (component.by === undefined && !isTime)
    return data.series[0].points.map((point: any) => ({ place: { metric: point.x }, value: point.y }));
  return data.series.flatMap((series: any) =>
    component.split === undefined
      ? some(series.points).map((point: any) => ({ place: { metric: series.key, ...at(point) }, value: point.y, unit: series.unit }))
      : some(series.points).map((point: any) => ({
          place: { metric: component.metrics[0], split: series.key, ...at(point) },
          value: point.y,
        })),
  );
}
const isDrawnAlone = ({ place }: Shown): boolean => place.part !== 'other' && place.split !== 'other';

/** The figure that the rows come to. */
async function summed(path: string, metric: Metric, place: JsonObject, filters: JsonObject): Promise<number | null> {
  const read = async (of: string): Promise<number> => {
    const pages: any[] = [];
    for (let page = 1; ; page++) {
      const found = await call('analytics.rows', { path, ...place, of, rowsPage: page, ...filters });
      pages.push(...found.rows);
      if (found.rows.length < 50 || page > 30) {
        expect(pages.length).toBe(found.total);
        const sum = pages.reduce((all, row) => all + fromDecimal(row.value), 0);
        expect(sum).toBe(fromDecimal(found.sum));
        return sum;
      }
    }
  };
  const over = await read('counted');
  if (metric.denominator.length === 0) return over;
  const under = await read('base');
  if (under === 0) return null;
  return over / under;
}
const rounded = (metric: Metric, value: number | null): number | null => {
  if (value === null || metric.denominator.length === 0) return value;
  if (metric.unit === 'percent') return Math.round(value * 1000) / 10;
  if (metric.unit === 'money' || metric.unit === 'count') return Math.round(value);
  return Math.abs(value) < 1 ? Number(value.toPrecision(3)) : Math.round(value * 100) / 100;
};

/** Whether parts of it add up: not how many different customers there are. */
const isAdded = (fact: string, measure: string): boolean => FACTS[fact]?.measures[measure] !== 'distinct' && !fact.startsWith('subscriber');

describe('the rows behind a figure', () => {
  it.each([
    ['all subscriptions', {}],
    ['some of them', { country: ['US'], product: [1, 2, 3] }],
    [
      'what only some facts have',
      { planType: ['STANDARD'], subscriberType: ['FIRST'], provider: ['CREDIT_CARD'], cancelledBy: ['CUSTOMER'] },
    ],
  ])(
    'add up to it, on every page and at every point: %s',
    async (_, filters) => {
      const { analytics, metrics } = server.services.definitions;
      const wrong: string[] = [];
      let checked = 0;
      for (const page of Object.values(analytics) as AnalyticsPage[]) {
        const narrow = Object.fromEntries(Object.entries(filters).filter(([name]) => (page.filters as readonly string[]).includes(name)));
        for (const component of page.tabs.flatMap(tab => tab.sections.flatMap(section => section.components))) {
          const path = `${page.key}.${component.key}`;
          const data = await call('analytics.chartOf', { path, ...narrow });
          // What a subscriber is worth is worked out from other figures, and has no rows of its own.
          if (component.metrics.length === 0 && path !== 'subscribers.lifetime') expect([path, data.hasRows]).toEqual([path, true]);
          if (data.hasRows === false || data.mistake !== undefined || (component.source !== undefined && 'provider' in filters)) continue;
          for (const { place, value, unit } of shownBy(component, data).filter(isDrawnAlone)) {
            const metric = metrics[String(place.metric)] ?? ({ unit, denominator: [] } as unknown as Metric);
            const found = rounded(metric, await summed(path, metric, place, narrow));
            const drawn = value === null ? null : metric.unit === 'money' ? fromDecimal(value) : Number(value);
            checked += 1;
            if (found !== drawn) wrong.push(`${path} ${JSON.stringify(place)}: ${String(found)} instead of ${String(drawn)}`);
          }
        }
      }
      expect(wrong).toEqual([]);
      expect(checked).toBeGreaterThan(200);
    },
    600_000,
  );

  it('parts by each filter add up to the whole, and a figure that a filter does not narrow says so', async () => {
    const { analytics, metrics } = server.services.definitions;
    const wrong: string[] = [];
    let checked = 0;
    for (const page of Object.values(analytics) as AnalyticsPage[])
      for (const filter of page.filters as FilterName[]) {
        // A subscription may have several of these.
        if (['plan', 'product', 'variant'].includes(filter)) continue;
        const choices = (await server.call('analytics.generic', { list: FILTERS[filter].list })).data;
        if (filter === 'reason') expect(choices.at(-1)).toEqual({ value: '', label: 'No reason given' });
        for (const component of page.tabs.flatMap(tab => tab.sections.flatMap(section => section.components))) {
          const counts = component.metrics.map(key => metrics[key] as Metric);
          if (component.type !== 'metrics' || component.source !== undefined) continue;
          const path = `${page.key}.${component.key}`;
          const whole = await call('analytics.chartOf', { path });
          const sums = whole.items.map(() => 0);
          let isNarrowed = true;
          for (const { value } of choices) {
            const part = await call('analytics.chartOf', { path, [filter]: [value] });
            isNarrowed &&= part.without === undefined;
            part.items.forEach((item: any, i: number) => (sums[i] += fromDecimal(item.value ?? 0)));
          }
          const takes = counts.every(metric => metric.numerator.every(({ fact }) => takesFilter(fact, filter)));
          if (choices.length > 0 && isNarrowed !== takes) wrong.push(`${path} does not say whether ${filter} narrows it`);
          // Who has a subscription of each kind counts in both parts; what is divided is no sum.
          counts.forEach((metric, i) => {
            const isSum = metric.denominator.length === 0 && metric.numerator.every(({ fact, measure }) => isAdded(fact, measure));
            const { value } = whole.items[i];
            if (!isSum || !isNarrowed || choices.length === 0) return;
            checked += 1;
            // Some were paid by no card; who gave no reason is a choice of its own.
            const isRight =
              isOfFact(filter) && !('hasNone' in FILTERS[filter]) ? sums[i] <= fromDecimal(value) : sums[i] === fromDecimal(value);
            if (!isRight) wrong.push(`${path} ${metric.key} by ${filter}: ${sums[i]} instead of ${String(value)}`);
          });
        }
      }
    expect(wrong).toEqual([]);
    expect(checked).toBeGreaterThan(80);
  });

  it('say whose they are, what each is in a word, and are a file too; who may not see subscriptions gets none', async () => {
    const place = { path: 'subscribers.movement', metric: 'new-mrr' };
    const found = await call('analytics.rows', place);
    expect(found).toMatchObject({ label: 'New MRR', unit: 'money', hasBase: false, currencyCode: 'USD', days });
    expect(found.rows[0]).toMatchObject({
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      subscriptionId: expect.any(Number),
      customerName: expect.stringMatching(/\w+ \w+/),
      what: 'New',
      value: expect.stringMatching(/^\d+\.\d\d$/),
    });
    const query = new URLSearchParams({ ...days, metric: place.metric, format: 'csv' });
    const file = await server.request('GET', `/host/v2/analytics/rows/${place.path}?${query.toString()}`, { as: 'owner' });
    expect(file.text).toContain('Date,Subscription,Customer,Order,What,New MRR (USD)');
    expect(file.text.trim().split(/\r?\n/).at(-1)).toBe(`Sum,,,,,${found.sum}`);
    expect((await server.call('analytics.rows', { ...days, path: place.path, metric: 'revenue' })).body.errors).toMatchObject([
      { pointer: '/metric' },
    ]);
    const orders = await call('analytics.rows', { path: 'orders.earned', metric: 'revenue' });
    expect(orders.rows[0]).toMatchObject({ orderNumber: expect.any(Number), what: expect.stringMatching(/\w/) });
  });
});
