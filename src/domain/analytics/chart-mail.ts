// When the weekly letter of a chart is due.
import { clockOf, dayOf, instant, stepDay, weekdayOf } from '../calendar/calendar.ts';

/** Days of the week as charts keep them, Monday first. */
export const WEEKDAYS = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'] as const;

/** Letters leave at this hour of the store's day: before people begin to work. */
const HOUR = 7;

/**
 * The next instant (ms) after `after` at which a letter of this day of the week is due, in the store's zone. However much time has gone by
 * since the last one, the next is one week at most away: what was missed is not sent in a row.
 */
export function nextMailAt(weekday: (typeof WEEKDAYS)[number], zone: string, after: number): number {
  const today = dayOf(after, zone);
  const ahead = (WEEKDAYS.indexOf(weekday) + 1 - weekdayOf(today) + 7) % 7;
  const at = (days: number): number => instant(stepDay(today, { interval: 'DAY', intervalCount: 1 }, days), clockOf(0, zone, HOUR), zone);
  return at(ahead) > after ? at(ahead) : at(ahead + 7);
}
