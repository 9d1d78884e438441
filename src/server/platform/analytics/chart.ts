// The interpreter of pages of figures: a component and the days that are asked for -> its data.
import { grainOf } from '../../../domain/analytics/facts.ts';
import { changePercent } from '../../../domain/money/metrics.ts';
import { lengthOf, type Period } from '../../../domain/calendar/plain-days.ts';
import type { AnalyticsComponent, JsonObject, JsonValue, Metric } from '../../../contract/types.ts';
import { translated, t } from '../../../domain/text/t.ts';
import { aboutOf } from './about.ts';
import { cohortOf } from './cohort.ts';
import { columnOf, written, type ChartContext } from './wire.ts';
import { evaluate, isOfNow, emptyFigure, type Figure } from './evaluate.ts';
import { namesOf, type Key, type Naming } from './labels.ts';
import { type Filters, partsOf } from './measure.ts';

/** Parts of a bar that are drawn apart. */
const PARTS = 8;

export interface ChartInput {
  period: Period;
  /** The days it is compared with. */
  before?: Period;
  /** What subscriptions are narrowed by. */
  filters: Filters;
}
/** The data of a component; `metrics` are those that it names. */
export async function chartOf(context: ChartContext, component: AnalyticsComponent, input: ChartInput): Promise<JsonObject> {
  const metrics = component.metrics.map(name => context.definitions.metrics[name] as Metric);
  const about = { type: component.type, currencyCode: context.store.currency_code };
  switch (component.type) {
    case 'metrics':
      return { ...about, items: await tiles(context, metrics, input) };
    case 'cohort':
      return { ...about, ...(await cohortOf(context, component, metrics)) };
    case 'table':
      return { ...about, ...(await tableOf(context, component, metrics, input.period)) };
    case 'funnel':
      return { ...about, ...(await funnelOf(context, metrics, input.period)) };
    default:
      if (component.type === 'line' || component.by === 'time')
        return { ...about, ...(await overTime(context, component, metrics, input)) };
      if (component.by !== undefined) return { ...about, ...(await byGroup(context, component, metrics, input.period)) };
      return { ...about, ...(await sliced(context, metrics, input.period)) };
  }
}

const WHOLE = '[]';
async function tiles(context: ChartContext, metrics: readonly Metric[], { period, before }: ChartInput): Promise<JsonObject[]> {
  const now = (await evaluate(context, metrics, period)).groups.get(WHOLE) ?? [];
  const then = before ? ((await evaluate(context, metrics, before)).groups.get(WHOLE) ?? []) : [];
  const about = await aboutOf(context);
  return metrics.map((metric, i) => {
    const [value = null, previous = null] = [now[i], isOfNow(metric) ? null : then[i]];
    return {
      ...columnOf(metric),
      about: about(metric),
      value: written(context.store, metric, value),
      previousValue: written(context.store, metric, previous),
      changePercent: value === null || previous === null ? null : changePercent(value, previous),
      isOfNow: isOfNow(metric),
    };
  });
}

