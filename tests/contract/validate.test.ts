// The sentence for every keyword, at the right field.
import { describe, expect, test } from 'vitest';
import { compileValidator } from '../../src/contract/validation/compile.ts';
import { withDefaults } from '../../src/contract/validation/defaults.ts';
import { formats } from '../../src/contract/validation/formats.ts';
import { schemaAt } from '../../src/contract/paths.ts';
import type { FieldError, JsonValue, Schema } from '../../src/contract/types.ts';
import { validate } from '../../src/contract/validation/validate.ts';

const wrong = (schema: Schema, data: unknown): FieldError[] => validate(schema, compileValidator(schema), data);
/** What is said about one field with this schema and value. */
const said = (field: Schema, value: JsonValue | undefined, required = false): FieldError[] =>
  wrong(
    { type: 'object', properties: { field }, ...(required ? { required: ['field'] } : {}) },
    value === undefined ? {} : { field: value },
  );

const roast: Schema = {
  title: 'Roast',
  type: 'string',
  oneOf: [
    { const: 'LIGHT', title: 'Light' },
    { const: 'DARK', title: 'Dark' },
  ],
};

describe('each keyword has its sentence', () => {
  test.each<[string, Schema, JsonValue | undefined, string, string]>([
    ['required', { title: 'Name', type: 'string' }, undefined, 'required', 'Enter a value for “Name”.'],
    ['required, of options', roast, undefined, 'required', 'Choose an option for “Roast”.'],
    ['required, of yes or no', { title: 'Decaf', type: 'boolean' }, undefined, 'required', 'Choose an option for “Decaf”.'],
    ['required, of a list', { title: 'Lots', type: 'array' }, undefined, 'required', 'Add at least one entry to “Lots”.'],
    ['required, of an object', { title: 'Address', type: 'object' }, undefined, 'required', 'Fill in “Address”.'],
    ['required, without a title', { type: 'string' }, undefined, 'required', 'Enter a value for “Field”.'],
    ['type text', { title: 'Name', type: 'string' }, 3, 'type', 'Name must be text.'],
    ['type whole number', { title: 'Stock', type: 'integer' }, 'many', 'type', 'Stock must be a whole number.'],
    ['type whole number, with decimals', { title: 'Stock', type: 'integer' }, 2.5, 'type', 'Stock must be a whole number.'],
    ['type number', { title: 'Weight', type: ['number', 'null'] }, 'much', 'type', 'Weight must be a number.'],
    ['type yes or no', { title: 'Decaf', type: 'boolean' }, 'x', 'type', 'Decaf must be yes or no.'],
    ['type list', { title: 'Lots', type: 'array' }, 'x', 'type', 'Lots must be a list.'],
    ['type of nothing', { title: 'Name', type: 'string' }, null, 'type', 'Enter a value for “Name”.'],
    ['minLength of an empty text', { title: 'Name', type: 'string', minLength: 2 }, '', 'minLength', 'Enter a value for “Name”.'],
    ['minLength', { title: 'Name', type: 'string', minLength: 3 }, 'ab', 'minLength', 'Name needs at least 3 characters.'],
    [
      'maxLength, counted as people count',
      { title: 'Name', type: 'string', maxLength: 1 },
      '😀😀',
      'maxLength',
      'Name can have at most 1 character; this has 2.',
    ],
    [
      'pattern',
      { title: 'Code', type: 'string', pattern: '^[A-Z]{2}$', examples: ['DE'] },
      'x',
      'pattern',
      "Code doesn't have the right form, for example DE.",
    ],
    ['minimum', { title: 'Stock', type: 'integer', minimum: 1, 'x-ui': { unit: 'bags' } }, 0, 'minimum', 'Stock must be 1 bags or more.'],
    ['maximum', { title: 'Off', type: 'number', maximum: 100, 'x-ui': { unit: '%' } }, 101, 'maximum', 'Off must be 100% or less.'],
    [
      'minimum and maximum',
      { title: 'Retries', type: 'integer', minimum: 0, maximum: 16 },
      17,
      'maximum',
      'Retries must be between 0 and 16.',
    ],
    ['exclusiveMinimum', { title: 'Weight', type: 'number', exclusiveMinimum: 0 }, 0, 'exclusiveMinimum', 'Weight must be more than 0.'],
    ['exclusiveMaximum', { title: 'Share', type: 'number', exclusiveMaximum: 1 }, 1, 'exclusiveMaximum', 'Share must be less than 1.'],
    [
      'multipleOf decimals',
      { title: 'Share', type: 'number', multipleOf: 0.01 },
      0.125,
      'multipleOf',
      'Share can have at most 2 digits after the point.',
    ],
    ['multipleOf 1', { title: 'Days', type: 'number', multipleOf: 1 }, 1.5, 'multipleOf', 'Days must be a whole number.'],
    [
      'multipleOf',
      { title: 'Weight', type: 'integer', multipleOf: 100, 'x-ui': { unit: 'g' } },
      150,
      'multipleOf',
      'Weight must be a multiple of 100 g.',
    ],
    ['oneOf', roast, 'BURNT', 'enum', 'Choose Light or Dark for “Roast”.'],
    ['enum of many', { title: 'Day', type: 'integer', enum: [1, 2, 3, 4, 5, 6, 7, 8] }, 9, 'enum', 'Choose one of the options for “Day”.'],
    ['const', { title: 'Agreed', const: true }, false, 'const', 'Agreed must be true.'],
    ['minItems', { title: 'Lots', type: 'array', minItems: 2 }, [1], 'minItems', 'Add at least 2 entries to “Lots”.'],
    [
      'minItems of options',
      { title: 'Roasts', type: 'array', minItems: 1, items: roast },
      [],
      'minItems',
      'Choose at least one for “Roasts”.',
    ],
    ['maxItems', { title: 'Lots', type: 'array', maxItems: 1 }, [1, 2], 'maxItems', 'Lots can have at most 1 entry; this has 2.'],
    [
      'uniqueItems',
      { title: 'Tags', type: 'array', uniqueItems: true },
      ['a', 'b', 'a'],
      'uniqueItems',
      'Tags holds the same entry twice (number 1 and number 3).',
    ],
    ['minProperties', { title: 'Texts', type: 'object', minProperties: 1 }, {}, 'minProperties', 'Texts needs at least 1 entry.'],
    [
      'maxProperties',
      { title: 'Texts', type: 'object', maxProperties: 1 },
      { a: 1, b: 2 },
      'maxProperties',
      'Texts can have at most 1 entry.',
    ],
    [
      'formatMinimum of money',
      { title: 'Price', type: 'string', format: 'money', formatMinimum: '0.50' },
      '0.4',
      'formatMinimum',
      'Price must be at least 0.50.',
    ],
    [
      'formatMaximum of money',
      { title: 'Price', type: 'string', format: 'money', formatMaximum: '9' },
      '10',
      'formatMaximum',
      'Price must be at most 9.',
    ],
    [
      'formatMinimum of a date',
      { title: 'From', type: 'string', format: 'date', formatMinimum: '2026-01-01' },
      '2025-12-31',
      'formatMinimum',
      'From must be 2026-01-01 or later.',
    ],
    [
      'formatMaximum of a date',
      { title: 'To', type: 'string', format: 'date', formatMaximum: '2026-01-01' },
      '2026-01-02',
      'formatMaximum',
      'To must be 2026-01-01 or earlier.',
    ],
    [
      'anyOf',
      { title: 'Limit', anyOf: [{ type: 'integer', minimum: 1, maximum: 99 }, { type: 'null' }] },
      'x',
      'anyOf',
      'Limit must be a whole number.',
    ],
    [
      'anyOf, in the branch that fits',
      { title: 'Limit', anyOf: [{ type: 'integer', minimum: 1, maximum: 99 }, { type: 'null' }] },
      100,
      'maximum',
      'Limit must be between 1 and 99.',
    ],
  ])('%s', (_name, field, value, rule, message) => {
    expect(said(field, value, true)).toEqual([{ pointer: '/field', rule, message }]);
  });

  test('additionalProperties, at the member that is too many', () => {
    const schema: Schema = { title: 'Coffee', type: 'object', properties: { name: { type: 'string' } }, additionalProperties: false };
    expect(wrong(schema, { name: 'a', nmae: 'b' })).toEqual([
      { pointer: '/nmae', rule: 'additionalProperties', message: '"nmae" is not a field of “Coffee”.' },
    ]);
  });

  test.each<[string, string, string]>([
    ['email', 'someone', 'Enter an e-mail address such as name@example.com.'],
    ['domain', 'https://x', 'Enter a domain such as shop.example.com, without https://.'],
    ['merchant-token', 'abc', 'Enter the token with its 32 characters (digits and the letters a to f).'],
    ['uri', 'shop', 'Enter a link that begins with https://.'],
    ['date', '2026-02-30', 'Enter a date that exists, as year-month-day (2026-03-31).'],
    ['time', '24:00', 'Enter a time of day between 00:00 and 23:59.'],
    ['date-time', '2026-01-01', 'Enter a date and a time.'],
    ['money', '12,50', 'Enter an amount such as 12.50, with a point and without a currency sign.'],
    ['timezone', 'Berlin/Europe', 'Choose a time zone such as Europe/Berlin.'],
    ['color', 'blue', 'Enter a colour such as #1f6feb.'],
    ['html', '<p onclick="x()">', 'Remove scripts and event handlers from the text.'],
  ])('format %s', (format, value, message) => {
    expect(said({ title: 'Field', type: 'string', format }, value)).toEqual([{ pointer: '/field', rule: 'format', message }]);
  });
  test('format epoch', () => {
    expect(said({ title: 'On', type: 'integer', format: 'epoch' }, -1)[0]?.message).toBe('Enter a date.');
  });

  test("a field's own sentence comes first, for options under either name", () => {
    expect(said({ type: 'integer', minimum: 0, 'x-errors': { minimum: 'Choose between 0 and 16 retries.' } }, -1)[0]?.message).toBe(
      'Choose between 0 and 16 retries.',
    );
    expect(said({ ...roast, 'x-errors': { oneOf: 'Choose a roast.' } }, 'x')[0]?.message).toBe('Choose a roast.');
    expect(said({ ...roast, 'x-errors': { required: 'Please select an industry' } }, undefined, true)[0]?.message).toBe(
      'Please select an industry',
    );
  });
});

