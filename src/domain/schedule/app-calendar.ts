// The calendar that an app for deliveries answers: { minDate, maxDate, disabled }, where disabled lists weekdays (1 Sunday to 7 Saturday)
// and dates ([year, month from 0, day]) that are closed. With `true` in front they are the only open ones; 'inverted' in a date makes it an
// exception.
import { dayOf, weekdayOf } from '../calendar/calendar.ts';
import { dateOf, type DeliveryDays } from './delivery-days.ts';

const DAY_MS = 86_400_000;
/** Days ahead that are named one by one where weekdays and dates can't say it. */
const AHEAD = 400;

type Entry = readonly [number, number, number, ...unknown[]];
const isDate = (one: unknown): one is Entry => Array.isArray(one) && one.length >= 3 && one.slice(0, 3).every(Number.isInteger);
const isoOf = ([year, month, day]: Entry): string => dateOf(Date.UTC(year, month, day) / DAY_MS);
/** 1 Sunday to 7 Saturday becomes 1 Monday to 7 Sunday. */
const ourWeekday = (theirs: number): number => (theirs === 1 ? 7 : theirs - 1);
const numberOf = (date: unknown): number | undefined =>
  typeof date === 'string' && /^\d{4}-\d\d-\d\d/.test(date) ? Date.parse(date.slice(0, 10)) / DAY_MS : undefined;

/** What the calendar says, counted from `today` (whole days since 1970 in the store's calendar); undefined for what is no such calendar. */
export function daysOfCalendar(answer: unknown, today: number): DeliveryDays | undefined {
  if (typeof answer !== 'object' || answer === null || !('disabled' in answer) || !Array.isArray(answer.disabled)) return undefined;
  const { disabled, minDate, maxDate } = answer as { disabled: unknown[]; minDate?: unknown; maxDate?: unknown };
  const [first, last] = [numberOf(minDate), numberOf(maxDate)];
  const range = {
    ...(first === undefined ? {} : { minDays: Math.max(0, first - today) }),
    ...(last === undefined ? {} : { maxDays: Math.max(0, last - today) }),
  };
  const isInverted = disabled[0] === true;
  const weekdays = disabled.flatMap(one => (typeof one === 'number' && one >= 1 && one <= 7 ? [ourWeekday(one)] : []));
  const dates = disabled.filter(isDate);
  const exceptions = new Set(dates.filter(one => one[3] === 'inverted').map(isoOf));
  const named = new Set(dates.filter(one => one[3] !== 'inverted').map(isoOf));
  if (!isInverted && exceptions.size === 0) return { ...range, disabledWeekdays: weekdays, disabledDates: [...named].sort() };
  const isNamed = (day: number): boolean =>
    !exceptions.has(dateOf(day)) && (named.has(dateOf(day)) || weekdays.includes(weekdayOf(dayOf(day * DAY_MS, 'UTC'))));
  const ahead = Array.from({ length: AHEAD }, (_, i) => today + i);
  return { ...range, disabledWeekdays: [], disabledDates: ahead.filter(day => isNamed(day) !== isInverted).map(dateOf) };
}
