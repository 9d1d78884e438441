/** Small rules for numbers that people type and read. */

/** Keeps a value between a minimum and a maximum (D097). */
export function clamp(value: number, minimum: number, maximum: number): number {
  return Math.min(Math.max(value, minimum), maximum);
}

/** The whole-number part of what was typed; 0 when it is not a number (D096). */
export function parseWhole(input: unknown): number {
  if (typeof input !== 'number' && typeof input !== 'string') return 0;
  const value = Math.trunc(Number(input));
  return Number.isFinite(value) && value !== 0 ? value : 0;
}

/** A number with thousands grouped by commas (D280) and two decimals (D281) or as many as asked for: "1,234.50". */
export function groupThousands(value: number | string, decimals = 2): string {
  let formatter = grouped.get(decimals);
  if (!formatter)
    grouped.set(
      decimals,
      (formatter = new Intl.NumberFormat('en-US', { minimumFractionDigits: decimals, maximumFractionDigits: decimals })),
    );
  return formatter.format(value as `${number}`); // a decimal string keeps digits that a number would lose
}
const grouped = new Map<number, Intl.NumberFormat>();

const compact = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

/** Large numbers shortened to thousands and millions: "950", "1.5K", "2M" (D282). */
export function shortNumber(value: number): string {
  const size = Math.abs(value);
  // Rounding is decided before the unit, so that 999,950 is 1M and not 1,000K.
  if (size >= 999_950) return `${compact.format(value / 1_000_000)}M`;
  if (size >= 1_000) return `${compact.format(value / 1_000)}K`;
  return compact.format(value);
}

export type Page<T> = { items: T[]; page: number; pageCount: number; hasPrevious: boolean; hasNext: boolean };

/**
 * One page of a list and whether there is a next one (D284, D285). Pages count from 1; a page outside
 * the list becomes the nearest one inside.
 */
export function pageSlice<T>(items: readonly T[], page: number, pageSize: number): Page<T> {
  if (!Number.isInteger(pageSize) || pageSize < 1) throw new RangeError(`A page needs a whole number of rows above 0, not ${pageSize}.`);
  const pageCount = Math.max(1, Math.ceil(items.length / pageSize));
  const current = clamp(parseWhole(page), 1, pageCount);
  const start = (current - 1) * pageSize;
  return { items: items.slice(start, start + pageSize), page: current, pageCount, hasPrevious: current > 1, hasNext: current < pageCount };
}
