// Days of the store as instants in SQL, for figures that are cut by day.
import { sql, type RawBuilder } from 'kysely';
import { invalid, type Store } from '../context.ts';

/** First and last day, both included, as "2026-11-21". */
export interface Period { startDate: string; endDate: string }

/** The longest period that is summed up at once. */
const MOST_DAYS = 731;

export const beginOf = (store: Pick<Store, 'timezone'>, day: string): RawBuilder<Date> => sql`(${day}::date::timestamp at time zone ${store.timezone}::text)`;
export const endOf = (store: Pick<Store, 'timezone'>, day: string): RawBuilder<Date> => sql`((${day}::date + 1)::timestamp at time zone ${store.timezone}::text)`;

/** Refuses a period that ends before it begins or is longer than two years; `start` and `end` name the parameters. */
export function checkPeriod({ startDate, endDate }: Period, start = 'startDate', end = 'endDate'): void {
  const days = (Date.parse(endDate) - Date.parse(startDate)) / 86_400_000 + 1;
  if (days < 1) throw invalid([{ pointer: `/${end}`, rule: 'range', message: `The last day must not lie before the first (${startDate}).` }]);
  if (days > MOST_DAYS) throw invalid([{ pointer: `/${start}`, rule: 'range', message: `Choose at most ${MOST_DAYS} days.` }]);
}
