// Mistakes in metrics, pages of figures and reports: told at their own file, with line, and what was perhaps meant.
import { describe, expect, it } from 'vitest';
import { check } from '../../src/check/index.ts';
import { checkOptions, projectRoot, readDefinitionFiles } from '../../src/server/platform/definitions.ts';

const files = readDefinitionFiles();
const options = checkOptions(projectRoot);
const told = (file: string, document: object): string[] =>
  check({ ...files, [file]: JSON.stringify(document, null, 2) }, options)
    .filter(problem => problem.file === file)
    .map(({ line, message, suggestion }) => `${line} ${message}${suggestion ? ` (${suggestion})` : ''}`);

const metric = (over: object): string[] =>
  told('schemas/metrics/test.json', {
    $schema: '../meta/metric.json',
    title: 'Test',
    about: 'A test.',
    format: 'count',
    numerator: [{ fact: 'order', when: { status: 'PAID' } }],
    ...over,
  });
const page = (component: object): string[] =>
  told('schemas/analytics/test.json', {
    $schema: '../meta/analytics.json',
    title: 'Test',
    about: 'A test.',
    permission: 'orderAnalytics',
    sections: [{ components: { one: { type: 'table', metrics: ['revenue'], by: 'country', ...component } } }],
  });
const report = (over: object): string[] =>
  told('schemas/reports/test.json', {
    $schema: '../meta/report.json',
    title: 'Test',
    about: 'A test.',
    group: 'Subscriptions',
    of: 'subscription',
    columns: ['id'],
    sort: { field: 'createdAtEpoch', order: 'DESC' },
    ...over,
  });

describe('the check of analytics', () => {
  it('finds nothing wrong with right ones', () => expect([metric({}), page({}), report({})]).toEqual([[], [], []]));
  it.each([
    [{ numerator: [{ fact: 'ordr' }] }, '8 There is no fact "ordr" in src/domain/analytics/facts.ts. (order)'],
    [{ numerator: [{ fact: 'order', sum: 'revenu' }] }, '9 The fact "order" has no measure "revenu". (revenue)'],
    [{ numerator: [{ fact: 'order', when: { state: 'PAID' } }] }, 'The fact "order" has no "state" to ask for.'],
    [{ format: 'percent' }, '5 A metric in percent is a part of something: say of what in "denominator".'],
    [{ numerator: [{ fact: 'order', sum: 'revenue' }] }, '5 What is summed up is an amount, so its format is "money".'],
    [{ better: 'more' }, 'better'],
  ])('metric %j', (over, wanted) => expect(metric(over).join('\n')).toContain(wanted));
  it.each([
    [{ metrics: ['revenu'] }, 'There is no metric "revenu" in schemas/metrics. (revenue)'],
    [{ by: 'reason' }, 'Not all facts of these metrics can be split by "reason".'],
    [{ type: 'line', by: undefined, metrics: ['mrr'] }, '"mrr" is a figure of now and has no past.'],
    [{ by: undefined }, 'A component of the type "table" says in "by" what it is split by.'],
    [{ type: 'cohort', by: undefined }, 'Say in "columns" whether a cohort counts months or orders.'],
  ])('page %j', (over, wanted) => expect(page(over).join('\n')).toContain(wanted));
  it.each([
    [{ columns: ['idd'] }, '"subscription" has no field "idd". (id)'],
    [{ filters: ['note'] }, '"subscription" can\'t be narrowed by "note"'],
    [{ sort: { field: 'note', order: 'ASC' } }, '"subscription" can\'t be sorted by "note".'],
    [{ of: 'subscriptions' }, 'There is no entity "subscriptions" in schemas/entities. (subscription)'],
  ])('report %j', (over, wanted) => expect(report(over).join('\n')).toContain(wanted));
});
