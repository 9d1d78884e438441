// Days of the store as instants in SQL, for figures that are cut by day, and the periods that may be asked for.
import { sql, type RawBuilder } from 'kysely';
import { lengthOf, type Compared, type Period } from '../../../domain/calendar/plain-days.ts';
import type { FieldError } from '../../../contract/types.ts';
import { invalid, type Store } from '../context.ts';
import { t } from '../../../domain/text/t.ts';

/** The longest period that is summed up at once. */
const MAX_DAYS = 731;

export const beginOf = (store: Pick<Store, 'timezone'>, day: string): RawBuilder<Date> =>
  sql`(${day}::date::timestamp at time zone ${store.timezone}::text)`;
export const endOf = (store: Pick<Store, 'timezone'>, day: string): RawBuilder<Date> =>
  sql`((${day}::date + 1)::timestamp at time zone ${store.timezone}::text)`;

/** The day that it is in a store: "2026-11-21". */
export const todayOf = ({ timezone }: Pick<Store, 'timezone'>, now: Date): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: timezone }).format(now);

function faults(period: Period, start: string, end: string): FieldError[] {
  const days = lengthOf(period);
  if (days < 1)
    return [{ pointer: `/${end}`, rule: 'range', message: t`The last day must not lie before the first (${period.startDate}).` }];
  return days > MAX_DAYS ? [{ pointer: `/${start}`, rule: 'range', message: t`Choose at most ${MAX_DAYS} days.` }] : [];
}

/** The period that another is compared with. */
export const beforeOf = (input: Compared): Period => ({ startDate: input.comparisonStartDate, endDate: input.comparisonEndDate });

/** Refuses periods that end before they begin or are longer than two years. @throws Refusal 422 with what is wrong in either */
export function checkPeriods(input: Compared): void {
  const errors = [...faults(input, 'startDate', 'endDate'), ...faults(beforeOf(input), 'comparisonStartDate', 'comparisonEndDate')];
  if (errors.length) throw invalid(errors);
}