describe('where it is reported', () => {
  const schema: Schema = {
    type: 'object',
    required: ['b', 'a'],
    properties: {
      a: { type: 'string', minLength: 3, pattern: '^a', format: 'email' },
      b: { type: 'string' },
      lines: {
        title: 'Lines',
        type: 'array',
        items: { type: 'object', required: ['qty'], properties: { qty: { title: 'Quantity', type: 'integer', minimum: 1 } } },
      },
      tags: { title: 'Tags', type: 'array', items: { type: 'string', minLength: 2 } },
      'a/b~c': { type: 'string' },
    },
  };
  test('one sentence per field, the most basic one, in the order of the form', () => {
    expect(wrong(schema, { a: 'b' }).map(error => [error.pointer, error.rule])).toEqual([
      ['/a', 'minLength'],
      ['/b', 'required'],
    ]);
  });
  test('inside lists, with the place of the entry', () => {
    expect(wrong(schema, { a: 'abc@example.com', b: '', lines: [{ qty: 1 }, {}, { qty: 0 }], tags: ['ab', 'c'] })).toEqual([
      { pointer: '/lines/1/qty', rule: 'required', message: 'Enter a value for “Quantity”.' },
      { pointer: '/lines/2/qty', rule: 'minimum', message: 'Quantity must be 1 or more.' },
      { pointer: '/tags/1', rule: 'minLength', message: 'Entry 2 of tags needs at least 2 characters.' },
    ]);
  });
  test('names with slashes and tildes are escaped', () => {
    expect(wrong(schema, { a: 'abc@example.com', b: '', 'a/b~c': 1 })[0]?.pointer).toBe('/a~1b~0c');
  });
  test('at the root', () => {
    expect(wrong({ title: 'Coffee', type: 'object' }, 'x')).toEqual([
      { pointer: '', rule: 'type', message: 'Coffee must be a group of fields.' },
    ]);
  });
  test('the schema of a place is found through lists, maps and alternatives', () => {
    const nested: Schema = {
      type: 'object',
      properties: {
        m: { type: 'object', additionalProperties: { type: 'array', items: { title: 'X', type: 'string' } } },
        n: { anyOf: [{ type: 'null' }, { type: 'object', properties: { y: { title: 'Y' } } }] },
      },
    };
    expect(schemaAt(nested, '/m/any/0')?.title).toBe('X');
    expect(schemaAt(nested, '/n/y')?.title).toBe('Y');
    expect(schemaAt(nested, '/z')).toBeUndefined();
  });
});

