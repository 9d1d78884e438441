// Which columns of a list fit into the page.
import type { FullColumn } from './columns.ts';

/**
 * The columns that fit into a width (px), `beside` of which is taken by what stands around them: those that
 * yield go one by one, until the rest fits.
 */
export function fitting(columns: readonly FullColumn[], width: number, beside: number): FullColumn[] {
  const kept = [...columns];
  const needs = (): number => kept.reduce((sum, column) => sum + column.width, beside);
  for (const column of columns.filter(one => one.yields !== undefined).sort((a, b) => a.yields! - b.yields!)) {
    if (needs() <= width) break;
    kept.splice(kept.indexOf(column), 1);
  }
  return kept;
}
