// Metrics made of sums: one number for each group, rounded once at the end.
import type { Metric, MetricTerm } from '../../../contract/types.ts';
import type { Period } from '../../../domain/calendar/plain-days.ts';
import { FACTS } from '../../../domain/analytics/facts.ts';
import { measure, type Asking, type Split } from './measure.ts';

/** A metric of one group: money in minor units, percent with one decimal, null where there is nothing to divide by. */
export type Figure = number | null;
export interface Figures {
  /** By the JSON of a group's keys, in the order of the metrics. */
  groups: Map<string, Figure[]>;
  keys: Map<string, readonly (string | number | null)[]>;
}

const total = (terms: readonly MetricTerm[], sums: readonly number[]): number =>
  terms.reduce((sum, term, i) => sum + (term.minus ? -1 : 1) * term.times * (sums[i] ?? 0), 0);

/** The figure of a metric from the sums of its numerators, and of its denominators where it has some. */
export function figureOf(metric: Metric, numerator: number, denominator: number | undefined): Figure {
  if (denominator === undefined) return numerator;
  if (denominator === 0) return null;
  const value = numerator / denominator;
  if (metric.unit === 'percent') return Math.round(value * 1000) / 10;
  if (metric.unit === 'money' || metric.unit === 'count') return Math.round(value);
  // A small ratio is still one: of what is below 1, three digits count.
  return metric.unit === 'number' && Math.abs(value) < 1 ? Number(value.toPrecision(3)) : Math.round(value * 100) / 100;
}

/** Metrics of a period by group. Without a split there is one group, `[]`, whether anything happened or not. */
export async function evaluate(asking: Asking, metrics: readonly Metric[], period: Period, split: Split = {}): Promise<Figures> {
  const terms = metrics.flatMap(({ numerator, denominator }) => [...numerator, ...denominator]);
  const found = await measure(asking, terms, period, split);
  const groups = new Map<string, Figure[]>();
  const keys = new Map<string, readonly (string | number | null)[]>();
  const isWhole = !split.grain && !split.cohort && !split.by?.length;
  if (isWhole && found.length === 0) found.push({ keys: [], sums: terms.map(() => 0) });
  for (const group of found) {
    let at = 0;
    const take = (some: readonly MetricTerm[]): number => {
      const sum = total(some, group.sums.slice(at, at + some.length));
      at += some.length;
      return sum;
    };
    const id = JSON.stringify(group.keys);
    keys.set(id, group.keys);
    groups.set(
      id,
      metrics.map(metric => {
        const numerator = take(metric.numerator);
        const denominator = metric.denominator.length ? take(metric.denominator) : undefined;
        return figureOf(metric, numerator, denominator);
      }),
    );
  }
  return { groups, keys };
}

/** What a metric is where nothing happened: nothing, or nothing to divide by. */
export const emptyFigure = (metric: Metric): Figure => (metric.denominator.length ? null : 0);
/** Whether a metric is of this moment and has no period to compare with. */
export const isOfNow = ({ numerator, denominator }: Metric): boolean =>
  [...numerator, ...denominator].every(({ fact }) => FACTS[fact]?.kind === 'now');
