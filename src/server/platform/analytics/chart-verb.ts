// The verb chart: the data of a component of a page of figures, as JSON or as a file.
import { componentAt } from '../../../contract/analytics.ts';
import { accessOf, mayNotSee } from '../../../contract/access.ts';
import type { AnalyticsComponent, AnalyticsPage, JsonObject, JsonValue, Metric } from '../../../contract/types.ts';
import { FILTER_NAMES, FILTERS, isOfFact, takesFilter, type FilterName } from '../../../domain/analytics/facts.ts';
import { addDays, besideBefore, type Compared, type Period } from '../../../domain/calendar/plain-days.ts';
import { t, translated } from '../../../domain/text/t.ts';
import { invalid, notFound, Refusal, type Context, type Reply } from '../context.ts';
import { csvFile } from '../csv/csv-file.ts';
import type { VerbCall } from '../records/registry.ts';
import type { RuleContext } from '../records/rules.ts';
import { beforeOf, checkPeriods, todayOf } from '../records/store-days.ts';
import { chartOf, type ChartInput } from './chart.ts';
import { COHORT_MONTHS, lastMonths } from './cohort.ts';
import { isOfNow } from './evaluate.ts';
import { forFile, linesOf, linesOfRows } from './csv.ts';
import type { Filters } from './measure.ts';
import { ofOwnCharts, ownChart, type OwnChart } from './own-charts.ts';
import { pageOf, type Listed, type ListedPlace } from './listed-rows.ts';
import { aboutRows, PAGE, rowsBehind, type Place, type RowsBehind } from './rows.ts';
import type { ChartContext } from './wire.ts';

/** Refuses who may not look at a page, or at one of its components. @throws Refusal 403 */
export function refusePage({ session, definitions }: Pick<RuleContext, 'session' | 'definitions'>, ...areas: (string | undefined)[]): void {
  for (const area of areas)
    if (area !== undefined && !accessOf(session).can(area, 'READ'))
      throw new Refusal(403, 'FORBIDDEN', mayNotSee(translated(definitions.permissions[area]?.label ?? area)));
}

/** Refuses who may not look at a report. @throws Refusal 403 */
export const refuseReport = (context: Pick<RuleContext, 'session' | 'definitions'>, key: string): void =>
  refusePage(context, 'viewReports', context.definitions.reports[key]?.permission, ...(context.definitions.reports[key]?.also ?? []));

/** What is asked for of a page: days, days to compare with, and what subscriptions are narrowed by. */
export function filtersIn(input: JsonObject): Filters {
  const list = (value: JsonValue | undefined): (string | number)[] =>
    value === undefined || value === null || value === '' ? [] : ((Array.isArray(value) ? value : [value]) as (string | number)[]);
  return Object.fromEntries(FILTER_NAMES.flatMap(name => (list(input[name]).length ? [[name, list(input[name])]] : [])));
}

/** The filters that narrow all that a component counts, and the others: a figure is narrowed whole or not at all. */
function applied(
  { metrics, source }: AnalyticsComponent,
  definitions: Context['definitions'],
  filters: Filters,
): { filters: Filters; without: FilterName[] } {
  const facts = metrics.flatMap(key => definitions.metrics[key]?.numerator.map(({ fact }) => fact) ?? []);
  const isTaken = (name: FilterName): boolean => (source === undefined ? facts.every(fact => takesFilter(fact, name)) : !isOfFact(name));
  const names = Object.keys(filters) as FilterName[];
  return {
    filters: Object.fromEntries(names.filter(isTaken).map(name => [name, filters[name]])),
    without: names.filter(name => !isTaken(name)),
  };
}

/** The last 30 days of the store, today's included, where none are asked for. */
function daysOf(context: Pick<Context, 'store' | 'now'>, input: Partial<Compared>): { period: Period; before?: Period } {
  if (input.startDate === undefined || input.endDate === undefined) {
    const today = todayOf(context.store, context.now());
    const last = besideBefore({ startDate: addDays(today, -29), endDate: today });
    return { period: last, before: beforeOf(last) };
  }
  const period = { startDate: input.startDate, endDate: input.endDate };
  const whole =
    input.comparisonStartDate !== undefined && input.comparisonEndDate !== undefined ? (input as Compared) : besideBefore(period);
  checkPeriods(whole);
  return input.comparisonStartDate === undefined ? { period } : { period, before: beforeOf(whole) };
}

