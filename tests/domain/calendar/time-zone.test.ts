// The remembered offsets of time zones are those that luxon works out.
import { IANAZone } from 'luxon';
import { describe, expect, it } from 'vitest';
import { timeZone } from '../../../src/domain/calendar/time-zone.ts';

const HOUR = 3_600_000;
const ZONES = [
  'UTC',
  'America/New_York',
  'Europe/Paris',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
  'Pacific/Chatham',
  'America/Sao_Paulo',
  'Asia/Kolkata',
];

/** Where the two differ, one line each. `step` in milliseconds. */
function differences(name: string, from: number, until: number, step: number): string[] {
  const zone = timeZone(name);
  const luxon = new IANAZone(name);
  const found: string[] = [];
  for (let at = from; at < until; at += step) {
    const [ours, theirs] = [zone.offset(at), luxon.offset(at)];
    if (ours !== theirs) found.push(`${name} ${new Date(at).toISOString()}: ${ours} instead of ${theirs}`);
  }
  return found;
}

describe('a time zone', () => {
  it.each(ZONES)('has the offsets of luxon throughout a year: %s', name => {
    expect(differences(name, Date.UTC(2026, 0, 1), Date.UTC(2027, 0, 1), HOUR)).toEqual([]);
  });

  it.each([
    ['Pacific/Apia', Date.UTC(2011, 11, 28), Date.UTC(2012, 0, 2)],
    ['Africa/Monrovia', Date.UTC(1971, 11, 30), Date.UTC(1973, 0, 5)],
    ['America/New_York', Date.UTC(1883, 10, 17), Date.UTC(1883, 10, 20)],
    ['America/Caracas', Date.UTC(2016, 4, 1), Date.UTC(2016, 4, 3)],
  ])('has the offsets of luxon where days were left out or seconds counted: %s', (name, from, until) => {
    expect(differences(name, from, until, HOUR / 6)).toEqual([]);
  });

  it('has the offsets of luxon to the millisecond where clocks change', () => {
    const change = Date.UTC(2026, 2, 29, 1);
    expect(differences('Europe/Paris', change - 3, change + 3, 1)).toEqual([]);
    expect(timeZone('Europe/Paris').offset(change - 1)).toBe(60);
    expect(timeZone('Europe/Paris').offset(change)).toBe(120);
  });

  it('keeps to them over many more days than it remembers', () => {
    expect(differences('Europe/Paris', Date.UTC(1990, 0, 1, 2, 30), Date.UTC(2030, 0, 1), 24 * HOUR)).toEqual([]);
    expect(differences('Europe/Paris', Date.UTC(1990, 0, 1, 2, 30), Date.UTC(1992, 0, 1), 24 * HOUR)).toEqual([]);
  });

  it('has a name that exists', () => {
    expect(() => timeZone('Europe/Nowhere')).toThrow(/"Europe\/Nowhere" is not a time zone. Use an IANA name such as Europe\/Paris/);
    expect(timeZone('UTC').offset(Number.NaN)).toBeNaN();
  });
});
