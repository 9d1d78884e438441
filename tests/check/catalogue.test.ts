// Mistakes in the catalogue of conditions: told with line, and what was perhaps meant.
import { describe, expect, it } from 'vitest';
import { check } from '../../src/check/index.ts';
import { readDefinitionFiles } from '../../src/server/platform/definitions.ts';

const files = readDefinitionFiles();
const told = (over: object): string[] => {
  const file = {
    $schema: '../meta/conditions.json',
    title: 'Own',
    conditions: {
      SUPPLIER: { title: 'Supplier', kind: 'choice', fact: 'attribute:supplier', in: ['list'], value: { type: 'string' }, ...over },
    },
  };
  return check({ ...files, 'schemas/conditions/own.json': JSON.stringify(file, null, 2) })
    .filter(problem => problem.file === 'schemas/conditions/own.json')
    .map(({ line, message, suggestion }) => `${line} ${message}${suggestion ? ` (${suggestion})` : ''}`);
};

describe('the check of conditions', () => {
  it('finds nothing wrong with a right one', () => expect(told({})).toEqual([]));
  it.each([
    [{ kind: 'choise' }, '7 There is no kind "choise" in schemas/conditions/_kinds.json. (choice)'],
    [
      { fact: 'contryCode' },
      '8 There is no fact "contryCode" in src/domain/conditions/facts.ts; an attribute of the subscription is "attribute:its key". (countryCode)',
    ],
    [{ fact: 'tags' }, '8 A condition of the kind "choice" compares text; "tags" holds texts.'],
    [{ operators: ['NOT_INN'] }, '16 The kind "choice" has no operator "NOT_INN". (NOT_IN)'],
    [{ events: ['order_place'] }, '16 There is no event "order_place" in schemas/events. (order_placed)'],
    [{ value: { type: 'integer' } }, '12 One value of the kind "choice" is of the type string.'],
  ])('%j', (over, wanted) => expect(told(over)).toEqual([wanted]));
  it('tells a place that is none, and a key that is taken', () => {
    expect(told({ in: ['lists'] })[0]).toMatch(/^10 .*list/);
    const twice = check({ ...files, 'schemas/conditions/own.json': files['schemas/conditions/product.json'] ?? '' });
    expect(twice.map(problem => problem.message)).toContain('The condition "PRODUCT" stands in schemas/conditions/product.json already.');
  });
});
