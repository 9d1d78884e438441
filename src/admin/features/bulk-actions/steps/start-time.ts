// The moment of a later start, on the store's wall clock.
import { atBillingHour } from '../../../../domain/calendar/calendar.ts';
import { storeZone } from '../../../platform/format.ts';
import { storeNow } from '../../../platform/store-clock.ts';
import { addDays, dayOf, startOfDay } from '../../../platform/time-zone.ts';
import { t } from '../../../../domain/text/t.ts';

/** How many days ahead a bulk action may be scheduled. */
export const DAYS_AHEAD = 30;

/** A day ("2026-11-24") and an hour in the store's time zone as an instant in ms; undefined for what is no day. */
export const atLocalHour = (day: string, hour: number): number | undefined =>
  /^\d{4}-\d\d-\d\d$/.test(day) ? atBillingHour(startOfDay(day, storeZone()), storeZone(), hour) : undefined;

/** Why a start can't be at this day and hour. */
export function whenProblem(day: string, hour: number): string | undefined {
  const at = atLocalHour(day, hour);
  if (at === undefined) return t`Choose a date.`;
  if (at <= storeNow()) return t`Choose a moment in the future.`;
  return day > addDays(dayOf(storeNow(), storeZone()), DAYS_AHEAD) ? t`Choose a date within the next ${DAYS_AHEAD} days.` : undefined;
}
