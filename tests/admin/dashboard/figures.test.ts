// Figures as they are worked out, and as people read them.
import { expect, test } from 'vitest';
import { brief, write } from '../../../src/admin/dashboard/analytics/data.ts';
import { figureOf } from '../../../src/server/platform/analytics/evaluate.ts';
import type { Metric } from '../../../src/contract/types.ts';

const ratio: Metric = {
  key: 'skips',
  title: 'Skips',
  about: 'For each order.',
  unit: 'number',
  better: 'down',
  numerator: [],
  denominator: [],
};

test.each([
  [3, 1000, 0.003, '0.003'],
  [-1, 3000, -0.000333, '-0.000333'],
  [1, 3, 0.333, '0.333'],
  [10, 3, 3.33, '3.33'],
  [0, 3, 0, '0'],
])('%d of %d: a small ratio is not rounded to nothing', (numerator, denominator, figure, text) => {
  expect(figureOf(ratio, numerator, denominator)).toBe(figure);
  expect(write(figure, 'number')).toBe(text);
  if (Math.abs(figure) < 1) expect(brief(figure, 'number')).toBe(text);
});
