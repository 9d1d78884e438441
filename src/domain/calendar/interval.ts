/** How often something happens: a unit of time and a count of it. */
import { t } from '../text/t.ts';

/** The interval units (D241). */
export const INTERVAL_UNITS = ['DAY', 'WEEK', 'MONTH', 'YEAR'] as const;
export type IntervalUnit = (typeof INTERVAL_UNITS)[number];
export type Interval = { interval: IntervalUnit; intervalCount: number };

/** The longest interval is 36,500 days or the same span in other units. */
const LONGEST: Readonly<Record<IntervalUnit, number>> = { DAY: 36_500, WEEK: 5_214, MONTH: 1_200, YEAR: 100 };

const AVERAGE_DAYS: Readonly<Record<IntervalUnit, number>> = { DAY: 1, WEEK: 7, MONTH: 365.25 / 12, YEAR: 365.25 };
const SHORTEST_DAYS: Readonly<Record<IntervalUnit, number>> = { DAY: 1, WEEK: 7, MONTH: 28, YEAR: 365 };

/** "month" or "2 months", in English, as customers find it among the options of a product. */
export function intervalLabel({ interval, intervalCount }: Interval): string {
  const unit = interval.toLowerCase();
  return intervalCount === 1 ? unit : `${intervalCount} ${unit}s`;
}

/** "month" or "2 months", in the reader's language. */
export function intervalInWords({ interval, intervalCount }: Interval): string {
  const n = intervalCount;
  switch (interval) {
    case 'DAY':
      return n === 1 ? t`day` : t`${n} days`;
    case 'WEEK':
      return n === 1 ? t`week` : t`${n} weeks`;
    case 'MONTH':
      return n === 1 ? t`month` : t`${n} months`;
    case 'YEAR':
      return n === 1 ? t`year` : t`${n} years`;
  }
}

/** "every month", "every 2 months" (D241). */
export function frequencyLabel(interval: Interval): string {
  const n = interval.intervalCount;
  switch (interval.interval) {
    case 'DAY':
      return n === 1 ? t`every day` : t`every ${n} days`;
    case 'WEEK':
      return n === 1 ? t`every week` : t`every ${n} weeks`;
    case 'MONTH':
      return n === 1 ? t`every month` : t`every ${n} months`;
    case 'YEAR':
      return n === 1 ? t`every year` : t`every ${n} years`;
  }
}

/** "Every 2 months", as subscriptions keep it -> the interval; undefined for other words. */
export function intervalIn(text: string): Interval | undefined {
  const [, count, unit] = /^every (?:(\d+) )?(day|week|month|year)s?$/i.exec(text) ?? [];
  return unit === undefined ? undefined : { interval: unit.toUpperCase() as IntervalUnit, intervalCount: Number(count ?? 1) };
}

/** True when the interval is longer than 36,500 days or the same span in its unit. */
export function isTooLong({ interval, intervalCount }: Interval): boolean {
  return intervalCount > LONGEST[interval];
}

export function sameInterval(a: Interval, b: Interval): boolean {
  return a.interval === b.interval && a.intervalCount === b.intervalCount;
}

/**
 * How many deliveries one charge pays for: a whole number of 1 or more, or null when billing is not a fixed multiple of
 * delivery. Fixed multiples exist within one unit, for WEEK on DAY (7) and for YEAR on MONTH (12).
 */
export function multipleOf(billing: Interval, delivery: Interval): number | null {
  const factor = unitFactor(billing.interval, delivery.interval);
  if (factor === null) return null;
  const multiple = (billing.intervalCount * factor) / delivery.intervalCount;
  return Number.isInteger(multiple) && multiple >= 1 ? multiple : null;
}

function unitFactor(billing: IntervalUnit, delivery: IntervalUnit): number | null {
  if (billing === delivery) return 1;
  if (billing === 'WEEK' && delivery === 'DAY') return 7;
  if (billing === 'YEAR' && delivery === 'MONTH') return 12;
  return null;
}

/** Average length in days (a year is 365.25), for comparing frequencies and for monthly revenue; not for dates. */
export function approxDays({ interval, intervalCount }: Interval): number {
  return AVERAGE_DAYS[interval] * intervalCount;
}

/** The least days that the interval ever takes (a month 28, a year 365). */
export function shortestDays({ interval, intervalCount }: Interval): number {
  return SHORTEST_DAYS[interval] * intervalCount;
}
