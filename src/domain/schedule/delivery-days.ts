// Days on which an app that plans deliveries has room. Days are numbers of whole days since 1970, in the store's calendar.
import { weekdayOf, dayOf, isoDay } from '../calendar/calendar.ts';

/** What the app says: days counted from today, weekdays 1 Monday to 7 Sunday, dates YYYY-MM-DD. */
export interface DeliveryDays {
  minDays?: number;
  maxDays?: number;
  disabledWeekdays?: number[];
  disabledDates?: string[];
}

const DAY_MS = 86_400_000;
/** The date of a number, which counts days and knows no zone. */
export const dateOf = (number: number): string => isoDay(number * DAY_MS, 'UTC');

/** The first and last day that can be chosen. */
export const deliveryRange = ({ minDays = 1, maxDays = 365 }: DeliveryDays, today: number): [first: number, last: number] => [
  today + minDays,
  today + maxDays,
];

/** Whether a day is none of those that are closed. */
export const isOpenDay = ({ disabledWeekdays = [], disabledDates = [] }: DeliveryDays, day: number): boolean =>
  !disabledWeekdays.includes(weekdayOf(dayOf(day * DAY_MS, 'UTC'))) && !disabledDates.includes(dateOf(day));

/** Whether something that is asked for today can be delivered on a day. */
export function canDeliver(days: DeliveryDays, today: number, day: number): boolean {
  const [first, last] = deliveryRange(days, today);
  return day >= first && day <= last && isOpenDay(days, day);
}

/** By how many days something has to be delivered later than planned, because of closed days; 0 where a whole year is closed. */
export function daysUntilOpen(days: DeliveryDays, day: number): number {
  for (let later = 0; later <= 366; later++) if (isOpenDay(days, day + later)) return later;
  return 0;
}
