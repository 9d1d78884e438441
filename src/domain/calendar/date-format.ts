// How a store writes days in its e-mails (settings, notification-preferences).
import { dateLabel, inZone } from './calendar.ts';

const FORMATS = {
  LONG: 'LLLL d, yyyy',
  DAY_FIRST: 'd LLLL yyyy',
  MDY: 'MM/dd/yyyy',
  DMY: 'dd/MM/yyyy',
  DOTS: 'dd.MM.yyyy',
  ISO: 'yyyy-MM-dd',
} as const;
export type DateFormat = keyof typeof FORMATS | 'WEEKDAY';

/** The day in a zone as the store writes it: "Thu, Dec 3, 2026" where it says nothing. */
export const writtenDate = (at: number, zone: string, format: string | undefined): string =>
  format !== undefined && Object.hasOwn(FORMATS, format)
    ? inZone(at, zone)
        .setLocale('en-US')
        .toFormat(FORMATS[format as keyof typeof FORMATS])
    : dateLabel(at, zone);
