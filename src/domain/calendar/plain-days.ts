// Calendar days written as "2026-11-21", without a clock and without a zone, and periods of them.

const DAY_MS = 86_400_000;
const at = (day: string): number => Date.parse(`${day}T00:00:00Z`);

/** First and last day, both included. */
export interface Period {
  startDate: string;
  endDate: string;
}
/** A period beside the one that it is compared with, as calls take them. */
export interface Compared extends Period {
  comparisonStartDate: string;
  comparisonEndDate: string;
}

/** Whether a text is a day that there is: no "2026-02-30". */
export const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(at(text)) && addDays(text, 0) === text;

/** "2026-02-28" + 1 -> "2026-03-01" */
export const addDays = (day: string, count: number): string => new Date(at(day) + count * DAY_MS).toISOString().slice(0, 10);

/** Days from one to another: 0 on the same day, negative backwards. */
export const daysBetween = (from: string, to: string): number => Math.round((at(to) - at(from)) / DAY_MS);

/** How many days a period has. */
export const lengthOf = ({ startDate, endDate }: Period): number => daysBetween(startDate, endDate) + 1;

/** Every day of a period in order; none when it ends before it begins. */
export const eachDay = (period: Period): string[] =>
  Array.from({ length: Math.max(0, lengthOf(period)) }, (_, i) => addDays(period.startDate, i));

/** A period beside as many days just before it: 30 days are compared with the 30 days before. */
export function besideBefore({ startDate, endDate }: Period): Compared {
  return {
    startDate,
    endDate,
    comparisonStartDate: addDays(startDate, -lengthOf({ startDate, endDate })),
    comparisonEndDate: addDays(startDate, -1),
  };
}
