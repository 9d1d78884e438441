/** Specific-day billing: the day of the week, of the month or of the year on which every order falls. */
import { Info } from 'luxon';
import { intlLocale, t } from '../text/t.ts';
import { ordinal } from './ordinal.ts';
import { ANCHOR_TYPE, type AnchorType } from './anchor-type.ts';
import { dayNumber, daysInMonth, stepDay, weekdayOf, type Day } from './calendar.ts';
import type { IntervalUnit } from './interval.ts';

export { ANCHOR_TYPE, type AnchorType };

/** The value of a day of the month that stands for its last day (D259: the list runs from 1 to 32). */
export const LAST_DAY = 32;

/** WEEKDAY 1 Monday to 7 Sunday; MONTHDAY 1-31 and 32 for the last day; YEARDAY a day and a month (1-12). */
export type Anchor = { type: 'WEEKDAY'; day: number } | { type: 'MONTHDAY'; day: number } | { type: 'YEARDAY'; day: number; month: number };

/** Reads the flat anchor fields of the wire; null when there is no anchor or a part of it is missing. */
export function anchorOf(fields: {
  anchorType?: AnchorType | null;
  anchorDay?: number | null;
  anchorMonth?: number | null;
}): Anchor | null {
  const { anchorType, anchorDay, anchorMonth } = fields;
  if (!anchorType || !anchorDay) return null;
  if (anchorType !== 'YEARDAY') return { type: anchorType, day: anchorDay };
  return anchorMonth ? { type: anchorType, day: anchorDay, month: anchorMonth } : null;
}

/** The anchor when it suits the delivery unit; an anchor left over from another frequency has no effect. */
export function anchorFor(anchor: Anchor | null | undefined, unit: IntervalUnit): Anchor | null {
  return anchor && anchor.type === ANCHOR_TYPE[unit] ? anchor : null;
}

/** The first anchor day on or after a day. A day that a month lacks falls on its last day. */
export function firstAnchor(day: Day, anchor: Anchor): Day {
  if (anchor.type === 'WEEKDAY') {
    return stepDay(day, { interval: 'DAY', intervalCount: 1 }, (anchor.day - weekdayOf(day) + 7) % 7);
  }
  const here = anchorIn(day, anchor);
  return dayNumber(here) >= dayNumber(day) ? here : nthAnchor(here, anchor, 1);
}

/** The anchor day that is n anchors (weeks, months or years) after the anchor day given. */
export function nthAnchor(day: Day, anchor: Anchor, n: number): Day {
  if (anchor.type === 'WEEKDAY') return stepDay(day, { interval: 'WEEK', intervalCount: 1 }, n);
  const unit = anchor.type === 'MONTHDAY' ? 'MONTH' : 'YEAR';
  return anchorIn(stepDay({ ...day, day: 1 }, { interval: unit, intervalCount: 1 }, n), anchor);
}

function anchorIn({ year, month }: Day, anchor: Exclude<Anchor, { type: 'WEEKDAY' }>): Day {
  const inMonth = anchor.type === 'YEARDAY' ? anchor.month : month;
  return { year, month: inMonth, day: Math.min(anchor.day, daysInMonth(year, inMonth)) };
}

/** "on Wednesday", "on the 15th", "on the last day of the month", "on April 4". */
export function anchorLabel(anchor: Anchor): string {
  const locale = intlLocale();
  if (anchor.type === 'WEEKDAY') return t`on ${Info.weekdays('long', { locale })[anchor.day - 1] ?? t`day ${anchor.day}`}`;
  if (anchor.type === 'YEARDAY')
    return t`on ${Info.months('long', { locale })[anchor.month - 1] ?? t`month ${anchor.month}`} ${anchor.day}`;
  return anchor.day >= LAST_DAY ? t`on the last day of the month` : t`on the ${ordinal(anchor.day)}`;
}
