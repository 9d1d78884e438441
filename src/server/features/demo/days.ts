// Calendar days as plain numbers, so that two years of orders can be dated in a second; the store's zone comes in once for each day.
import { DateTime } from 'luxon';
import { timeZone } from '../../../domain/calendar/time-zone.ts';
import type { Unit } from './plans.ts';

/** Days since 1970-01-01 in the store's calendar. */
export type DayNumber = number;

const DAY = 86_400_000;
const parts = (day: DayNumber) => {
  const date = new Date(day * DAY);
  return [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()] as const;
};
const lastDayOf = (year: number, month: number) => new Date(Date.UTC(year, month + 1, 0)).getUTCDate();

/** `n` intervals after `day`, counted from it: a day that a month lacks falls on its last day. */
export function step(day: DayNumber, [unit, count]: readonly [Unit, number], n: number): DayNumber {
  if (unit === 'DAY') return day + count * n;
  if (unit === 'WEEK') return day + 7 * count * n;
  const [year, month, date] = parts(day);
  const months = month + (unit === 'YEAR' ? 12 : 1) * count * n;
  const [y, m] = [year + Math.floor(months / 12), ((months % 12) + 12) % 12];
  return Date.UTC(y, m, Math.min(date, lastDayOf(y, m))) / DAY;
}

/** Turns days into instants of the store: at its billing hour, or at a clock time given in minutes. */
export class StoreCalendar {
  readonly today: DayNumber;
  readonly #billing = new Map<DayNumber, number>();
  readonly now: number;
  readonly zone: string;
  readonly hour: number;
  constructor(now: number, zone: string, hour: number) {
    this.now = now;
    this.zone = zone;
    this.hour = hour;
    this.today = this.dayAt(now);
  }
  /** Epoch ms of the billing hour on that day. */
  billingAt(day: DayNumber): number {
    let at = this.#billing.get(day);
    if (at === undefined) {
      const [year, month, date] = parts(day);
      at = DateTime.fromObject({ year, month: month + 1, day: date, hour: this.hour }, { zone: timeZone(this.zone) }).toMillis();
      this.#billing.set(day, at);
    }
    return at;
  }
  /** Epoch ms `minutes` after the billing hour (negative: before). */
  near(day: DayNumber, minutes: number): number {
    return this.billingAt(day) + minutes * 60_000;
  }
  /** The calendar day of an instant. */
  dayAt(at: number): DayNumber {
    const local = DateTime.fromMillis(at, { zone: timeZone(this.zone) });
    return Math.round(Date.UTC(local.year, local.month - 1, local.day) / DAY);
  }
  /** True when the billing hour of that day has passed. */
  isPast(day: DayNumber): boolean {
    return this.billingAt(day) <= this.now;
  }
}
