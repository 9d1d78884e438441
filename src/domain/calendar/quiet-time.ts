// When something that follows an event may be sent: after its delay, and not in the store's quiet hours.
import { DateTime } from 'luxon';
import type { MessageTrigger } from '../../contract/types.ts';

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
  const local = DateTime.fromJSDate(wanted, { zone });
  const time = local.toFormat('HH:mm');
  const overnight = quiet.from > quiet.to;
  const isQuiet = overnight ? time >= quiet.from || time < quiet.to : time >= quiet.from && time < quiet.to;
  if (!isQuiet) return wanted;
  const day = overnight && time >= quiet.from ? local.plus({ days: 1 }) : local;
  const [hour = 0, minute = 0] = quiet.to.split(':').map(Number);
  return day.set({ hour, minute, second: 0, millisecond: 0 }).toJSDate();
}
