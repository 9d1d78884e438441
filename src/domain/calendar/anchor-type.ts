/**
 * Which kind of anchor belongs to which delivery unit. Apart from anchor.ts, so that the browser's first page gets it without the calendar.
 */
import type { IntervalUnit } from './interval.ts';

export type AnchorType = 'WEEKDAY' | 'MONTHDAY' | 'YEARDAY';

/** The anchor type that belongs to a delivery unit; daily deliveries have none. */
export const ANCHOR_TYPE: Readonly<Record<IntervalUnit, AnchorType | null>> = {
  DAY: null,
  WEEK: 'WEEKDAY',
  MONTH: 'MONTHDAY',
  YEAR: 'YEARDAY',
};
