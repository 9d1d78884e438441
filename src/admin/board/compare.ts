// The days of a page as calls take them, beside the days that its figures are compared with.
import { besideBefore, type Compared } from '../../contract/domain/plain-days.ts';
import type { DateRange } from '../date-range.ts';

/** "11/21/2026" -> "2026-11-21", as calls take days */
export const plain = (slashed: string): string => `${slashed.slice(6)}-${slashed.slice(0, 2)}-${slashed.slice(3, 5)}`;

/** Both periods as calls take them: 30 days are compared with the 30 days before. */
export const compared = ({ startDate, endDate }: DateRange): Compared => besideBefore({ startDate: plain(startDate), endDate: plain(endDate) });
