import { describe, expect, it } from 'vitest';
import { lineShares } from '../../../src/domain/money/line-shares.ts';
import { changePercent, monthlyValue } from '../../../src/domain/money/metrics.ts';

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

it('lines share an amount by what they cost, to the last minor unit', () => {
  const equal = { price: 500, quantity: 1 };
  expect(lineShares(100, [equal, equal, equal])).toEqual([33, 34, 33]);
  expect(lineShares(2174, [{ price: 1000, quantity: 3 }, { price: 0, quantity: 1 }, equal])).toEqual([1863, 0, 311]);
  expect(
    lineShares(700, [
      { price: 0, quantity: 2 },
      { price: 0, quantity: 1 },
    ]),
  ).toEqual([700, 0]);
  expect(lineShares(700, [])).toEqual([]);
});
