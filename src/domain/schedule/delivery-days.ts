// Days on which an app that plans deliveries has room. Days are numbers of whole days since 1970, in the store's calendar.
import { weekdayOf, dayOf } from '../calendar/calendar.ts';

/** What the app says: days counted from today, weekdays 1 Monday to 7 Sunday, dates YYYY-MM-DD. */
export interface DeliveryDays {
  minDays?: number;
  maxDays?: number;
  disabledWeekdays?: number[];
  disabledDates?: string[];
}

const DAY_MS = 86_400_000;
const dateOf = (number: number): string => new Date(number * DAY_MS).toISOString().slice(0, 10);

/** The first and last day that can be chosen. */
export const deliveryRange = ({ minDays = 1, maxDays = 365 }: DeliveryDays, today: number): [first: number, last: number] => [
  today + minDays,
  today + maxDays,
];

/** Whether something can be delivered on a day. */
export function canDeliver(days: DeliveryDays, today: number, day: number): boolean {
  const [first, last] = deliveryRange(days, today);
  return (
    day >= first &&
    day <= last &&
    !(days.disabledWeekdays ?? []).includes(weekdayOf(dayOf(day * DAY_MS, 'UTC'))) &&
    !(days.disabledDates ?? []).includes(dateOf(day))
  );
}
