// The days that figures are compared with: as many, just before.
import { addDays } from '../zone.ts';

export interface Compared { startDate: string; endDate: string; comparisonStartDate: string; comparisonEndDate: string }

/** "11/21/2026" -> "2026-11-21", as calls take days */
export const plain = (slashed: string): string => `${slashed.slice(6)}-${slashed.slice(0, 2)}-${slashed.slice(3, 5)}`;

/** Both periods as calls take them: 30 days are compared with the 30 days before. */
export function compared({ startDate, endDate }: { startDate: string; endDate: string }): Compared {
  const [start, end] = [plain(startDate), plain(endDate)];
  const length = Math.round((Date.parse(end) - Date.parse(start)) / 86_400_000) + 1;
  return { startDate: start, endDate: end, comparisonStartDate: addDays(start, -length), comparisonEndDate: addDays(start, -1) };
}
