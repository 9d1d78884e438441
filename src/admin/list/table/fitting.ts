// Which columns of a list fit into the page, and how wide those are whose values must never be cut.
import { at } from '../../../contract/paths.ts';
import type { JsonObject } from '../../../contract/types.ts';
import type { FullColumn } from './columns.ts';

/** A digit of the table's type, and the padding of a cell (px). */
const DIGIT = 8,
  PADDING = 24;

/** The columns, those of values that must stay whole as wide as the longest of these rows needs. */
export const wideEnough = (columns: readonly FullColumn[], rows: readonly object[]): FullColumn[] =>
  columns.map(column => {
    const { whole } = column;
    if (!whole) return column;
    const longest = Math.max(0, ...rows.map(row => whole(at(row, column.field), row as JsonObject, column.options).length));
    return { ...column, width: Math.max(column.width, longest * DIGIT + PADDING) };
  });

/**
 * The columns that fit into a width (px), `beside` of which is taken by what stands around them: those that
 * yield go one by one, until the rest fits.
 */
export function fitting(columns: readonly FullColumn[], width: number, beside: number): FullColumn[] {
  const visible = [...columns];
  const needs = (): number => visible.reduce((sum, column) => sum + column.width, beside);
  for (const column of columns.filter(one => one.yields !== undefined).sort((a, b) => a.yields! - b.yields!)) {
    if (needs() <= width) break;
    visible.splice(visible.indexOf(column), 1);
  }
  return visible;
}
