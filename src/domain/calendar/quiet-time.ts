// When something that follows an event may be sent: after its delay, and not in the store's quiet hours.
import { DateTime } from 'luxon';
import type { MessageTrigger } from '../../contract/types.ts';
import { timeZone } from './time-zone.ts';

const UNITS: Record<string, number> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** The milliseconds of "2 hours", "1 day". */
function milliseconds(delay: string): number {
  const [count = '0', unit = ''] = delay.split(' ');
  return Number(count) * (UNITS[unit.replace(/s$/, '')] ?? 0);
}

/** The first instant that is `trigger.delay` after `at` and not within the quiet hours of the zone. */
export function sendTime(at: Date, { delay, quiet }: Pick<MessageTrigger, 'delay' | 'quiet'>, zone: string): Date {
  const wanted = new Date(at.getTime() + (delay === undefined ? 0 : milliseconds(delay)));
  if (!quiet) return wanted;
  const local = DateTime.fromJSDate(wanted, { zone: timeZone(zone) });
  const time = local.toFormat('HH:mm');
  const overnight = quiet.from > quiet.to;
  const isQuiet = overnight ? time >= quiet.from || time < quiet.to : time >= quiet.from && time < quiet.to;
  if (!isQuiet) return wanted;
  const day = overnight && time >= quiet.from ? local.plus({ days: 1 }) : local;
  const [hour = 0, minute = 0] = quiet.to.split(':').map(Number);
  return day.set({ hour, minute, second: 0, millisecond: 0 }).toJSDate();
}

/** On which days customers get no e-mail. */
export interface QuietDays {
  sendOnWeekends: boolean;
  /** Days as YYYY-MM-DD. */
  quietDays: readonly string[];
}
/** The hour at which what waited for a day leaves. */
const MORNING = 9;
/** Longest run of quiet days in a row that is looked through. */
const MOST_DAYS = 120;

/** `at`, or where it falls on a quiet day of the zone, nine in the morning of the first day that is none. */
export function notOnQuietDays(at: Date, { sendOnWeekends, quietDays }: QuietDays, zone: string): Date {
  if (sendOnWeekends && quietDays.length === 0) return at;
  const local = DateTime.fromJSDate(at, { zone: timeZone(zone) });
  for (let days = 0; days < MOST_DAYS; days++) {
    const day = local.plus({ days });
    if ((!sendOnWeekends && day.weekday > 5) || quietDays.includes(day.toISODate() ?? '')) continue;
    return days === 0 ? at : day.set({ hour: MORNING, minute: 0, second: 0, millisecond: 0 }).toJSDate();
  }
  return at;
}