describe('formats', () => {
  test.each<[string, string[], string[]]>([
    ['date', ['2024-02-29', '2026-12-31'], ['2023-02-29', '2026-13-01', '2026-00-10', '2026-1-1', '2026-04-31']],
    ['time', ['00:00', '23:59', '12:30:59'], ['24:00', '12:60', '1:00', '12:30:60']],
    [
      'date-time',
      ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.123+02:00'],
      ['2026-01-01T00:00:00', '2026-02-30T00:00:00Z', '2026-01-01 00:00:00Z'],
    ],
    ['money', ['0', '12.50', '-3', '1234567890123.1234'], ['', '12,50', '.5', '1.', '1e3', '12.12345', '+1', '12345678901234']],
    ['uri', ['https://example.com/a?b=c', 'http://x.io'], ['javascript:alert(1)', 'example.com', 'https://', 'https://a b']],
    ['timezone', ['Europe/Berlin', 'UTC', 'America/Argentina/Buenos_Aires'], ['Mars/Base', 'x y', '']],
    ['color', ['#fff', '#1F6FEB', '#1f6feb80'], ['fff', '#ff', '#ggg', 'red']],
    [
      'html',
      ['<p>Hi <a href="https://x.io">there</a></p>', 'on sale = good'],
      ['<script>x</script>', '<img onerror=x>', '<a href="javascript:x">'],
    ],
  ])('%s', (name, good, bad) => {
    const { validate } = formats[name] as { validate: (value: never) => boolean };
    for (const text of good) expect(validate(text as never), text).toBe(true);
    for (const text of bad) expect(validate(text as never), text).toBe(false);
  });
  test('money is compared without rounding', () => {
    const compare = formats.money?.compare as (a: string, b: string) => number;
    expect(compare('0.1', '0.10')).toBe(0);
    expect(compare('9007199254740993', '9007199254740992')).toBeGreaterThan(0);
    expect(compare('-0.01', '0')).toBeLessThan(0);
  });
});

