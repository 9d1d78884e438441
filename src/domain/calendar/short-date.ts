/** Dates in figures as a store's other tools read them: "2026-03-31", "31/03/2026", in tags and attributes of orders. */
import { dayOf } from './calendar.ts';

/** The local day of an instant (epoch ms) in the zone; `format` has YYYY, MM and DD in any order with any separator ("DD/MM/YYYY"). */
export function shortDate(at: number, zone: string, format: string): string {
  const { year, month, day } = dayOf(at, zone);
  return format
    .replace('YYYY', String(year).padStart(4, '0'))
    .replace('MM', String(month).padStart(2, '0'))
    .replace('DD', String(day).padStart(2, '0'));
}