/** Series over the parts of a period; a single metric stands beside the period before, part by part. */
async function overTime(
  context: ChartContext,
  { split, top }: AnalyticsComponent,
  metrics: readonly Metric[],
  { period, before }: ChartInput,
): Promise<JsonObject> {
  const grain = grainOf(lengthOf(period));
  const parts = partsOf(period, grain);
  const points = (values: (key: string) => Figure, metric: Metric): JsonObject[] =>
    parts.map(({ key, startDate, endDate }) => ({ x: startDate, to: endDate, y: written(context.store, metric, values(key)) }));
  const about = { xType: 'DATE', grain };
  const [first] = metrics as [Metric];
  if (split !== undefined) {
    const { groups, keys } = await evaluate(context, [first], period, { grain, by: [split] });
    const sums = new Map<Key, number>();
    for (const [id, [, group = null]] of keys) sums.set(group, (sums.get(group) ?? 0) + (groups.get(id)?.[0] ?? 0));
    const largest = [...sums].sort((a, b) => b[1] - a[1]).map(([key]) => key);
    const [drawn, others] = [largest.slice(0, top), largest.slice(top)];
    const name = await namesOf(context, context.definitions, split, drawn);
    const at = (key: string, group: Key): number => groups.get(JSON.stringify([key, group]))?.[0] ?? 0;
    return {
      ...about,
      series: [
        ...drawn.map(group => ({
          ...columnOf(first),
          key: String(group),
          label: name(group),
          points: points(key => at(key, group), first),
        })),
        ...(others.length
          ? [
              {
                ...columnOf(first),
                key: 'other',
                label: t`Other`,
                points: points(key => others.reduce((sum: number, group) => sum + at(key, group), 0), first),
              },
            ]
          : []),
      ],
    };
  }
  const now = await evaluate(context, metrics, period, { grain });
  const series: JsonObject[] = metrics.map((metric, i) => ({
    ...columnOf(metric),
    points: points(key => now.groups.get(JSON.stringify([key]))?.[i] ?? emptyFigure(metric), metric),
  }));
  if (metrics.length > 1 || !before) return { ...about, series };
  const then = await evaluate(context, metrics, before, { grain });
  const earlier = partsOf(before, grain);
  return {
    ...about,
    series,
    previous: parts.map((_, i) => {
      const part = earlier[i];
      return part
        ? {
            x: part.startDate,
            to: part.endDate,
            y: written(context.store, first, then.groups.get(JSON.stringify([part.key]))?.[0] ?? emptyFigure(first)),
          }
        : null;
    }) as JsonValue,
  };
}

interface Grouped {
  rows: { key: Key; label: string; values: Figure[]; /** Of a stretch of days: its last. */ to?: string }[];
  total: number;
}
/** Groups of a dimension, the largest by the first metric first, or in their own order. */
async function grouped(
  context: ChartContext,
  { by = '', inOrder }: Pick<AnalyticsComponent, 'by' | 'inOrder'>,
  metrics: readonly Metric[],
  period: Period,
): Promise<Grouped> {
  const { groups, keys } = await evaluate(context, metrics, period, { by: [by] });
  const rows = [...groups].map(([id, values]) => ({ key: keys.get(id)?.[0] ?? null, values }));
  const size = (values: readonly Figure[]): number => values[0] ?? -1;
  if (inOrder) rows.sort((a, b) => Number(a.key) - Number(b.key));
  else rows.sort((a, b) => size(b.values) - size(a.values) || (String(a.key) < String(b.key) ? -1 : 1));
  const isOrder = metrics.some(({ numerator }) => numerator.some(({ fact }) => fact === 'order'));
  const naming: Naming = await namesOf(
    context,
    context.definitions,
    by,
    rows.map(({ key }) => key),
    isOrder ? 'order' : 'subscription',
  );
  return { rows: rows.map(row => ({ ...row, label: naming(row.key) })), total: rows.length };
}

/** Bars of a dimension, each split by another. */
async function splitByGroup(
  context: ChartContext,
  { by = '', split = '', top, inOrder }: AnalyticsComponent,
  metric: Metric,
  period: Period,
): Promise<JsonObject> {
  const { groups, keys } = await evaluate(context, [metric], period, { by: [by, split] });
  const sums = (at: 0 | 1): Map<Key, number> => {
    const found = new Map<Key, number>();
    for (const [id, pair] of keys) found.set(pair[at] ?? null, (found.get(pair[at] ?? null) ?? 0) + (groups.get(id)?.[0] ?? 0));
    return found;
  };
  const largest = (found: Map<Key, number>): Key[] =>
    [...found]
      .filter(([, sum]) => sum !== 0)
      .sort((a, b) => b[1] - a[1])
      .map(([key]) => key);
  const bars = largest(sums(0)).slice(0, top);
  if (inOrder) bars.sort((a, b) => Number(a) - Number(b));
  const all = largest(sums(1));
  const [parts, others] = [all.slice(0, PARTS), all.slice(PARTS)];
  const barName = await namesOf(context, context.definitions, by, bars);
  const partName = await namesOf(context, context.definitions, split, parts);
  const value = (bar: Key, part: Key): number => groups.get(JSON.stringify([bar, part]))?.[0] ?? 0;
  const series = (key: string, label: string, some: readonly Key[]): JsonObject => ({
    ...columnOf(metric),
    key,
    label,
    points: bars.map(bar => ({
      x: String(bar),
      label: barName(bar),
      y: written(
        context.store,
        metric,
        some.reduce((sum: number, part) => sum + value(bar, part), 0),
      ),
    })),
  });
  return {
    xType: 'CATEGORY',
    series: [
      ...parts.map(part => series(String(part), partName(part), [part])),
      ...(others.length ? [series('other', t`Other`, others)] : []),
    ],
  };
}

