// Cohorts: subscriptions by the month in which they began, and what became of them month by month, or order by order.
import { addDays, type Period } from '../../../domain/calendar/plain-days.ts';
import { STARTS } from '../../../domain/analytics/facts.ts';
import type { AnalyticsComponent, JsonObject, Metric } from '../../../contract/types.ts';
import { figureOf, type Figure } from './evaluate.ts';
import { columnOf, written, type ChartContext } from './wire.ts';
import { measure } from './measure.ts';
import { todayOf } from '../records/store-days.ts';

/** Months that are looked back on, where a component names none. */
export const COHORT_MONTHS = 36;
/** Columns that are drawn at most. */
const WIDEST = 36;

/** The months of the store up to today: the last `count`, the running one among them. */
export function lastMonths({ store, now }: Pick<ChartContext, 'store' | 'now'>, count: number): Period {
  const today = todayOf(store, now);
  const at = Number(today.slice(0, 4)) * 12 + Number(today.slice(5, 7)) - count;
  return { startDate: `${Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}-01`, endDate: today };
}
const monthNumber = (month: string): number => Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7));
/** The days of a month that is so many after another: 2026-05 and 2 are July 2026. */
export function monthAfter(month: string, later: number): Period {
  const number = monthNumber(month) + later - 1;
  const name = `${Math.floor(number / 12)}-${String((number % 12) + 1).padStart(2, '0')}`;
  return { startDate: `${name}-01`, endDate: endOfMonth(name) };
}
const endOfMonth = (month: string): string => {
  const next = monthNumber(month);
  return addDays(`${Math.floor(next / 12)}-${String((next % 12) + 1).padStart(2, '0')}-01`, -1);
};

/** Whether a column of a cohort is an amount of all columns up to it: what a subscriber brought so far. */
export const isSumSoFar = ({ denominator, unit }: Metric): boolean =>
  unit !== 'percent' && denominator.some(({ fact }) => STARTS.includes(fact));

interface Cohort {
  /** Sums of each term by column; those of what it begins with (`STARTS`) stand in column 0 and hold for all. */
  cells: Map<number, number[]>;
}

/**
 * One table for each metric. A row has its size, and one cell for each column up to now; what is to come has none. The average weighs
 * each cohort by its size.
 */
export async function cohortOf(context: ChartContext, component: AnalyticsComponent, metrics: readonly Metric[]): Promise<JsonObject> {
  const period = lastMonths(context, component.months ?? COHORT_MONTHS);
  const size = { fact: 'subscription_started', measure: 'count', when: {}, minus: false, times: 1, at: 'end' } as const;
  const terms = [size, ...metrics.flatMap(({ numerator, denominator }) => [...numerator, ...denominator])];
  const groups = await measure(context, terms, period, { cohort: component.columns ?? 'month' });
  const cohorts = new Map<string, Cohort>();
  for (const { keys, sums } of groups) {
    const [month, column] = [String(keys[0]), Number(keys[1])];
    if (month < period.startDate.slice(0, 7)) continue;
    const cohort = cohorts.get(month) ?? { cells: new Map() };
    cohorts.set(month, cohort);
    const before = cohort.cells.get(column) ?? terms.map(() => 0);
    cohort.cells.set(
      column,
      sums.map((sum, i) => sum + (before[i] ?? 0)),
    );
  }
  const thisMonth = period.endDate.slice(0, 7);
  const rows = [...cohorts].sort(([a], [b]) => (a < b ? 1 : -1));
  const isByOrder = component.columns === 'order';
  const firstColumn = isByOrder ? 1 : 0;
  const widest = Math.min(WIDEST, isByOrder ? 12 : Math.max(0, ...rows.map(([month]) => monthNumber(thisMonth) - monthNumber(month))) + 1);
  let at = 1;
  const tables = metrics.map(metric => {
    const from = at;
    at += metric.numerator.length + metric.denominator.length;
    return tableOf(context, metric, terms, from, rows, { thisMonth, firstColumn, widest, isByOrder });
  });
  return { columns: isByOrder ? 'order' : 'month', first: firstColumn, width: widest, tables };
}

function tableOf(
  context: ChartContext,
  metric: Metric,
  terms: readonly { fact: string; measure: string; minus: boolean }[],
  from: number,
  rows: readonly (readonly [string, Cohort])[],
  { thisMonth, firstColumn, widest, isByOrder }: { thisMonth: string; firstColumn: number; widest: number; isByOrder: boolean },
): JsonObject {
  const isOfCohort = (term: number): boolean => STARTS.includes(terms[term]?.fact ?? '');
  const isCumulative = isSumSoFar(metric);
  const sum = ({ cells }: Cohort, term: number, column: number): number => {
    if (isOfCohort(term)) return cells.get(0)?.[term] ?? 0;
    if (!isCumulative) return cells.get(column)?.[term] ?? 0;
    let all = 0;
    for (let c = firstColumn; c <= column; c++) all += cells.get(c)?.[term] ?? 0;
    return all;
  };
  const part = (cohort: Cohort, start: number, count: number, column: number): number =>
    Array.from({ length: count }, (_, i) => (terms[start + i]?.minus ? -1 : 1) * sum(cohort, start + i, column)).reduce((a, b) => a + b, 0);
  const averages: { over: number; under: number }[] = Array.from({ length: widest }, () => ({ over: 0, under: 0 }));
  const written_ = (value: Figure) => written(context.store, metric, value);
  const wire = rows.map(([month, cohort]) => {
    const reach = isByOrder ? widest : monthNumber(thisMonth) - monthNumber(month) + 1;
    const cells = [];
    for (let i = 0; i < Math.min(widest, reach); i++) {
      const column = firstColumn + i;
      if (isByOrder && !cohort.cells.has(column)) break;
      const over = part(cohort, from, metric.numerator.length, column);
      const under = metric.denominator.length ? part(cohort, from + metric.numerator.length, metric.denominator.length, column) : undefined;
      const average = averages[i] as { over: number; under: number };
      average.over += over;
      average.under += under ?? cohort.cells.get(0)?.[0] ?? 0;
      cells.push({ index: column, value: written_(figureOf(metric, over, under)) });
    }
    // How many there are of what is divided by: subscriptions, or subscribers.
    const begun = metric.denominator.length ? from + metric.numerator.length : 0;
    return {
      cohort: month,
      endDate: endOfMonth(month),
      size: cohort.cells.get(0)?.[isOfCohort(begun) ? begun : 0] ?? 0,
      isRunning: month === thisMonth,
      cells,
    };
  });
  return {
    ...columnOf(metric),
    rows: wire,
    average: metric.denominator.length
      ? averages.map(({ over, under }, i) => ({ index: firstColumn + i, value: written_(figureOf(metric, over, under)) }))
      : [],
  };
}
