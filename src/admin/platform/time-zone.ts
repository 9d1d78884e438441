// Calendar days in the store's time zone, on the browser's own Intl: kept small because the first list needs it before anything else.
import { addDays } from '../../domain/calendar/plain-days.ts';

const parts = new Map<string, Intl.DateTimeFormat>();
function clock(zone: string): Intl.DateTimeFormat {
  let found = parts.get(zone);
  if (!found) {
    found = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
    parts.set(zone, found);
  }
  return found;
}

/** Milliseconds that the zone's wall clock is ahead of UTC at an instant. */
function offset(instant: number, zone: string): number {
  const read: Record<string, number> = {};
  for (const part of clock(zone).formatToParts(instant)) read[part.type] = Number(part.value);
  return Date.UTC(read.year ?? 0, (read.month ?? 1) - 1, read.day, read.hour, read.minute, read.second) - Math.floor(instant / 1000) * 1000;
}

/** The instant (ms) at which a day ("2026-03-29") begins in a zone; right on days when clocks change. */
export function startOfDay(day: string, zone: string): number {
  const local = Date.parse(`${day}T00:00:00Z`);
  const first = local - offset(local, zone);
  const second = local - offset(first, zone);
  // Where midnight does not exist, the later guess is the first instant of that day.
  return dayOf(second, zone) === day ? second : Math.max(first, second);
}

/** The last second (ms, inclusive) of a day in a zone. */
export const endOfDay = (day: string, zone: string): number => startOfDay(addDays(day, 1), zone) - 1000;

/** The day an instant (ms) falls on in a zone: "2026-03-29". */
export function dayOf(instant: number, zone: string): string {
  return new Date(instant + offset(instant, zone)).toISOString().slice(0, 10);
}

export { addDays };

/** The first day of the month that lies `count` months away. */
export function monthStart(day: string, count = 0): string {
  const [year = 0, month = 1] = day.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 + count, 1)).toISOString().slice(0, 10);
}
