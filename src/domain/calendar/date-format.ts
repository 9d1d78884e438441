// How a store writes days in its e-mails (settings, notification-preferences).
import { dateLabel, inZone } from './calendar.ts';

const FORMATS = {
  LONG: 'LLLL d, yyyy',
  DAY_FIRST: 'd LLLL yyyy',
  MDY: 'MM/dd/yyyy',
  DMY: 'dd/MM/yyyy',
  DOTS: 'dd.MM.yyyy',
  ISO: 'yyyy-MM-dd',
} as const;
export type DateFormat = keyof typeof FORMATS | 'WEEKDAY';

/** Where the month is a word, other languages than English have an order of their own for it. */
const IN_WORDS: ReadonlySet<string> = new Set(['LONG', 'DAY_FIRST']);

/** The day in a zone as the store writes it, in a language: "Thu, Dec 3, 2026" where it says nothing. */
export function writtenDate(at: number, zone: string, format: string | undefined, locale = 'en-US'): string {
  if (format === undefined || !Object.hasOwn(FORMATS, format)) return dateLabel(at, zone, locale);
  const day = inZone(at, zone).setLocale(locale);
  return IN_WORDS.has(format) && !locale.startsWith('en')
    ? day.toLocaleString({ year: 'numeric', month: 'long', day: 'numeric' })
    : day.toFormat(FORMATS[format as keyof typeof FORMATS]);
}
