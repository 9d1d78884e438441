// The verb chart: the data of a component of a page of figures, as JSON or as a file.
import { componentAt } from '../../../contract/analytics.ts';
import { accessOf, mayNotSee } from '../../../contract/access.ts';
import type { AnalyticsComponent, AnalyticsPage, JsonObject, JsonValue } from '../../../contract/types.ts';
import { FILTERS } from '../../../domain/analytics/facts.ts';
import { addDays, besideBefore, type Compared, type Period } from '../../../domain/calendar/plain-days.ts';
import { translated } from '../../../domain/text/t.ts';
import { notFound, Refusal, type Context, type Reply } from '../context.ts';
import { csvFile } from '../csv/csv-file.ts';
import type { VerbCall } from '../records/registry.ts';
import type { RuleContext } from '../records/rules.ts';
import { beforeOf, checkPeriods, todayOf } from '../records/store-days.ts';
import { chartOf, type ChartInput } from './chart.ts';
import { lastMonths } from './cohort.ts';
import { linesOf } from './csv.ts';
import type { Filters } from './measure.ts';

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
  return Object.fromEntries(FILTERS.flatMap(name => (list(input[name]).length ? [[name, list(input[name])]] : [])));
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

export async function chart(context: Context, { call, input, registry }: VerbCall): Promise<JsonValue | Reply> {
  const { page, component } = found(context, call.chart ?? String(input.path ?? ''));
  const chartInput: ChartInput = component.months
    ? { period: lastMonths({ store: context.store, now: context.now() }, component.months) }
    : daysOf(context, input as Partial<Compared>);
  const asking = {
    trx: context.trx,
    store: context.store,
    filters: filtersIn(input),
    now: context.now(),
    definitions: context.definitions,
  };
  const source = component.source === undefined ? undefined : registry.charts[component.source];
  if (component.source !== undefined && !source) throw new Error(`There is no source "${component.source}" of charts.`);
  const data = source ? { type: component.type, ...(await source(context, chartInput)) } : await chartOf(asking, component, chartInput);
  if (input.format !== 'csv') return data;
  const [head = [], ...lines] = linesOf(data, context.store.currency_code, translated(component.title));
  const { startDate, endDate } = chartInput.period;
  return csvFile(`${page.key}-${component.key}-${startDate}-${endDate}.csv`, head, lines);
}

/** A page as its screen draws it, with its texts in the language of the person. */
export function pageFor(context: RuleContext, key: string): JsonObject {
  const page = Object.hasOwn(context.definitions.analytics, key) ? context.definitions.analytics[key] : undefined;
  if (!page) throw notFound('page');
  refusePage(context, page.permission);
  const { permission: _permission, tabs, hasDays, ...rest } = page;
  const may = ({ permission }: AnalyticsComponent): boolean =>
    permission === undefined || accessOf(context.session).can(permission, 'READ');
  return {
    ...(rest as unknown as JsonObject),
    page: key,
    days: hasDays,
    tabs: tabs.map(tab => ({
      ...tab,
      sections: tab.sections.map(section => ({ ...section, components: section.components.filter(may).map(wire) })),
    })) as JsonValue,
    lastUpdatedAt: context.now().toISOString(),
  };
}
const wire = ({ permission: _permission, metrics: _metrics, source: _source, top: _top, ...component }: AnalyticsComponent): JsonObject =>
  component as JsonObject;

/** Components by "<page>.<key>", each with where its data is asked for. */
export function componentsFor(context: RuleContext, keys: readonly string[]): JsonObject[] {
  return keys.flatMap(path => {
    const one = componentAt(context.definitions.analytics, path);
    if (!one) return [];
    refusePage(context, one.page.permission, one.component.permission);
    return [{ ...wire(one.component), key: path, endpoint: `/analytics/chart/${path}`, method: 'POST' }];
  });
}