async function byGroup(
  context: ChartContext,
  component: AnalyticsComponent,
  metrics: readonly Metric[],
  period: Period,
): Promise<JsonObject> {
  if (component.split !== undefined) return splitByGroup(context, component, metrics[0] as Metric, period);
  const { rows } = await grouped(context, component, metrics, period);
  const some = rows.filter(({ values }) => values.some(value => value !== null && value !== 0));
  const [drawn, others] = [some.slice(0, component.top), some.slice(component.top)];
  // What is not drawn can be added up, unless it is a part of something.
  const isSum = metrics.every(({ denominator }) => denominator.length === 0);
  if (others.length && isSum && !component.inOrder)
    drawn.push({
      key: 'other',
      label: t`Other`,
      values: metrics.map((_, i) => others.reduce((sum, { values }) => sum + (values[i] ?? 0), 0)),
    });
  return {
    xType: 'CATEGORY',
    series: metrics.map((metric, i) => ({
      ...columnOf(metric),
      points: drawn.map(({ key, label, values }) => ({ x: String(key), label, y: written(context.store, metric, values[i] ?? null) })),
    })),
  };
}

/** Metrics beside each other, as parts of a whole. */
async function sliced(context: ChartContext, metrics: readonly Metric[], period: Period): Promise<JsonObject> {
  const values = (await evaluate(context, metrics, period)).groups.get(WHOLE) ?? [];
  const about = await aboutOf(context);
  const [first] = metrics as [Metric];
  return {
    xType: 'CATEGORY',
    series: [
      {
        ...columnOf(first),
        points: metrics.map((metric, i) => ({
          x: metric.key,
          label: translated(metric.title),
          about: about(metric),
          y: written(context.store, metric, values[i] ?? null),
        })),
      },
    ],
  };
}

async function tableOf(
  context: ChartContext,
  component: AnalyticsComponent,
  metrics: readonly Metric[],
  period: Period,
): Promise<JsonObject> {
  const isTime = component.by === 'time';
  const grain = grainOf(lengthOf(period));
  const about = await aboutOf(context);
  const { rows, total } = isTime ? await byParts(context, metrics, period) : await grouped(context, component, metrics, period);
  return {
    ...(isTime ? { grain } : {}),
    columns: metrics.map(metric => ({ ...columnOf(metric), about: about(metric) })),
    rows: rows.slice(0, component.top).map(({ key, label, values, to }) => ({
      key: String(key),
      ...(to === undefined ? {} : { to }),
      label,
      values: values.map((value, i) => written(context.store, metrics[i] as Metric, value)),
    })),
    total,
  };
}

async function byParts(context: ChartContext, metrics: readonly Metric[], period: Period): Promise<Grouped> {
  const grain = grainOf(lengthOf(period));
  const { groups } = await evaluate(context, metrics, period, { grain });
  const rows = partsOf(period, grain)
    .toReversed()
    .map(({ key, startDate, endDate }) => ({
      key: startDate,
      to: endDate,
      label: key,
      values: groups.get(JSON.stringify([key])) ?? metrics.map(emptyFigure),
    }));
  return { rows, total: rows.length };
}

/** Steps of which each is a part of the one before; the metrics in their order. */
async function funnelOf(context: ChartContext, metrics: readonly Metric[], period: Period): Promise<JsonObject> {
  const values = (await evaluate(context, metrics, period)).groups.get(WHOLE) ?? [];
  const share = (value: Figure, of: Figure): number | null => (value === null || !of ? null : Math.round((value / of) * 1000) / 10);
  return {
    steps: metrics.map((metric, i) => ({
      ...columnOf(metric),
      value: written(context.store, metric, values[i] ?? null),
      percentOfFirst: share(values[i] ?? null, values[0] ?? null),
      percentOfPrevious: i === 0 ? null : share(values[i] ?? null, values[i - 1] ?? null),
    })),
  };
}
