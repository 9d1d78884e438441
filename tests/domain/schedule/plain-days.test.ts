import { describe, expect, it } from 'vitest';
import { addDays, besideBefore, daysBetween, eachDay, lengthOf } from '../../../src/domain/calendar/plain-days.ts';

describe('days without a clock', () => {
  it('steps over months, leap days and years, and not over the changes of any clock', () => {
    expect([addDays('2028-02-28', 1), addDays('2027-02-28', 1), addDays('2027-01-01', -1), addDays('2026-03-28', 2)]).toEqual([
      '2028-02-29',
      '2027-03-01',
      '2026-12-31',
      '2026-03-30',
    ]);
    expect([
      daysBetween('2026-10-24', '2026-10-26'),
      daysBetween('2026-10-26', '2026-10-24'),
      daysBetween('2026-10-26', '2026-10-26'),
    ]).toEqual([2, -2, 0]);
  });
  it('lists a period with both its ends, and nothing when it is turned round', () => {
    expect(eachDay({ startDate: '2026-12-30', endDate: '2027-01-02' })).toEqual(['2026-12-30', '2026-12-31', '2027-01-01', '2027-01-02']);
    expect(eachDay({ startDate: '2026-12-30', endDate: '2026-12-30' })).toEqual(['2026-12-30']);
    expect(eachDay({ startDate: '2027-01-02', endDate: '2026-12-30' })).toEqual([]);
    expect(lengthOf({ startDate: '2028-01-01', endDate: '2028-12-31' })).toBe(366);
  });
  it('S284 S285 compares a period with as many days just before it', () => {
    expect(besideBefore({ startDate: '2026-10-22', endDate: '2026-11-20' })).toEqual({
      startDate: '2026-10-22',
      endDate: '2026-11-20',
      comparisonStartDate: '2026-09-22',
      comparisonEndDate: '2026-10-21',
    });
    expect(besideBefore({ startDate: '2028-03-01', endDate: '2028-03-01' })).toMatchObject({
      comparisonStartDate: '2028-02-29',
      comparisonEndDate: '2028-02-29',
    });
  });
});
