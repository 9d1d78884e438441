// Instants of local times for tests, and local times of instants read without luxon, as a second opinion.
import { DateTime } from 'luxon';
import type { Schedule } from '../../src/domain/schedule/schedule.ts';

/**
 * How many random cases a property is tried on, as options of fast-check. PERENNIAL_RUNS says another number: few for the tests of another Node, many for
 * `npm run torture -- properties`, which also says the seed (FC_SEED) and how long a property may take at most (PERENNIAL_RUN_MS).
 */
export function numRuns(usual: number): { numRuns: number; seed?: number; interruptAfterTimeLimit?: number } {
  const { PERENNIAL_RUNS: runs, FC_SEED: seed, PERENNIAL_RUN_MS: limit } = process.env;
  return {
    numRuns: Number(runs ?? usual),
    ...(seed === undefined ? {} : { seed: Number(seed) }),
    ...(limit === undefined ? {} : { interruptAfterTimeLimit: Number(limit) }),
  };
}

/** Epoch ms of a local time: at('2026-03-01T09:00', 'Europe/Paris'). */
export function at(local: string, zone = 'UTC'): number {
  return DateTime.fromISO(local, { zone }).toMillis();
}

/** "2026-03-01 09:00" in the zone, by the platform's own Intl. */
export function local(instant: number, zone = 'UTC'): string {
  const { year, month, day, hour, minute } = localParts(instant, zone);
  return `${year}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)}`;
}

const two = (n: number) => String(n).padStart(2, '0');
const formats = new Map<string, Intl.DateTimeFormat>();

export function localParts(instant: number, zone: string): { year: number; month: number; day: number; hour: number; minute: number } {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    });
    formats.set(zone, format);
  }
  const parts = Object.fromEntries(format.formatToParts(instant).map(({ type, value }) => [type, Number(value)]));
  return { year: parts.year ?? 0, month: parts.month ?? 0, day: parts.day ?? 0, hour: parts.hour ?? 0, minute: parts.minute ?? 0 };
}

/** Days since 1970 of the local day. */
export function localDay(instant: number, zone: string): number {
  const { year, month, day } = localParts(instant, zone);
  return Date.UTC(year, month - 1, day) / 86_400_000;
}

/** 1 Monday to 7 Sunday. 1 January 1970 was a Thursday. */
export function weekday(instant: number, zone: string): number {
  return ((localDay(instant, zone) + 3) % 7) + 1;
}

/** Days of a month, by plain calendar arithmetic. */
export function monthLength(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/** A monthly subscription in UTC whose checkout order was on 1 January 2026 at 09:00. */
export function scheduleOf(changes: Partial<Schedule> = {}): Schedule {
  return {
    zone: 'UTC',
    billingHour: null,
    baseAt: at('2026-01-01T09:00'),
    baseCycle: 1,
    nextCycle: 2,
    deliveryPolicy: { interval: 'MONTH', intervalCount: 1 },
    billingPolicy: { interval: 'MONTH', intervalCount: 1 },
    anchor: null,
    prepaidCreditsLeft: 0,
    completedOrders: 1,
    maxCycles: null,
    chargeOffsetDays: 0,
    exceptions: new Map(),
    ...changes,
  };
}
