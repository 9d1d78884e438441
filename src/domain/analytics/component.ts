// What a component of a page of figures may be made of, for the files of pages and for charts that people put together themselves.
import type { AnalyticsComponent, Metric } from '../../contract/types.ts';
import { dimensionsOf, FACTS } from './facts.ts';

/** What is wrong with a component: where (a pointer below it) and what; `name` is the dimension or metric that it is about. */
export interface ComponentMistake {
  pointer: string;
  is: 'NOT_SHARED' | 'NEEDS_SPLIT' | 'TAKES_NO_SPLIT' | 'SPLIT_TWICE' | 'SPLIT_OF_SEVERAL' | 'ONLY_NOW';
  name: string;
}

/** Types that need something to split by, and those that take nothing. */
const SPLIT: Readonly<Record<string, boolean>> = { table: true, bar: true, metrics: false, cohort: false, line: false, waterfall: false };

/** What all facts of some metrics can be split by. */
export function sharedDimensions(metrics: readonly (Metric | undefined)[]): string[] {
  const facts = metrics.flatMap(metric => (metric ? [...metric.numerator, ...metric.denominator].map(({ fact }) => fact) : []));
  const [first = [], ...others] = facts.map(dimensionsOf);
  return first.filter(name => others.every(other => other.includes(name)));
}

/** Everything that is wrong with how metrics are split and drawn; `metrics` are those that the component names, in their order. */
export function componentMistakes(
  { type, by, split }: Pick<AnalyticsComponent, 'type' | 'by' | 'split'>,
  metrics: readonly (Metric | undefined)[],
): ComponentMistake[] {
  const mistakes: ComponentMistake[] = [];
  const found = (pointer: string, is: ComponentMistake['is'], name: string = type): unknown => mistakes.push({ pointer, is, name });
  const shared = sharedDimensions(metrics);
  if (by !== undefined && by !== 'time' && !shared.includes(by)) found('/by', 'NOT_SHARED', by);
  if (split !== undefined && !shared.includes(split)) found('/split', 'NOT_SHARED', split);
  if (SPLIT[type] === true && by === undefined) found('', 'NEEDS_SPLIT');
  if (SPLIT[type] === false && by !== undefined) found('/by', 'TAKES_NO_SPLIT');
  if (split !== undefined && type !== 'stacked') found('/split', 'SPLIT_TWICE');
  if (split !== undefined && metrics.length > 1) found('/split', 'SPLIT_OF_SEVERAL');
  if (type === 'line' || by === 'time')
    metrics.forEach((metric, i) => {
      const isOfNow = metric && [...metric.numerator, ...metric.denominator].some(({ fact }) => FACTS[fact]?.kind === 'now');
      if (isOfNow) found(`/metrics/${i}`, 'ONLY_NOW', metric.key);
    });
  return mistakes;
}