/** The page and component of a path, which the call's line or the caller names. */
function found(context: Context, path: string): { page: AnalyticsPage; component: AnalyticsComponent } {
  const one = componentAt(context.definitions.analytics, path);
  if (!one) throw notFound('chart');
  refusePage(context, one.page.permission, one.component.permission);
  return one;
}

/** What a component is asked for: its days, filters, and the definitions that it speaks by. */
function askedOf(context: Context, component: AnalyticsComponent, asked: JsonObject, isOwn: boolean) {
  const months = component.months ?? (component.type === 'cohort' ? COHORT_MONTHS : undefined);
  const { filters, without } = applied(component, context.definitions, filtersIn(asked));
  const input: ChartInput = {
    ...(months
      ? { period: lastMonths({ store: context.store, now: context.now() }, months) }
      : daysOf(context, asked as Partial<Compared>)),
    filters,
  };
  const { trx, store } = context;
  const definitions = isOwn ? ofOwnCharts(context.definitions) : context.definitions;
  const asking: ChartContext = { trx, store, filters, now: context.now(), definitions };
  return { input, without, asking };
}
const saysWithout = (data: JsonObject, without: readonly FilterName[]): JsonObject =>
  without.length ? { ...data, without: without.map(name => translated(FILTERS[name].title)) } : data;

/** The file of what a component draws. */
const fileOf = (context: Context, page: AnalyticsPage, component: AnalyticsComponent, data: JsonObject, { startDate, endDate }: Period) => {
  const [head = [], ...lines] = linesOf(data, translated(component.title), forFile(context.store.currency_code));
  return csvFile(`${page.key}-${component.key}-${startDate}-${endDate}.csv`, head, lines);
};

/** The figures of a chart that people put together themselves, its days, and the same as a file. */
export async function figuresOf(
  context: Context,
  { page, component, input: asked }: OwnChart,
): Promise<{ data: JsonObject; period: Period; file: Reply }> {
  const { input, without, asking } = askedOf(context, component, asked, true);
  const data = saysWithout(await chartOf(asking, component, input), without);
  return { data, period: input.period, file: fileOf(context, page, component, data, input.period) };
}

export async function chart(context: Context, { call, input, registry }: VerbCall): Promise<JsonValue | Reply> {
  const own = await ownChart(context, call.of, input);
  if (own?.mistake !== undefined) return { type: own.component.type, mistake: own.mistake };
  if (own && input.metric === undefined) {
    const { data, file } = await figuresOf(context, own);
    return input.format === 'csv' ? file : data;
  }
  const { page, component } = own ?? found(context, call.chart ?? String(input.path ?? ''));
  const { input: chartInput, without, asking } = askedOf(context, component, own ? own.input : input, own !== undefined);
  const { source: name } = component;
  const rowsOf = name === undefined ? undefined : registry.chartRows[name];
  if (input.metric !== undefined)
    return name === undefined
      ? behind(asking, page, component, chartInput.period, input)
      : behindSource(asking, page, input, place => rowsOf?.(context, chartInput, place));
  const source = name === undefined ? undefined : registry.charts[name];
  if (name !== undefined && !source) throw new Error(`There is no source "${name}" of charts.`);
  const drawn = source
    ? { type: component.type, hasRows: rowsOf !== undefined, ...(await source(context, chartInput)) }
    : await chartOf(asking, component, chartInput);
  const data = saysWithout(drawn, without);
  return input.format === 'csv' ? fileOf(context, page, component, data, chartInput.period) : data;
}

/** Rows of a file of the rows behind a figure. */
const MOST = 50_000;

/** The rows behind a figure of a component, page by page or as a file. @throws Refusal 422 for a metric that the component has not */
async function behind(
  asking: ChartContext,
  page: AnalyticsPage,
  component: AnalyticsComponent,
  period: Period,
  input: JsonObject,
): Promise<JsonValue | Reply> {
  const key = String(input.metric);
  const metric = component.metrics.includes(key) ? asking.definitions.metrics[key] : undefined;
  if (!metric)
    throw invalid([
      { pointer: '/metric', rule: 'enum', message: t`There is no figure "${key}" here; there are: ${component.metrics.join(', ')}.` },
    ]);
  const text = (name: string): JsonObject => (input[name] === undefined ? {} : { [name]: input[name] as JsonValue });
  const isBase = input.of === 'base' && metric.denominator.length > 0;
  const place = { metric, isBase, ...text('part'), ...text('split'), ...text('cohort'), ...text('column') } as Place;
  const days = pointIn(input) ?? period;
  const found = await rowsBehind(asking, component, place, days, pageIn(input));
  const about = { ...aboutRows(metric, isBase), ...daysOfRows(metric, place, days) };
  return answered(asking, found, input, { about, title: translated(metric.title), file: fileName(page, key, days) });
}

