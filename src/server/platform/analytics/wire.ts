// How figures stand in answers.
import { toDecimal } from '../../../domain/money/money.ts';
import type { Definitions, JsonValue, Metric } from '../../../contract/types.ts';
import { translated } from '../../../domain/text/t.ts';
import type { Figure } from './evaluate.ts';
import type { Asking } from './measure.ts';

export interface ChartContext extends Asking {
  definitions: Definitions;
}
/** One series of a chart, one column of a table. */
export interface Column {
  key: string;
  label: string;
  unit: Metric['unit'];
  better: Metric['better'];
}

/** A figure as the wire has it: amounts as decimals of the store's currency. */
export const written = (store: Asking['store'], metric: Pick<Metric, 'unit'>, value: Figure): JsonValue =>
  value === null ? null : metric.unit === 'money' ? toDecimal(value, store.currency_code) : value;
export const columnOf = (metric: Metric): Column => ({
  key: metric.key,
  label: translated(metric.title),
  unit: metric.unit,
  better: metric.better,
});
