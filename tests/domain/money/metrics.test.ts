import { describe, expect, it } from 'vitest';
import { changePercent, churnRate, monthlyValue } from '../../../src/domain/money/metrics.ts';

describe('monthly recurring revenue', () => {
  it.each([
    [4000, 'MONTH', 2, 2000],
    [1000, 'WEEK', 1, 4348],
    [12_000, 'YEAR', 1, 1000],
    [3000, 'MONTH', 1, 3000],
    [100, 'DAY', 1, 3044],
    [0, 'WEEK', 3, 0],
  ] as const)('%i every %s x %i is %i a month', (amount, interval, count, worth) => {
    expect(monthlyValue(amount, interval, count)).toBe(worth);
  });
  it('refuses an interval of no length', () => {
    expect(() => monthlyValue(100, 'WEEK', 0)).toThrow('An interval is at least 1 week long, not 0.');
  });
});

it('shows no change where there was nothing before', () => {
  expect([changePercent(5, 0), changePercent(110, 100), changePercent(0, 4), changePercent(2, 3)]).toEqual([null, 10, -100, -33.3]);
});

it('churn counts what was cancelled of all that could have been', () => {
  expect([churnRate({ atStart: 100, begun: 20, cancelled: 6 }), churnRate({ atStart: 0, begun: 0, cancelled: 0 })]).toEqual([5, null]);
});
