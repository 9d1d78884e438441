/** Small rules for numbers that people type and read. */
import { inFigures, intlLocale } from '../text/t.ts';

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
  const locale = intlLocale();
  const key = `${locale} ${decimals}`;
  let formatter = grouped.get(key);
  if (!formatter)
    grouped.set(key, (formatter = new Intl.NumberFormat(locale, { minimumFractionDigits: decimals, maximumFractionDigits: decimals })));
  return formatter.format(value as `${number}`); // a decimal string keeps digits that a number would lose
}
const grouped = new Map<string, Intl.NumberFormat>();

const SHORT = { maximumFractionDigits: 1 };

/** Large numbers shortened to thousands and millions: "950", "1.5K", "2M" (D282). */
export function shortNumber(value: number): string {
  const size = Math.abs(value);
  // Rounding is decided before the unit, so that 999,950 is 1M and not 1,000K.
  if (size >= 999_950) return `${inFigures(value / 1_000_000, SHORT)}M`;
  if (size >= 1_000) return `${inFigures(value / 1_000, SHORT)}K`;
  return inFigures(value, SHORT);
}
