/** The figures merchants steer by: monthly recurring revenue, change against the period before. Amounts are minor units. */
import type { IntervalUnit } from '../calendar/interval.ts';
import { scaled } from './money.ts';

/** Charges in a month, by the unit in which a subscription is charged: a month has 30.4368 days, a year 365.2422. */
const PER_MONTH: Readonly<Record<IntervalUnit, { by: number; over: number }>> = {
  DAY: { by: 30.4368, over: 1 },
  WEEK: { by: 4.3481, over: 1 },
  MONTH: { by: 1, over: 1 },
  YEAR: { by: 1, over: 12 },
};

/** What a charge of `amount` every `intervalCount` units is worth in a month; rounded half up, so that 10.00 a week is 43.48. */
export function monthlyValue(amount: number, interval: IntervalUnit, intervalCount: number): number {
  if (!Number.isInteger(intervalCount) || intervalCount < 1)
    throw new RangeError(`An interval is at least 1 ${interval.toLowerCase()} long, not ${intervalCount}.`);
  const { by, over } = PER_MONTH[interval];
  return scaled(amount, [by], [over, intervalCount]);
}

/**
 * Change in percent with one decimal; null where there was nothing before, or a loss: no percentage says anything then. A dash is
 * shown.
 */
export const changePercent = (current: number, previous: number): number | null =>
  previous <= 0 ? null : Math.round((current / previous - 1) * 1000) / 10;
