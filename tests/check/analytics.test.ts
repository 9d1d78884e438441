// Mistakes in metrics, pages of figures and reports: told at their own file, with line, and what was perhaps meant.
import { beforeAll, describe, expect, it } from 'vitest';
import { check } from '../../src/check/index.ts';
import { checkOptions, projectRoot, readDefinitionFiles } from '../../src/server/platform/definitions.ts';

const files = readDefinitionFiles();
const options = checkOptions(projectRoot);
const METRIC = {
  $schema: '../meta/metric.json',
  title: 'Test',
  about: 'A test.',
  format: 'count',
  numerator: [{ fact: 'order', when: { status: 'PAID' } }],
};
const PAGE = { $schema: '../meta/analytics.json', title: 'Test', about: 'A test.', permission: 'orderAnalytics' };
const COMPONENT = { type: 'table', metrics: ['revenue'], by: 'country' };
const REPORT = {
  $schema: '../meta/report.json',
  title: 'Test',
  about: 'A test.',
  group: 'Subscriptions',
  of: 'subscription',
  columns: ['id'],
  sort: { field: 'createdAtEpoch', order: 'DESC' },
};
type Kind = 'metrics' | 'analytics' | 'reports';
const documentOf = (kind: Kind, over: object): object => {
  if (kind === 'metrics') return { ...METRIC, ...over };
  if (kind === 'reports') return { ...REPORT, ...over };
  return { ...PAGE, sections: [{ components: { one: { ...COMPONENT, ...over } } }] };
};

/** What differs from a right definition, and what is said about it; "" where nothing is wrong. */
const CASES: [Kind, object, string][] = [
  ['metrics', {}, ''],
  ['metrics', { numerator: [{ fact: 'ordr' }] }, '8 There is no fact "ordr" in src/domain/analytics/facts.ts. (order)'],
  ['metrics', { numerator: [{ fact: 'order', sum: 'revenu' }] }, '9 The fact "order" has no measure "revenu". (revenue)'],
  ['metrics', { numerator: [{ fact: 'order', when: { state: 'PAID' } }] }, 'The fact "order" has no "state" to ask for.'],
  ['metrics', { format: 'percent' }, '5 A metric in percent is a part of something: say of what in "denominator".'],
  ['metrics', { numerator: [{ fact: 'order', sum: 'revenue' }] }, '5 What is summed up is an amount, so its format is "money".'],
  ['metrics', { better: 'more' }, 'better'],
  ['analytics', {}, ''],
  ['analytics', { metrics: ['revenu'] }, 'There is no metric "revenu" in schemas/metrics. (revenue)'],
  ['analytics', { by: 'reason' }, 'Not all facts of these metrics can be split by "reason".'],
  ['analytics', { type: 'line', by: undefined, metrics: ['mrr'] }, '"mrr" is a figure of now and has no past.'],
  ['analytics', { by: undefined }, 'A component of the type "table" says in "by" what it is split by.'],
  ['analytics', { type: 'cohort', by: undefined }, 'Say in "columns" whether a cohort counts months or orders.'],
  ['reports', {}, ''],
  ['reports', { columns: ['idd'] }, '"subscription" has no field "idd". (id)'],
  ['reports', { filters: ['note'] }, '"subscription" can\'t be narrowed by "note"'],
  ['reports', { sort: { field: 'note', order: 'ASC' } }, '"subscription" can\'t be sorted by "note".'],
  ['reports', { of: 'subscriptions' }, 'There is no entity "subscriptions" in schemas/entities. (subscription)'],
];
const fileOf = (at: number): string => `schemas/${CASES[at]![0]}/test-${at}.json`;

describe('the check of analytics', () => {
  // One check reports all of them: it reads every definition of the product.
  const told = new Map<string, string[]>();
  beforeAll(() => {
    const added = CASES.map(([kind, over], at) => [fileOf(at), JSON.stringify(documentOf(kind, over), null, 2)]);
    for (const { file, line, message, suggestion } of check({ ...files, ...Object.fromEntries(added) }, options))
      told.set(file, [...(told.get(file) ?? []), `${line} ${message}${suggestion ? ` (${suggestion})` : ''}`]);
  });

  it.each(CASES.map(([kind, over, wanted], at) => ({ kind, over, wanted, at })))('$kind $over', ({ wanted, at }) => {
    const found = told.get(fileOf(at)) ?? [];
    if (wanted === '') expect(found).toEqual([]);
    else expect(found.join('\n')).toContain(wanted);
  });
});
