/**
 * Calendar days and clock times in a store's time zone. Instants are epoch milliseconds (UTC); days are plain
 * year-month-day and are stepped on the calendar, so that daylight saving only matters where a day becomes an instant.
 */
import { DateTime } from 'luxon';
import type { Interval, IntervalUnit } from './interval.ts';
import { timeZone } from './time-zone.ts';

export type Day = { year: number; month: number; day: number };
export type Clock = { hour: number; minute: number; second: number; millisecond: number };

const LUXON_UNIT = { DAY: 'days', WEEK: 'weeks', MONTH: 'months', YEAR: 'years' } as const satisfies Record<IntervalUnit, string>;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** The instant as seen on a wall clock in the zone. Throws a RangeError for an unknown zone or a bad instant. */
export function inZone(at: number, zone: string): DateTime {
  if (!Number.isFinite(at)) throw new RangeError(`This is not a date: ${at}.`);
  return DateTime.fromMillis(at, { zone: timeZone(zone) });
}

/** What a wall clock in the zone shows at the instant, as the UTC parts of a date: what needs no more than them is spared a DateTime. */
function wallClock(at: number, zone: string): Date {
  if (!Number.isFinite(at)) throw new RangeError(`This is not a date: ${at}.`);
  return new Date(at + timeZone(zone).offset(at) * MINUTE_MS);
}

/** The local calendar day of an instant. */
export function dayOf(at: number, zone: string): Day {
  const local = wallClock(at, zone);
  return { year: local.getUTCFullYear(), month: local.getUTCMonth() + 1, day: local.getUTCDate() };
}

/** The local calendar day of an instant, as days are written: "2026-11-21". */
export function isoDay(at: number, zone: string): string {
  return wallClock(at, zone).toISOString().slice(0, 10);
}

/** An instant as files have it, in the zone: "2026-11-21T09:30:00-05:00". */
export function isoInstant(at: number, zone: string): string {
  const minutes = timeZone(zone).offset(at);
  const two = (value: number): string => String(Math.trunc(value)).padStart(2, '0');
  const offset = `${minutes < 0 ? '-' : '+'}${two(Math.abs(minutes) / 60)}:${two(Math.abs(minutes) % 60)}`;
  return wallClock(at, zone).toISOString().slice(0, 19) + offset;
}

/** The clock time at which orders of a day start: the billing hour (0-23), or with null the instant's own clock time. */
export function clockOf(at: number, zone: string, billingHour: number | null): Clock {
  if (billingHour !== null) {
    if (!Number.isInteger(billingHour) || billingHour < 0 || billingHour > 23) {
      throw new RangeError(`The billing hour must be a whole number from 0 to 23, not ${billingHour}.`);
    }
    return { hour: billingHour, minute: 0, second: 0, millisecond: 0 };
  }
  const local = wallClock(at, zone);
  return {
    hour: local.getUTCHours(),
    minute: local.getUTCMinutes(),
    second: local.getUTCSeconds(),
    millisecond: local.getUTCMilliseconds(),
  };
}

/**
 * The instant of a local day and clock time. A time that the clock jumps over comes out as much later as the jump is
 * long; of a time that comes twice the first one is taken. (luxon leaves open which of the two it takes.)
 */
export function instant({ year, month, day }: Day, { hour, minute, second, millisecond }: Clock, zone: string): number {
  const offsets = timeZone(zone);
  const asUtc = Date.UTC(year, month - 1, day, hour, minute, second, millisecond);
  if (!Number.isFinite(asUtc)) throw new RangeError(`This is not a date: ${year}-${month}-${day}.`);
  // No zone changes its offset twice within two days, so the offsets of the days around are all that come into question.
  const before = offsets.offset(asUtc - DAY_MS);
  const after = offsets.offset(asUtc + DAY_MS);
  if (before === after) return asUtc - before * MINUTE_MS;
  const matches = [before, after].filter(offset => offsets.offset(asUtc - offset * MINUTE_MS) === offset);
  return asUtc - (matches.length > 0 ? Math.max(...matches) : before) * MINUTE_MS;
}

/** The instant's local day at the billing hour; the instant itself when there is no billing hour. */
export function atBillingHour(at: number, zone: string, billingHour: number | null): number {
  return billingHour === null ? at : instant(dayOf(at, zone), clockOf(at, zone, billingHour), zone);
}

/** n intervals later on the calendar; a day that the month lacks becomes its last day. */
export function stepDay(day: Day, { interval, intervalCount }: Interval, n: number): Day {
  return toDay(toCalendar(day).plus({ [LUXON_UNIT[interval]]: intervalCount * n }));
}

/**
 * The date n intervals after `base`, always counted from the base itself, so that 31 January steps to 28 February and
 * on to 31 March. Keeps the local clock time, or takes the billing hour.
 */
export function stepDate(base: number, interval: Interval, n: number, zone: string, billingHour: number | null = null): number {
  if (n === 0) return atBillingHour(base, zone, billingHour);
  return instant(stepDay(dayOf(base, zone), interval, n), clockOf(base, zone, billingHour), zone);
}

/** Whole local days later (or earlier), at the same clock time or at the billing hour. */
export function addDays(at: number, days: number, zone: string, billingHour: number | null = null): number {
  return stepDate(at, { interval: 'DAY', intervalCount: 1 }, days, zone, billingHour);
}

/** Count of a calendar day since 1 January 1970, for comparing days and measuring between them. */
export function dayNumber({ year, month, day }: Day): number {
  return Math.round(Date.UTC(year, month - 1, day) / DAY_MS);
}

/** Local calendar days from one instant to another: 0 on the same day, negative backwards. */
export function daysBetween(from: number, to: number, zone: string): number {
  return dayNumber(dayOf(to, zone)) - dayNumber(dayOf(from, zone));
}

/** 1 Monday to 7 Sunday (D258). */
export function weekdayOf(day: Day): number {
  return toCalendar(day).weekday;
}

export function daysInMonth(year: number, month: number): number {
  return DateTime.utc(year, month).daysInMonth ?? 31;
}

/** The date in words, such as "Wed, Mar 4, 2026". */
export function dateLabel(at: number, zone: string, locale = 'en-US'): string {
  return inZone(at, zone).setLocale(locale).toLocaleString(DateTime.DATE_MED_WITH_WEEKDAY);
}

function toCalendar({ year, month, day }: Day): DateTime {
  return DateTime.utc(year, month, day);
}

function toDay({ year, month, day }: DateTime): Day {
  return { year, month, day };
}
