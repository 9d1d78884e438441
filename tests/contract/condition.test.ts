// Conditions: what holds, what is hidden, and that hidden means not required, not validated, not sent.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileValidator } from '../../src/contract/validation/compile.ts';
import { failing, hiddenPointers, holds, inside, strip } from '../../src/contract/validation/condition.ts';
import { atPointer } from '../../src/contract/paths.ts';
import type { JsonObject, JsonValue, Schema, When } from '../../src/contract/types.ts';
import { validate } from '../../src/contract/validation/validate.ts';

const holdsFor = (when: When, siblings: JsonObject, facts: Record<string, JsonValue> = {}, root: JsonObject = siblings): boolean =>
  holds(when, { siblings, root, facts });

describe('a condition', () => {
  test('holds when every line holds', () => {
    expect(holdsFor({ a: 1, b: ['x', 'y'] }, { a: 1, b: 'y' })).toBe(true);
    expect(holdsFor({ a: 1, b: ['x', 'y'] }, { a: 1, b: 'z' })).toBe(false);
    expect(holds(undefined, {})).toBe(true);
  });
  test('fails for what is absent, unless null is allowed', () => {
    expect(holdsFor({ a: false }, {})).toBe(false);
    expect(holdsFor({ a: [false, null] }, {})).toBe(true);
    expect(holdsFor({ a: null }, { a: null })).toBe(true);
    expect(holdsFor({ a: null }, { a: 0 })).toBe(false);
    expect(holdsFor({ a: { minimum: 0 } }, {})).toBe(false);
    expect(holdsFor({ '@no.fact': true }, {})).toBe(false);
  });
  test('S203 S204 S205 a field is shown for yes and for not yet chosen, and hidden for no', () => {
    const when: When = { alreadyRunningSubscriptions: [1, null] };
    expect(holdsFor(when, { alreadyRunningSubscriptions: 1 })).toBe(true);
    expect(holdsFor(when, {})).toBe(true);
    expect(holdsFor(when, { alreadyRunningSubscriptions: 0 })).toBe(false);
  });
  test('looks at siblings, at what lies inside them, at the root and at facts', () => {
    const root = { shipping: { method: 'PICKUP' }, lines: [{ qty: 2 }] };
    expect(holdsFor({ '/shipping/method': 'PICKUP' }, { qty: 2 }, {}, root)).toBe(true);
    expect(holdsFor({ 'shipping.method': 'PICKUP' }, root)).toBe(true);
    expect(holdsFor({ '/lines/0/qty': 2 }, {}, {}, root)).toBe(true);
    expect(holdsFor({ '@plan.rank': { minimum: 2 } }, {}, { 'plan.rank': 3 })).toBe(true);
  });
  test('of a list is content with one item', () => {
    expect(holdsFor({ methods: 'PICKUP' }, { methods: ['SHIPPING', 'PICKUP'] })).toBe(true);
    expect(holdsFor({ '@plan.features': ['gift_subscription', 'api'] }, {}, { 'plan.features': ['prepaid'] })).toBe(false);
    expect(holdsFor({ methods: { minItems: 2 } }, { methods: ['SHIPPING'] })).toBe(false);
  });
  test.each<[Schema & { contains?: Schema }, JsonValue, boolean]>([
    [{ type: 'integer' }, 3, true],
    [{ type: 'integer' }, 3.5, false],
    [{ type: ['string', 'null'] }, 'a', true],
    [{ const: 'a' }, 'a', true],
    [{ enum: [1, 2] }, 3, false],
    [{ minimum: 2 }, 2, true],
    [{ maximum: 2 }, 3, false],
    [{ exclusiveMinimum: 2 }, 2, false],
    [{ exclusiveMaximum: 2 }, 1, true],
    [{ minimum: 2 }, '12.50', true],
    [{ minimum: 2 }, 'many', false],
    [{ minLength: 2 }, 'a', false],
    [{ maxLength: 2 }, 'ab', true],
    [{ pattern: '^a' }, 'ba', false],
    [{ minItems: 1 }, [], false],
    [{ maxItems: 1 }, ['a'], true],
    [{ contains: { const: 'a' } }, ['b', 'a'], true],
    [{ contains: { const: 'a' } }, ['b'], false],
  ])('tests %j against %j: %s', (schema, value, expected) => {
    expect(holdsFor({ a: schema }, { a: value })).toBe(expected);
  });
  test('that is a list of maps holds when one of them does', () => {
    const when: When = [{ some: 'DELAY' }, { none: 'DELAY', '@plan.rank': { minimum: 2 } }];
    expect(holdsFor(when, { some: 'DELAY', none: 'SKIP' })).toBe(true);
    expect(holdsFor(when, { some: 'SKIP', none: 'DELAY' }, { 'plan.rank': 2 })).toBe(true);
    expect(holdsFor(when, { some: 'SKIP', none: 'DELAY' }, { 'plan.rank': 1 })).toBe(false);
    expect(holdsFor(when, {})).toBe(false);
  });
  test('says which line fails, for the form in development', () => {
    expect(failing({ a: 1, b: ['x', null] }, { siblings: { a: 1, b: 'z' } })).toBe('b is "z", wanted x or absent');
    expect(failing([{ a: 1 }, { b: 2 }], { siblings: { b: 3 } })).toBe('a is absent, wanted 1; and b is 3, wanted 2');
    expect(failing([{ a: 1 }, { b: 2 }], { siblings: { b: 2 } })).toBeUndefined();
    expect(failing({ a: 1 }, { siblings: { a: 1 } })).toBeUndefined();
  });
});

