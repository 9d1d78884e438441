// How many rows the next chunk takes on the embedded database: pages get their turn in between, on fast and on slow machines.
import { expect, test } from 'vitest';
import { nextSize } from '../../../src/server/bulk/work.ts';

test('chunks grow while they are short, shrink when they are long, and stay within their bounds', () => {
  expect([20, 40, 80, 160, 200].map(size => nextSize(size, 200, 10))).toEqual([40, 80, 160, 200, 200]);
  expect([200, 100, 50, 25, 20].map(size => nextSize(size, 200, 900))).toEqual([100, 50, 25, 20, 20]);
  expect(nextSize(120, 200, 200)).toBe(120);
  // Charges are few at a time, whatever the pace.
  expect([nextSize(25, 25, 10), nextSize(10, 10, 900)]).toEqual([25, 10]);
});
