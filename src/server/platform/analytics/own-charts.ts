// Charts that people put together themselves, as components of a page of their own: who may look at their figures, and what is wrong with one.
import { placesOfMetric } from '../../../contract/analytics.ts';
import { accessOf, mayNotSee } from '../../../contract/access.ts';
import type { AnalyticsComponent, AnalyticsPage, Definitions, FieldError, JsonObject } from '../../../contract/types.ts';
import { componentMistakes, type ComponentMistake } from '../../../domain/analytics/component.ts';
import { FILTER_NAMES } from '../../../domain/analytics/facts.ts';
import { componentOfChart, daysOfChart } from '../../../domain/analytics/own-chart.ts';
import { besideBefore, type Compared } from '../../../domain/calendar/plain-days.ts';
import { t, translated } from '../../../domain/text/t.ts';
import { invalid, notFound, Refusal, type Context } from '../context.ts';
import { findRow, recordOf } from '../records/record-repository.ts';
import type { RuleContext } from '../records/rules.ts';
import { todayOf } from '../records/store-days.ts';
import { schemaErrors } from '../records/write-record.ts';

export const OWN_CHART = 'custom-chart';

export interface OwnChart {
  /** Why a chart that is typed can't be drawn as it is, in a sentence for its picture; its form says it at the field once it is saved. */
  mistake?: string;
  page: AnalyticsPage;
  component: AnalyticsComponent;
  /** Its days beside those before, and what it is narrowed to, as calls of figures take them. */
  input: JsonObject & Compared;
}

/** The definitions with the metrics under the names that they have among all: a chart of one's own has no page that explains them. */
export const ofOwnCharts = (definitions: Definitions): Definitions => {
  const metrics = Object.entries(definitions.metrics).map(([key, metric]) => [key, { ...metric, title: metric.name ?? metric.title }]);
  return { ...definitions, metrics: Object.fromEntries(metrics) as Definitions['metrics'] };
};

type Looking = Pick<RuleContext, 'session' | 'definitions'>;
/** The areas of a page on which a metric stands, where this person may look at none of them. */
function closedAreas({ session, definitions }: Looking, metric: string): string[] | undefined {
  const access = accessOf(session);
  const places = placesOfMetric(definitions.analytics, metric);
  return places.some(areas => areas.every(area => access.can(area, 'READ'))) ? undefined : (places[0] ?? []);
}

/** The metrics that this person may not look at. */
export const closedMetrics = (context: Looking): string[] =>
  Object.keys(context.definitions.metrics).filter(metric => closedAreas(context, metric) !== undefined);

/** Who may look at a metric may look at one of the pages on which it stands. @throws Refusal 403 */
export function refuseMetrics(context: Looking, metrics: readonly string[]): void {
  for (const key of metrics) {
    const areas = closedAreas(context, key);
    if (!areas) continue;
    const [area = ''] = areas;
    throw new Refusal(403, 'FORBIDDEN', mayNotSee(translated(context.definitions.permissions[area]?.label ?? area)));
  }
}

const sentence = ({ is, name }: ComponentMistake): string => {
  switch (is) {
    case 'NOT_SHARED':
      return t`These figures can't all be split by this. Choose another split, or fewer figures.`;
    case 'ONLY_NOW':
      return t`“${name}” is a figure of now and has no past. Choose tiles, or split it by something other than time.`;
    case 'SPLIT_OF_SEVERAL':
      return t`Only one figure can be split twice. Choose one figure, or do not split each bar.`;
    default:
      return t`This can't be split.`;
  }
};

/** What no schema says about a chart: figures that can't be split or drawn like that. */
export function ownChartErrors({ definitions }: Pick<RuleContext, 'definitions'>, chart: JsonObject): FieldError[] {
  const component = componentOfChart(chart);
  const metrics = component.metrics.map(key => definitions.metrics[key]);
  return componentMistakes(component, metrics).map(mistake => {
    const metric = definitions.metrics[mistake.name];
    const title = metric?.name ?? metric?.title;
    // A figure is named beside the list of figures, not beside one of its chips.
    const pointer = mistake.pointer.startsWith('/metrics') ? '/metrics' : mistake.pointer || '/type';
    return { pointer, rule: 'split', message: sentence({ ...mistake, name: title ? translated(title) : mistake.name }) };
  });
}

/** A chart as a component that is drawn like those of pages. @throws Refusal 403 for figures that this person may not look at */
export function asComponent(context: Pick<Context, 'session' | 'definitions' | 'store' | 'now'>, chart: JsonObject): OwnChart {
  const component = componentOfChart(chart);
  refuseMetrics(context, component.metrics);
  const page: AnalyticsPage = {
    key: 'custom',
    title: component.title,
    about: '',
    permission: 'analyticsOverview',
    filters: FILTER_NAMES,
    tabs: [],
  };
  const days = besideBefore(daysOfChart(String(chart.days), todayOf(context.store, context.now())));
  return { page, component, input: { ...((chart.filters ?? {}) as JsonObject), ...days } };
}

/**
 * The chart that a call of figures means: one that is saved, or one as it is typed. Undefined for a component of a page.
 * @throws Refusal 404, 403, 422 for what is no chart
 */
export async function ownChart(context: Context, of: string, input: JsonObject): Promise<OwnChart | undefined> {
  if (of !== OWN_CHART) return undefined;
  const shape = context.shape(OWN_CHART);
  if (input.record === undefined) {
    const row = await findRow(context, shape, Number(input.id));
    if (!row) throw notFound(shape.hints.name.one);
    return asComponent(context, recordOf(context, shape, row));
  }
  const typed = input.record as JsonObject;
  const errors = schemaErrors(context, shape, { name: '-', ...typed }).filter(({ pointer }) => !/^\/(?:id|name|version)/.test(pointer));
  if (errors.length) throw invalid(errors.map(error => ({ ...error, pointer: `/record${error.pointer}` })));
  const [mistake] = ownChartErrors(context, typed);
  return { ...asComponent(context, typed), ...(mistake ? { mistake: mistake.message } : {}) };
}