/** The same of a figure that a source says. @throws Refusal 422 for one that has no rows */
async function behindSource(
  asking: ChartContext,
  page: AnalyticsPage,
  input: JsonObject,
  list: (place: ListedPlace) => Promise<Listed | undefined> | undefined,
): Promise<JsonValue | Reply> {
  const metric = String(input.metric);
  const days = pointIn(input);
  const listed = await list({ metric, ...(input.part === undefined ? {} : { part: String(input.part) }), ...(days ? { days } : {}) });
  if (!listed) throw invalid([{ pointer: '/metric', rule: 'enum', message: t`There are no rows behind "${metric}".` }]);
  const { title, unit, days: span } = listed;
  const about = { key: metric, label: title, unit, better: 'neither', hasBase: false, isBase: false, days: { ...span } };
  return answered(asking, await pageOf(asking, listed, pageIn(input)), input, { about, title, file: fileName(page, metric, span) });
}

/** A point of a chart over time is a stretch of days of its own. */
function pointIn({ from, to }: JsonObject): Period | undefined {
  if (from === undefined || to === undefined) return undefined;
  const point = { startDate: String(from), endDate: String(to) };
  checkPeriods(besideBefore(point));
  return point;
}
const pageIn = ({ format, rowsPage }: JsonObject): { from: number; most: number } =>
  format === 'csv' ? { from: 0, most: MOST } : { from: (Number(rowsPage ?? 1) - 1) * PAGE, most: PAGE };
const fileName = (page: AnalyticsPage, key: string, { startDate, endDate }: Period): string =>
  `${page.key}-${key}-${startDate}-${endDate}.csv`;

/** Rows as a page or as a file. @throws Refusal 422 for more than a file holds */
function answered(
  { store }: ChartContext,
  found: RowsBehind,
  { format }: JsonObject,
  { about, title, file }: { about: JsonObject; title: string; file: string },
): JsonValue | Reply {
  if (format !== 'csv') return { ...about, ...found, currencyCode: store.currency_code };
  if (found.total > MOST)
    throw invalid([{ pointer: '', rule: 'maxItems', message: t`These are more than ${MOST} rows. Narrow the page by days or a filter.` }]);
  const { head, lines } = linesOfRows(found, title, store.currency_code);
  return csvFile(file, head, lines);
}

/** The days that rows are of; what is so at this moment has none, and those of a cohort are named by its cell. */
const daysOfRows = (metric: Metric, { cohort }: Place, { startDate, endDate }: Period): JsonObject =>
  cohort !== undefined || isOfNow(metric) ? {} : { days: { startDate, endDate } };

/** A page as its screen draws it, with its texts in the language of the person. */
export function pageFor(context: RuleContext, key: string): JsonObject {
  const page = Object.hasOwn(context.definitions.analytics, key) ? context.definitions.analytics[key] : undefined;
  if (!page) throw notFound('page');
  refusePage(context, page.permission);
  const { permission: _permission, tabs, ...rest } = page;
  const may = ({ permission }: AnalyticsComponent): boolean =>
    permission === undefined || accessOf(context.session).can(permission, 'READ');
  return {
    ...(rest as unknown as JsonObject),
    page: key,
    tabs: tabs.map(tab => ({
      ...tab,
      sections: tab.sections.map(section => ({ ...section, components: section.components.filter(may).map(wire) })),
    })) as JsonValue,
    lastUpdatedAt: context.now().toISOString(),
  };
}
const wire = ({ permission: _permission, source: _source, top: _top, metrics, ...component }: AnalyticsComponent): JsonObject => ({
  ...(component as JsonObject),
  metrics: [...metrics],
});

/** Components by "<page>.<key>", each with where its data is asked for. */
export function componentsFor(context: RuleContext, keys: readonly string[]): JsonObject[] {
  return keys.flatMap(path => {
    const one = componentAt(context.definitions.analytics, path);
    if (!one) return [];
    refusePage(context, one.page.permission, one.component.permission);
    return [{ ...wire(one.component), key: path, endpoint: `/analytics/chart/${path}`, method: 'POST' }];
  });
}
