// A day, a month or a weekday of an instant is that of the store's zone, wherever one is taken.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayOf, isoDay, weekdayOf } from '../../../src/domain/calendar/calendar.ts';
import { dayOf as browserDayOf } from '../../../src/admin/platform/time-zone.ts';

/** Files that know plain days only, or turn an instant into a day by a zone: what all others go through. */
const CALENDARS = new Set([
  'src/domain/calendar/calendar.ts',
  'src/domain/calendar/plain-days.ts',
  'src/admin/platform/time-zone.ts',
  'src/server/features/demo/days.ts',
  // Checks the text of a date.
  'src/contract/validation/formats.ts',
  // A column of days, which has no clock.
  'src/server/platform/records/entity-mapping.ts',
]);
const PARTS_OF_AN_INSTANT = [
  /\.get(?:UTC)?(?:Date|Day|Month|FullYear)\(/,
  /\.toISOString\(\)\.slice\(0, ?(?:4|7|10)\)/,
  // In SQL, where an instant has no zone beside it.
  /(?:_at\)?|\bat|timestamptz\)?|now\(\))::date\b/,
  /date_trunc\('(?:day|week|month|year)', (?!.*\btime zone\b)/,
];

function* sources(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sources(path);
    else if (/\.tsx?$/.test(entry.name)) yield path.replaceAll('\\', '/');
  }
}

describe('days of instants', () => {
  it('are taken in no other way than by a zone', () => {
    const found = ['src', 'renderers']
      .flatMap(folder => [...sources(folder)])
      .filter(path => !CALENDARS.has(path) && !path.startsWith('src/generated/'))
      .flatMap(path =>
        readFileSync(path, 'utf8')
          .split('\n')
          .flatMap((line, i) => (PARTS_OF_AN_INSTANT.some(pattern => pattern.test(line)) ? [`${path}:${i + 1} ${line.trim()}`] : [])),
      );
    expect(found, 'use isoDay or dayOf of src/domain/calendar/calendar.ts, in SQL "at time zone"').toEqual([]);
  });

  it('agree with the clock on the wall in every zone, on the server and in the browser', () => {
    const zones = ['Etc/GMT+11', ...Intl.supportedValuesOf('timeZone'), 'Etc/GMT-14'];
    const of = new Map(
      zones.map(zone => [zone, new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' })]),
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        // Around the turns of months, where a day of another zone is another month or year as well.
        fc.tuple(fc.integer({ min: 2020, max: 2040 }), fc.integer({ min: 0, max: 11 }), fc.integer({ min: -1440, max: 1440 })),
        (zone, [year, month, minutes]) => {
          const at = Date.UTC(year, month, 1) + minutes * 60_000;
          const wall = of.get(zone)!.format(at);
          expect([isoDay(at, zone), browserDayOf(at, zone)]).toEqual([wall, wall]);
          expect(weekdayOf(dayOf(at, zone))).toBe(new Date(`${wall}T00:00:00Z`).getUTCDay() || 7);
        },
      ),
      { numRuns: 2000 },
    );
  });
});
