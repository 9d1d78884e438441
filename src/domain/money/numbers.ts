/** Small rules for numbers that people type and read. */

/** Keeps a value between a minimum and a maximum (D097). */
export function clamp(value: number, minimum: number, maximum: number): number {
  return Math.min(Math.max(value, minimum), maximum);
}

/** The whole-number part of what stands in an address; 0 when it is not a number (D096). */
export function parseWhole(text: string | null): number {
  const value = Math.trunc(Number(text));
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
