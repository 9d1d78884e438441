// Names of weekdays, months and hours, and instants on a zone's wall clock.
import { ordinal } from '../../../domain/calendar/ordinal.ts';
import { intlLocale, t } from '../../../domain/text/t.ts';

const LOCALE = intlLocale();

// 1 January 2024 was a Monday.
const dayNames = (style: 'long' | 'short' | 'narrow') =>
  Array.from({ length: 7 }, (_, i) =>
    new Intl.DateTimeFormat(LOCALE, { weekday: style, timeZone: 'UTC' }).format(Date.UTC(2024, 0, i + 1)),
  );
const monthNames = (style: 'long' | 'short') =>
  Array.from({ length: 12 }, (_, i) => new Intl.DateTimeFormat(LOCALE, { month: style, timeZone: 'UTC' }).format(Date.UTC(2024, i, 1)));

/** Monday first: index 0 is weekday 1. */
export const WEEKDAYS = { long: dayNames('long'), short: dayNames('short') };
export const MONTHS = { long: monthNames('long'), short: monthNames('short') };

/** 9 is "9:00 AM". */
export const hourName = (hour: number): string =>
  new Intl.DateTimeFormat(LOCALE, { hour: 'numeric', minute: '2-digit', timeZone: 'UTC' }).format(Date.UTC(2024, 0, 1, hour));

/** 1 is "1st", 32 is "Last day of the month". */
export function monthDayName(day: number): string {
  if (day >= 32) return t`Last day of the month`;
  return ordinal(day);
}

/** Zone for people: "Berlin time (GMT+1)". */
export function zoneName(zone: string, at: number): string {
  const short = new Intl.DateTimeFormat(LOCALE, { timeZone: zone, timeZoneName: 'short' })
    .formatToParts(at)
    .find(part => part.type === 'timeZoneName')?.value;
  const city = zone.split('/').at(-1)!.replace(/_/g, ' ');
  return short && short !== city ? t`${city} time (${short})` : city;
}