describe('compiling', () => {
  test('a schema with an unknown keyword does not compile', () => {
    expect(() => compileValidator({ type: 'object', propertees: {} } as Schema)).toThrow(/propertees/);
  });
  test('a schema of the same content is compiled once', () => {
    const schema = (): Schema => ({ type: 'string' });
    expect(compileValidator(schema())).toBe(compileValidator(schema()));
  });
});

describe('defaults', () => {
  const schema: Schema = {
    type: 'object',
    properties: {
      a: { type: 'integer', default: 3 },
      b: { type: ['string', 'null'], default: 'x' },
      c: { type: 'object', properties: { d: { type: 'boolean', default: true }, e: { type: 'string' } } },
      f: { type: 'object', properties: { g: { type: 'string' } } },
      list: { type: 'array', items: { type: 'object', properties: { n: { type: 'integer', default: 1 } } } },
      n: { type: ['integer', 'null'], default: null },
      tags: { type: 'array', default: ['t'] },
    },
  };
  test('fill what is absent, also inside objects and lists, and leave the rest', () => {
    expect(withDefaults(schema, { b: null, list: [{}, { n: 2 }] })).toEqual({
      a: 3,
      b: null,
      c: { d: true },
      list: [{ n: 1 }, { n: 2 }],
      n: null,
      tags: ['t'],
    });
    expect(withDefaults(schema)).toEqual({ a: 3, b: 'x', c: { d: true }, n: null, tags: ['t'] });
    expect(withDefaults({ type: 'integer', default: null } as Schema, undefined)).toBeNull();
  });
  test('change neither the data nor the schema', () => {
    const data = { list: [{}] };
    const filled = withDefaults<{ tags: string[] }>(schema, data);
    filled.tags.push('u');
    expect(data).toEqual({ list: [{}] });
    expect(schema.properties?.tags?.default).toEqual(['t']);
  });
});

describe('x-ui.optional', () => {
  const schema: Schema = {
    type: 'object',
    required: ['kind', 'code'],
    properties: {
      kind: { title: 'Kind', type: 'string' },
      code: { title: 'Code', type: 'string', minLength: 2, 'x-ui': { optional: { kind: ['FREE', null] } } },
    },
  };
  const at = (data: unknown): string[] => wrong(schema, data).map(error => error.pointer);
  test('while it holds, a required field may be empty', () => {
    expect(at({ kind: 'FREE' })).toEqual([]);
    expect(at({ kind: 'FREE', code: '' })).toEqual([]);
    expect(at({})).toEqual(['/kind']);
  });
  test('otherwise it may not', () => expect(at({ kind: 'PAID' })).toEqual(['/code']));
  test('what it holds is validated all the same', () => expect(at({ kind: 'FREE', code: 'x' })).toEqual(['/code']));
});