const when = (condition: When, more: Schema = {}): Schema => ({ type: 'string', ...more, 'x-ui': { when: condition } });
const form: Schema = {
  type: 'object',
  required: ['method', 'gate', 'note', 'deep', 'lines'],
  properties: {
    method: { type: 'string' },
    gate: when({ method: 'PICKUP' }),
    note: when({ gate: 'OPEN' }, { minLength: 5 }),
    deep: { type: 'object', required: ['a'], properties: { a: { type: 'string' } }, 'x-ui': { when: { note: { minLength: 1 } } } },
    last: when({ '/deep/a': ['x', null] }),
    premium: when({ '@plan.rank': { minimum: 3 } }),
    lines: {
      type: 'array',
      items: {
        type: 'object',
        required: ['kind', 'text'],
        properties: { kind: { type: 'string' }, text: when({ kind: 'TEXT' }), by: when({ '/method': 'POST' }) },
      },
    },
  },
};

describe('what is hidden', () => {
  test('counts as absent for other conditions, to the end', () => {
    const data = { method: 'POST', gate: 'OPEN', note: 'hello', deep: { a: 'y' }, last: 'z', lines: [] };
    expect([...hiddenPointers(form, data)].sort()).toEqual(['/deep', '/deep/a', '/gate', '/note', '/premium']);
    expect(strip(form, data)).toEqual({ method: 'POST', last: 'z', lines: [] });
    expect([...hiddenPointers(form, { ...data, method: 'PICKUP' })].sort()).toEqual(['/last', '/premium']);
  });
  test('is decided for each item of a list by itself', () => {
    const data = {
      method: 'POST',
      lines: [
        { kind: 'TEXT', text: 'a', by: 'b' },
        { kind: 'IMAGE', text: 'a', by: 'b' },
      ],
    };
    const hidden = hiddenPointers(form, data);
    expect(hidden.has('/lines/0/text')).toBe(false);
    expect(hidden.has('/lines/1/text')).toBe(true);
    expect(strip(form, data).lines).toEqual([
      { kind: 'TEXT', text: 'a', by: 'b' },
      { kind: 'IMAGE', by: 'b' },
    ]);
  });
  test('is shown again by any of several conditions, and hides what depends on it when none holds', () => {
    const either: Schema = {
      type: 'object',
      properties: {
        some: { type: 'string' },
        none: { type: 'string' },
        days: { type: 'integer', 'x-ui': { when: [{ some: 'DELAY' }, { '/none': 'DELAY' }] } },
        then: { type: 'string', 'x-ui': { when: { days: { minimum: 1 } } } },
      },
    };
    const data = { days: 30, then: 'PAUSE' };
    expect(strip(either, { ...data, some: 'DELAY', none: 'SKIP' })).toMatchObject(data);
    expect(strip(either, { ...data, some: 'SKIP', none: 'DELAY' })).toMatchObject(data);
    expect(strip(either, { ...data, some: 'SKIP', none: 'SKIP' })).toEqual({ some: 'SKIP', none: 'SKIP' });
  });
  test('depends on facts', () => {
    expect(hiddenPointers(form, {}, { 'plan.rank': 3 }).has('/premium')).toBe(false);
    expect(hiddenPointers(form, {}, { 'plan.rank': 2 }).has('/premium')).toBe(true);
  });
  test('is neither required nor validated', () => {
    const validator = compileValidator(form);
    expect(validate(form, validator, { method: 'POST', note: 'x', lines: [] })).toEqual([]);
    expect(
      validate(form, validator, { method: 'PICKUP', gate: 'OPEN', note: 'x', lines: [{ kind: 'IMAGE' }, { kind: 'TEXT' }] }).map(
        error => error.pointer,
      ),
    ).toEqual(['/note', '/deep', '/lines/1/text']);
  });
  test('leaves what was typed untouched in the form', () => {
    const data = { method: 'POST', gate: 'OPEN', lines: [] };
    strip(form, data);
    expect(data.gate).toBe('OPEN');
  });
  test('ends for conditions in a circle too', () => {
    const circle: Schema = { type: 'object', properties: { a: when({ b: [null] }), b: when({ c: [null] }), c: when({ a: [null] }) } };
    const data = { a: '1', b: '1', c: '1' };
    const once = strip(circle, data);
    expect(strip(circle, once)).toEqual(once);
  });
});

