// Figures as they are worked out, and as people read them.
import { expect, test } from 'vitest';
import { brief, filtersOf, valuesTo, write } from '../../../src/admin/dashboard/analytics/data.ts';
import { FILTER_NAMES, FILTERS } from '../../../src/domain/analytics/facts.ts';
import { productDefinitions } from '../../support/definitions.ts';
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

test('values of filters keep their commas and signs in the address, and what was typed there is taken as it is', () => {
  const values = ['Too expensive, too much', '100 % sure', 'a+b&c'];
  const search = new URLSearchParams({ reason: valuesTo(values), plan: valuesTo(['7', '9']) }).toString();
  expect(filtersOf(search, ['reason', 'plan', 'country'])).toEqual({ reason: values, plan: [7, 9] });
  expect(filtersOf('reason=100%25&country=US,CA', ['reason', 'country'])).toEqual({ reason: ['100%'], country: ['US', 'CA'] });
});

test('values of each filter are sent as its calls take them', () => {
  const { calls } = productDefinitions();
  for (const name of ['chart', 'chartOf', 'rows'])
    for (const filter of FILTER_NAMES) {
      const param = calls[`analytics.${name}`]?.in.find(one => one.name === filter);
      expect([name, filter, param?.schema.items?.type]).toEqual([name, filter, 'isId' in FILTERS[filter] ? 'integer' : 'string']);
    }
});
