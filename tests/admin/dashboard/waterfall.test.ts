// Where the bars of a waterfall stand.
import { expect, it } from 'vitest';
import { groundOf, stepsOf } from '../../../src/admin/dashboard/analytics/falls.ts';

it('each bar begins where the one before ended, and the totals stand on the ground', () => {
  const steps = stepsOf([100, 30, -20, 0, 110]);
  expect(steps.map(({ from, to }) => [from, to])).toEqual([
    [0, 100],
    [100, 130],
    [130, 110],
    [110, 110],
    [0, 110],
  ]);
  expect(steps.map(({ isTotal }) => isTotal)).toEqual([true, false, false, false, true]);
});

it('small movements beside large totals are drawn on a scale of their own', () => {
  expect(groundOf(stepsOf([100, 30, -20, 110]))).toBe(85);
  expect(groundOf(stepsOf([0, 30, -20, 10]))).toBe(0);
  expect(groundOf(stepsOf([10, -30, -20]))).toBe(-20);
});
