// How a store writes days in its e-mails (settings, notification-preferences).
import { dateLabel, inZone } from './calendar.ts';

/** The orders of days in numbers (D264), and what stands between (D265). */
export const DATE_ORDERS = ['YYYY,MM,DD', 'YYYY,DD,MM', 'MM,DD,YYYY', 'DD,MM,YYYY'] as const;
export const DATE_SEPARATORS = ['/', '-', '.'] as const;

/** With the month as a word. */
const IN_WORDS: Readonly<Record<string, string>> = { LONG: 'LLLL d, yyyy', DAY_FIRST: 'd LLLL yyyy' };
const PARTS: Readonly<Record<string, string>> = { YYYY: 'yyyy', MM: 'MM', DD: 'dd' };
const NUMBERS = 'NUMBERS';

/** The format that the page says: "WEEKDAY", "LONG", "DAY_FIRST", or in numbers "dd.MM.yyyy". */
export function dateFormatOf(page: { dateFormat?: unknown; dateOrder?: unknown; dateSeparator?: unknown }): string {
  if (page.dateFormat !== NUMBERS) return typeof page.dateFormat === 'string' ? page.dateFormat : 'WEEKDAY';
  const order = DATE_ORDERS.find(one => one === page.dateOrder) ?? 'MM,DD,YYYY';
  const separator = DATE_SEPARATORS.find(one => one === page.dateSeparator) ?? '/';
  return order
    .split(',')
    .map(part => PARTS[part])
    .join(separator);
}

/**
 * The day in a zone in a format of `dateFormatOf` and a language: "Thu, Dec 3, 2026" where it says nothing. Where the month is a word,
 * other languages than English have an order of their own.
 */
export function writtenDate(at: number, zone: string, format: string | undefined, locale = 'en-US'): string {
  if (format === undefined || format === 'WEEKDAY') return dateLabel(at, zone, locale);
  const day = inZone(at, zone).setLocale(locale);
  const words = IN_WORDS[format];
  if (words === undefined) return day.toFormat(format);
  return locale.startsWith('en') ? day.toFormat(words) : day.toLocaleString({ year: 'numeric', month: 'long', day: 'numeric' });
}
