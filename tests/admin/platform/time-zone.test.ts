// Days in the store's time zone, against the calendar library, over the days when clocks change.
import fc from 'fast-check';
import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { addDays, dayOf, endOfDay, monthStart, startOfDay } from '../../../src/admin/platform/time-zone.ts';

const ZONES = [
  'UTC',
  'America/New_York',
  'Europe/Berlin',
  'Australia/Lord_Howe',
  'Asia/Kolkata',
  'America/Sao_Paulo',
  'Africa/Cairo',
  'Pacific/Apia',
];

describe('days in a zone', () => {
  it('begin and end where the calendar says, whatever the clocks do', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ZONES),
        fc.date({ min: new Date('2015-01-01'), max: new Date('2035-12-31'), noInvalidDate: true }),
        (zone, date) => {
          const day = DateTime.fromJSDate(date, { zone });
          const text = day.toISODate() as string;
          expect(dayOf(date.getTime(), zone)).toBe(text);
          expect(new Date(startOfDay(text, zone)).toISOString()).toBe(day.startOf('day').toUTC().toISO());
          expect(endOfDay(text, zone)).toBe(Math.floor(day.endOf('day').toMillis() / 1000) * 1000);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("begin at one o'clock where midnight is skipped", () => {
    // São Paulo moved its clocks at midnight: on 4 November 2018 the day began at 01:00.
    expect(new Date(startOfDay('2018-11-04', 'America/Sao_Paulo')).toISOString()).toBe('2018-11-04T03:00:00.000Z');
  });

  it('step over months and leap days', () => {
    expect(addDays('2028-02-28', 1)).toBe('2028-02-29');
    expect(addDays('2026-01-01', -1)).toBe('2025-12-31');
    expect(monthStart('2026-01-31', 1)).toBe('2026-02-01');
    expect(monthStart('2026-01-15', -1)).toBe('2025-12-01');
  });
});
