// The days that a page is about: the last thirty unless its address says otherwise.
import { daysOf, type Now } from './list-query.ts';
import { addDays, dayOf } from './time-zone.ts';

/** First and last day, both included, as the specification writes them: MM/DD/YYYY (S029). */
export interface DateRange {
  startDate: string;
  endDate: string;
}

/** Days of the range that pages begin with (S028, S319): today and the 29 before it. */
export const DEFAULT_RANGE = 'last-30-days';

/** "2026-11-21" -> "11/21/2026" */
export const slashed = (day: string): string => `${day.slice(5, 7)}/${day.slice(8, 10)}/${day.slice(0, 4)}`;

/**
 * The range of an address: `?range=` takes what date filters of lists take ("last-7-days", "2026-01-01..2026-01-31"). What is left open or
 * makes no sense is filled in: an end by today, a beginning by 29 days before the end. Days are the store's.
 */
export function dateRangeOf(search: string, now: Now): DateRange {
  const [from, to] = daysOf(new URLSearchParams(search).get('range') || DEFAULT_RANGE, now);
  const end = to || dayOf(now.at, now.zone);
  const start = from || addDays(end, -29);
  const [first, last] = start <= end ? [start, end] : [end, start];
  return { startDate: slashed(first), endDate: slashed(last) };
}
