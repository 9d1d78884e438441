// The days of a page as calls take them, beside the days that its figures are compared with.
import { addDays, besideBefore, type Compared } from '../../domain/calendar/plain-days.ts';
import { DEFAULT_RANGE, type DateRange, dateRangeOf, slashed } from '../platform/date-range.ts';
import type { Now } from '../platform/list-query.ts';

/** "11/21/2026" -> "2026-11-21", as calls take days */
export const plain = (slashed: string): string => `${slashed.slice(6)}-${slashed.slice(0, 2)}-${slashed.slice(3, 5)}`;

/**
 * The address's `?range=` for pages of figures: "last 30 days" and its like end yesterday there, because a day that has just
 * begun can't be compared with whole ones, and because the payment banner counts so (D134, D135). Anything else is taken as
 * it is; nothing chosen is the last 30 days.
 */
export function wholeDays(search: string, now: Now): DateRange {
  const range = dateRangeOf(search, now);
  if (!/^last-\d+-days$/.test(new URLSearchParams(search).get('range') || DEFAULT_RANGE)) return range;
  const before = (day: string): string => slashed(addDays(plain(day), -1));
  return { startDate: before(range.startDate), endDate: before(range.endDate) };
}

/** Both periods as calls take them: 30 days are compared with the 30 days before. */
export const compared = ({ startDate, endDate }: DateRange): Compared =>
  besideBefore({ startDate: plain(startDate), endDate: plain(endDate) });
