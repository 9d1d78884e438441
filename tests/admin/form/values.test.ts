// Values: numbers as typed, places, what differs, how two people's changes come together.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { changesBetween, countChanges, merge } from '../../../src/admin/form/engine/changes.ts';
import { numberOf, plainOf, stepFrom } from '../../../src/admin/form/fields/numbers.ts';
import { search } from '../../../src/admin/form/fields/options.ts';
import { pathOf, pointerOf, same, valueAt, withValueAt } from '../../../src/admin/form/engine/path.ts';
import type { JsonObject, JsonValue, Schema } from '../../../src/contract/types.ts';

describe('numbers', () => {
  test('D098 D099 a numeric field takes nothing from an empty text, or from one that is no number', () => {
    expect(['', '  ', 'abc', '1a', 'Infinity', '-'].map(text => numberOf(text, {}))).toEqual(Array(6).fill(undefined));
  });
  test('D100 a negative number loses its minus, unless the schema goes below 0', () => {
    expect(['-5', '−2.5', '-0', '3'].map(text => numberOf(text, { minimum: 0 }))).toEqual([5, 2.5, 0, 3]);
    expect([numberOf('-5', {}), numberOf('-5', { minimum: -100 }), numberOf('-5', { exclusiveMinimum: -100 })]).toEqual([5, -5, -5]);
    expect([plainOf('-5.50', { formatMinimum: '0' }), plainOf('-5.50', { formatMinimum: '-10' })]).toEqual(['5.50', '-5.50']);
  });
  test('steps stay inside the limits and on the grid', () => {
    const schema: Schema = { type: 'number', minimum: 0, maximum: 1, multipleOf: 0.1 };
    expect(stepFrom(0.2, 1, schema)).toBe(0.3);
    expect(stepFrom(1, 1, schema)).toBe(1);
    expect(stepFrom(undefined, 1, { minimum: 4 })).toBe(4);
    expect(stepFrom(undefined, -1, {})).toBe(0);
  });
});

describe('places', () => {
  const json = fc.letrec<{ value: JsonValue }>(tie => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.string(),
      fc.integer(),
      fc.boolean(),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(
        fc.string({ minLength: 1 }).filter(name => name !== '__proto__' && !/^\d+$/.test(name)),
        tie('value'),
        { maxKeys: 3 },
      ),
    ) as fc.Arbitrary<JsonValue>,
  })).value;
  const path = fc.array(
    fc.oneof(
      fc.string({ minLength: 1 }).filter(step => step !== '__proto__' && !/^\d+$/.test(step)),
      fc.nat({ max: 3 }),
    ),
    { minLength: 1, maxLength: 4 },
  );
  test('a pointer leads back to its path', () => {
    fc.assert(
      fc.property(path, steps => {
        expect(pathOf(pointerOf(steps))).toEqual(steps);
      }),
    );
  });
  test('what is put at a path is found there, and the original is not touched', () => {
    fc.assert(
      fc.property(json, path, fc.string({ minLength: 1 }), (root, steps, value) => {
        fc.pre(typeof steps[0] === 'string');
        const before = JSON.stringify(root);
        const object = (typeof root === 'object' && root !== null && !Array.isArray(root) ? root : {}) as JsonObject;
        const next = withValueAt(object, steps, value);
        const numbersIntoObjects = steps.some(
          (step, i) =>
            typeof step === 'number' &&
            valueAt(object, steps.slice(0, i)) !== undefined &&
            !Array.isArray(valueAt(object, steps.slice(0, i))),
        );
        if (!numbersIntoObjects) expect(valueAt(next, steps)).toBe(value);
        expect(JSON.stringify(root)).toBe(before);
      }),
    );
  });
  test('the same JSON is the same, in any order of members', () => {
    fc.assert(
      fc.property(json, value => {
        expect(same(value, structuredClone(value))).toBe(true);
      }),
    );
  });
  test('nothing comes in four writings', () => {
    for (const one of [undefined, null, '', []] as (JsonValue | undefined)[]) expect(same(one, undefined)).toBe(true);
    expect(same(0, undefined)).toBe(false);
    expect(same(false, null)).toBe(false);
  });
});

const schema: Schema = {
  type: 'object',
  properties: {
    a: { type: 'string', title: 'A' },
    b: { type: 'integer', title: 'B' },
    list: { type: 'array', title: 'List', items: { type: 'integer' } },
    inner: { type: 'object', title: 'Inner', properties: { c: { type: 'string', title: 'C' }, d: { type: 'string', title: 'D' } } },
    seen: { type: 'string', readOnly: true },
  },
};
const record = fc.record({
  a: fc.constantFrom('x', 'y', 'z'),
  b: fc.constantFrom(1, 2),
  list: fc.array(fc.integer({ min: 0, max: 2 }), { maxLength: 2 }),
  inner: fc.record({ c: fc.constantFrom('p', 'q', 'r'), d: fc.constantFrom('p', 'q') }),
}) as fc.Arbitrary<JsonObject>;

describe('changes', () => {
  test('are listed by field with its title, objects are looked into, arrays are one field, what is read-only does not count', () => {
    const from = { a: 'x', list: [1], inner: { c: 'p' }, seen: 'old' };
    const to = { a: 'x', list: [1, 2], inner: { c: 'q' }, seen: 'new' };
    expect(changesBetween(schema, from, to).map(({ pointer, title }) => [pointer, title])).toEqual([
      ['/list', 'List'],
      ['/inner/c', 'Inner › C'],
    ]);
  });
  test('no change is lost in a merge: mine are kept, theirs are taken, both are conflicts', () => {
    fc.assert(
      fc.property(record, record, record, (base, mine, theirs) => {
        const { merged, conflicts } = merge(schema, base, mine, theirs);
        for (const change of changesBetween(schema, base, mine)) expect(same(valueAt(merged, change.path), change.to)).toBe(true);
        for (const change of changesBetween(schema, base, theirs)) {
          const isMineToo = changesBetween(schema, base, mine).some(one => one.pointer === change.pointer);
          if (!isMineToo) expect(same(valueAt(merged, change.path), change.to)).toBe(true);
          else if (!same(valueAt(mine, change.path), change.to)) expect(conflicts.map(one => one.pointer)).toContain(change.pointer);
        }
        expect(countChanges(schema, merged, merged)).toBe(0);
      }),
    );
  });
  test('two who changed the same to the same do not disagree', () => {
    expect(merge(schema, { a: 'x' }, { a: 'y' }, { a: 'y' }).conflicts).toEqual([]);
  });
});

test('a search finds all of its words, without accents, and those that begin with it first', () => {
  const choices = ['Côte d’Ivoire', 'Germany', 'New Zealand', 'French Germany'].map(title => ({ key: title, value: title, title }));
  expect(search(choices, 'cote').map(one => one.title)).toEqual(['Côte d’Ivoire']);
  expect(search(choices, 'germ').map(one => one.title)).toEqual(['Germany', 'French Germany']);
  expect(search(choices, 'land new').map(one => one.title)).toEqual(['New Zealand']);
});