// Random forms: some fields with conditions on others (also later ones, also in circles), some inside lists and objects.
const names = ['a', 'b', 'c', 'd', 'e'];
const literal = fc.constantFrom<JsonValue>('x', 'y', 1, true, null);
const lines = fc.dictionary(
  fc.constantFrom(...names, '/a', '/b', '@f'),
  fc.oneof(literal, fc.array(literal, { minLength: 1, maxLength: 3 })),
  { minKeys: 1, maxKeys: 2 },
);
const condition = fc.oneof({ weight: 3, arbitrary: lines }, fc.array(lines, { minLength: 2, maxLength: 3 }));
const leaf = fc
  .record({
    type: fc.constantFrom<'string' | 'integer' | 'boolean'>('string', 'integer', 'boolean'),
    'x-ui': fc.option(
      condition.map(one => ({ when: one as When })),
      { nil: undefined },
    ),
  })
  .map(({ type, 'x-ui': ui }): Schema => ({ type, ...(ui ? { 'x-ui': ui } : {}) }));
const objectOf = (inner: fc.Arbitrary<Schema>): fc.Arbitrary<Schema> =>
  fc
    .tuple(fc.dictionary(fc.constantFrom(...names), inner, { minKeys: 1 }), fc.option(condition, { nil: undefined }), fc.subarray(names))
    .map(([properties, ui, wanted]) => ({
      type: 'object',
      properties,
      required: wanted.filter(name => properties[name] !== undefined),
      ...(ui ? { 'x-ui': { when: ui as When } } : {}),
    }));
const nested = objectOf(leaf);
const anyForm = objectOf(
  fc.oneof(
    { weight: 3, arbitrary: leaf },
    nested,
    nested.map((items): Schema => ({ type: 'array', items })),
  ),
);
const value = (schema: Schema): fc.Arbitrary<JsonValue> =>
  schema.type === 'object'
    ? (fc.record(Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, field]) => [name, value(field)])), {
        requiredKeys: [],
      }) as fc.Arbitrary<JsonValue>)
    : schema.type === 'array'
      ? fc.array(value(schema.items as Schema), { maxLength: 3 })
      : literal;
const formAndData = anyForm.chain(schema => fc.tuple(fc.constant(schema), value(schema), fc.record({ f: literal })));

describe('for every form and all data', () => {
  test('nothing hidden is sent', () => {
    fc.assert(
      fc.property(formAndData, ([schema, data, facts]) => {
        const sent = strip(schema, data, facts);
        for (const at of hiddenPointers(schema, data, facts)) expect(atPointer(sent, at)).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });
  test('nothing hidden is required or validated', () => {
    fc.assert(
      fc.property(formAndData, ([schema, data, facts]) => {
        const hidden = hiddenPointers(schema, data, facts);
        for (const error of validate(schema, compileValidator(schema), data, facts)) expect(inside(error.pointer, hidden)).toBe(false);
      }),
      { numRuns: 300 },
    );
  });
  test('what is shown is validated as it would be without conditions', () => {
    fc.assert(
      fc.property(formAndData, ([schema, data, facts]) => {
        const validator = compileValidator(schema);
        const hidden = hiddenPointers(schema, data, facts);
        validator(data);
        const all = new Set(
          (validator.errors ?? []).map(
            error => error.instancePath + (error.keyword === 'required' ? `/${String(error.params.missingProperty)}` : ''),
          ),
        );
        const judged = new Set(validate(schema, validator, data, facts).map(error => error.pointer));
        for (const at of all) expect(judged.has(at)).toBe(!inside(at, hidden));
      }),
      { numRuns: 300 },
    );
  });
  test('stripping twice changes nothing more, and what was given stays as it is', () => {
    fc.assert(
      fc.property(formAndData, ([schema, data, facts]) => {
        const before = structuredClone(data);
        const sent = strip(schema, data, facts);
        expect(strip(schema, sent, facts)).toEqual(sent);
        expect(data).toEqual(before);
      }),
      { numRuns: 500 },
    );
  });
});
