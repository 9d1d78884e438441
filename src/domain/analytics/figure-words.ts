// Figures of charts as letters and pictures say them, in the current language.
import { formatMoney, toMinor } from '../money/money.ts';
import { shortNumber } from '../money/numbers.ts';
import { inFigures, intlLocale, t } from '../text/t.ts';
import type { Grain } from './facts.ts';

/** A figure in full: "$1,234.50", "4.5%"; null is a dash. Amounts are decimals of the currency. */
export function figureWords(value: string | number | null, unit: string, currency: string): string {
  if (value === null) return '–';
  const number = Number(value);
  if (unit === 'money') return formatMoney(toMinor(value, currency), currency, intlLocale());
  if (unit === 'percent') return inFigures(number / 100, { style: 'percent', minimumFractionDigits: 1, maximumFractionDigits: 1 });
  if (unit === 'days') return number === 1 ? t`1 day` : t`${inFigures(number, { maximumFractionDigits: 0 })} days`;
  if (unit === 'number' && Math.abs(number) < 1) return inFigures(number, { maximumSignificantDigits: 3 });
  return inFigures(number, { maximumFractionDigits: unit === 'number' ? 2 : 3 });
}

/** The same for an axis: "1.2K". */
export const briefFigure = (value: number, unit: string): string =>
  unit === 'percent' ? inFigures(value / 100, { style: 'percent', maximumFractionDigits: 1 }) : shortNumber(value);

/** A day ("2026-11-21") or month ("2026-11") by its grain: "Nov 21, 2026", "November 2026"; `isShort` for axes: "Nov 21", "Nov 26". */
export const dayWords = (day: string, grain: Grain, isShort = false): string =>
  new Intl.DateTimeFormat(intlLocale(), {
    timeZone: 'UTC',
    month: isShort || grain !== 'month' ? 'short' : 'long',
    ...(grain === 'month' ? { year: isShort ? ('2-digit' as const) : ('numeric' as const) } : { day: 'numeric' as const }),
    ...(grain !== 'month' && !isShort ? { year: 'numeric' as const } : {}),
  }).format(Date.parse(`${`${day}-01`.slice(0, 10)}T00:00:00Z`));
