import { describe, expect, it } from 'vitest';
import {
  approxDays,
  frequencyLabel,
  intervalLabel,
  INTERVAL_UNITS,
  isTooLong,
  multipleOf,
  sameInterval,
  shortestDays,
  type IntervalUnit,
} from '../../../src/domain/calendar/interval.ts';

const every = (intervalCount: number, interval: IntervalUnit) => ({ interval, intervalCount });

describe('labels', () => {
  it('D241 the units are days, weeks, months and years', () => {
    expect(INTERVAL_UNITS).toEqual(['DAY', 'WEEK', 'MONTH', 'YEAR']);
    expect(INTERVAL_UNITS.map(unit => frequencyLabel(every(1, unit)))).toEqual(['every day', 'every week', 'every month', 'every year']);
    expect(INTERVAL_UNITS.map(unit => frequencyLabel(every(2, unit)))).toEqual([
      'every 2 days',
      'every 2 weeks',
      'every 2 months',
      'every 2 years',
    ]);
    expect(intervalLabel(every(3, 'MONTH'))).toBe('3 months');
  });
});

describe('multiples', () => {
  it.each([
    [every(3, 'MONTH'), every(1, 'MONTH'), 3],
    [every(1, 'MONTH'), every(1, 'MONTH'), 1],
    [every(2, 'WEEK'), every(7, 'DAY'), 2],
    [every(1, 'YEAR'), every(2, 'MONTH'), 6],
    [every(3, 'MONTH'), every(2, 'MONTH'), null],
    [every(1, 'MONTH'), every(2, 'MONTH'), null],
    [every(1, 'MONTH'), every(1, 'WEEK'), null],
    [every(1, 'MONTH'), every(10, 'DAY'), null],
    [every(1, 'YEAR'), every(1, 'WEEK'), null],
    [every(14, 'DAY'), every(1, 'WEEK'), null],
    [every(1, 'WEEK'), every(2, 'DAY'), null],
  ])('%o on %o is %s', (billing, delivery, multiple) => {
    expect(multipleOf(billing, delivery)).toBe(multiple);
  });
});

describe('lengths', () => {
  it('compares frequencies in days', () => {
    expect([every(10, 'DAY'), every(2, 'WEEK'), every(1, 'MONTH'), every(1, 'YEAR')].map(approxDays)).toEqual([10, 14, 30.4375, 365.25]);
    expect([every(10, 'DAY'), every(2, 'WEEK'), every(1, 'MONTH'), every(1, 'YEAR')].map(shortestDays)).toEqual([10, 14, 28, 365]);
  });
  it('allows 36,500 days or the same span in other units', () => {
    expect([every(36_500, 'DAY'), every(5_214, 'WEEK'), every(1_200, 'MONTH'), every(100, 'YEAR')].some(isTooLong)).toBe(false);
    expect([every(36_501, 'DAY'), every(5_215, 'WEEK'), every(1_201, 'MONTH'), every(101, 'YEAR')].every(isTooLong)).toBe(true);
  });
  it('tells the same interval from another', () => {
    expect(sameInterval(every(1, 'MONTH'), every(1, 'MONTH'))).toBe(true);
    expect(sameInterval(every(1, 'MONTH'), every(1, 'WEEK'))).toBe(false);
  });
});
