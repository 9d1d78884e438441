// Values for a schema, for tests that try calls with everything: right ones, ones at the edge, and wrong ones.
import * as fc from 'fast-check';
import type { ConditionKind } from '../../src/contract/conditions.ts';
import { optionsOf } from '../../src/contract/paths.ts';
import { inputSchema } from '../../src/contract/request.ts';
import type { Call, JsonObject, JsonValue, Schema } from '../../src/contract/types.ts';

/** Ids that exist, by the name of what they belong to ("subscription") or of the parameter ("lineId"); "" for any other. */
export type Pool = Record<string, readonly number[]>;

const NASTY: readonly JsonValue[] = [
  null,
  '',
  ' ',
  0,
  -1,
  1.5,
  1e308,
  9_007_199_254_740_991,
  2_147_483_648,
  true,
  false,
  [],
  {},
  [[]],
  '0',
  '-0',
  'null',
  'undefined',
  'NaN',
  "'; drop table stores; --",
  '" or 1=1',
  '%',
  '_',
  '\\',
  '%%%%',
  '${7*7}',
  '{{x}}',
  '../../etc/passwd',
  '<script>alert(1)</script>',
  '\u202e',
  'é'.repeat(300),
  '😀',
  'x'.repeat(5000),
  '\n\r\t',
  '2026-02-30',
  '9999-12-31T23:59:59Z',
  '-1.005',
  '1e5',
  '99999999999999.99',
  { $ne: null },
  { length: 1e9 },
  ['a', 1, null],
];

const types = (schema: Schema): string[] => [schema.type ?? []].flat();
const known = (pool: Pool, schema: Schema, name: string): readonly number[] =>
  pool[schema['x-ui']?.of ?? ''] ?? pool[name] ?? (/(^|[a-z])Ids?$|^ids?$|_id$/i.test(name) ? (pool[''] ?? []) : []);

/** Sets of up to three conditions with values that fit. */
function conditionSet(catalogue: Record<string, ConditionKind>, pool: Pool): fc.Arbitrary<JsonValue> {
  const row = fc.constantFrom(...Object.values(catalogue)).chain(kind =>
    fc.constantFrom(...kind.operators).chain(({ name, takes }) => {
      const one = valid({ ...kind.value, ...(kind.value.format === 'money' ? { formatMinimum: '0' } : {}) }, pool, kind.fact);
      const value: fc.Arbitrary<JsonValue> =
        takes === 'one' ? one : takes === 'several' ? fc.array(one, { minLength: 1, maxLength: 3 }) : one.map(given => [given, given]);
      return value.map((given): JsonValue => ({ conditionKey: kind.key, operator: name, value: given }));
    }),
  );
  return fc.record({ match: fc.constantFrom('ALL', 'ANY'), rows: fc.array(row, { maxLength: 3 }) }) as fc.Arbitrary<JsonValue>;
}

/** Valid values of a schema, as often as not at its edges. */
export function valid(schema: Schema, pool: Pool = {}, name = ''): fc.Arbitrary<JsonValue> {
  if (schema['x-catalogue']) return conditionSet(schema['x-catalogue'], pool);
  const options = optionsOf(schema.items ? undefined : schema).map(option => option.value);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (options.length) return fc.constantFrom(...options);
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(branch => valid({ ...branch }, pool, name)));
  if (schema.oneOf) return fc.oneof(...schema.oneOf.map(branch => valid({ ...branch }, pool, name)));
  const all = types(schema);
  const [type = schema.properties ? 'object' : schema.items ? 'array' : 'string'] = all.filter(one => one !== 'null');
  const value = ofType(type, schema, pool, name);
  return all.includes('null') ? fc.oneof({ weight: 4, arbitrary: value }, { weight: 1, arbitrary: fc.constant(null) }) : value;
}

function ofType(type: string, schema: Schema, pool: Pool, name: string): fc.Arbitrary<JsonValue> {
  switch (type) {
    case 'boolean':
      return fc.boolean();
    case 'integer':
    case 'number': {
      const min =
        schema.minimum ?? (schema.exclusiveMinimum !== undefined ? schema.exclusiveMinimum + 1 : schema.format === 'epoch' ? 0 : -1000);
      const max =
        schema.maximum ??
        (schema.exclusiveMaximum !== undefined
          ? schema.exclusiveMaximum - 1
          : schema.format === 'epoch'
            ? 4_102_444_800
            : Math.max(min, 1_000_000));
      const ids = known(pool, schema, name);
      const plain = fc.oneof(
        fc.integer({ min: Math.ceil(min), max: Math.floor(Math.min(max, 9_007_199_254_740_991)) }),
        fc.constantFrom(min, Math.min(max, 9_007_199_254_740_991)),
      );
      return ids.length ? fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...ids) }, { weight: 1, arbitrary: plain }) : plain;
    }
    case 'array': {
      const items = schema.items ? valid(schema.items, pool, name.replace(/s$/, '')) : fc.constant<JsonValue>('x');
      const size = { minLength: schema.minItems ?? 0, maxLength: Math.min(schema.maxItems ?? 4, Math.max(schema.minItems ?? 0, 4)) };
      return schema.uniqueItems ? fc.uniqueArray(items, { ...size, selector: value => JSON.stringify(value) }) : fc.array(items, size);
    }
    case 'object': {
      const properties = Object.entries(schema.properties ?? {}).filter(([, field]) => !field.readOnly);
      const required = new Set(schema.required);
      const members = Object.fromEntries(properties.map(([key, field]) => [key, valid(field, pool, key)]));
      return fc.record(members, {
        requiredKeys: properties.map(([key]) => key).filter(key => required.has(key)),
      }) as fc.Arbitrary<JsonValue>;
    }
    default:
      return text(schema);
  }
}

const texts = new Map<string, fc.Arbitrary<JsonValue>>();
/** Making one takes as long as dozens of its values, and fields are alike. */
function text(schema: Schema): fc.Arbitrary<JsonValue> {
  const { format, pattern, minLength, maxLength } = schema;
  const key = JSON.stringify([format, pattern, minLength, maxLength]);
  let found = texts.get(key);
  if (!found) texts.set(key, (found = newText(schema)));
  return found;
}

function newText(schema: Schema): fc.Arbitrary<JsonValue> {
  switch (schema.format) {
    case 'email':
      return fc.constantFrom('ann@example.com', 'b.c+d@sub.example.co');
    case 'uri':
      return fc.constantFrom('https://example.com/a?b=c', 'http://localhost');
    case 'date':
      return fc.constantFrom('2026-02-28', '2024-02-29', '1970-01-01', '9999-12-31');
    case 'date-time':
      return fc.constantFrom('2026-02-28T10:00:00Z', '2024-02-29T23:59:59+14:00');
    case 'time':
      return fc.constantFrom('00:00', '23:59');
    case 'money':
      return fc.constantFrom('0', '0.00', '12.50', '9999999.99', '0.01');
    case 'timezone':
      return fc.constantFrom('UTC', 'Europe/Berlin');
    case 'color':
      return fc.constantFrom('#fff', '#a1b2c3');
    case 'domain':
      return fc.constantFrom('example.com');
    case 'merchant-token':
      return fc.constant('0123456789abcdef0123456789abcdef');
    default:
      break;
  }
  if (schema.pattern && !/\(\?[=!]/.test(schema.pattern))
    return fc.stringMatching(new RegExp(schema.pattern.slice(0, 300))).map(value => value.slice(0, schema.maxLength ?? 200));
  const min = schema.minLength ?? 0;
  const max = Math.min(schema.maxLength ?? 60, 200);
  return fc
    .oneof(
      fc.string({ minLength: min, maxLength: Math.max(min, max), unit: 'grapheme' }),
      fc.string({ minLength: min, maxLength: Math.max(min, Math.min(max, 12)) }),
      fc.constant('a'.repeat(Math.max(min, Math.min(schema.maxLength ?? 10, 5000)))),
    )
    .filter(value => value.length <= (schema.maxLength ?? 10_000) && !/\p{Cs}|\0/u.test(value));
}

/** An input that the call's schema takes. */
export const validInput = (call: Call, pool: Pool = {}): fc.Arbitrary<JsonObject> =>
  valid(inputSchema(call), pool) as fc.Arbitrary<JsonObject>;

/** Inputs of a call: half of them right, the others with something replaced, left out, or added. Path parameters are always there. */
export function anyInput(call: Call, pool: Pool = {}): fc.Arbitrary<JsonObject> {
  const nasty = fc.constantFrom(...NASTY);
  const inPath = new Set([...call.path.matchAll(/\{(\w+)\}/g)].map(match => match[1]));
  const names = Object.keys(inputSchema(call).properties ?? {});
  const change = fc.record({
    name: names.length ? fc.constantFrom(...names, 'unknownMember', 'store_id', 'version') : fc.constantFrom('unknownMember', 'store_id'),
    value: nasty,
    how: fc.constantFrom('replace', 'drop', 'wrap'),
  });
  return fc
    .tuple(
      validInput(call, pool),
      fc.oneof({ weight: 1, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.array(change, { minLength: 1, maxLength: 3 }) }),
    )
    .map(([input, changes]) => {
      const result: JsonObject = { ...input };
      for (const { name, value, how } of changes) {
        if (inPath.has(name)) {
          if (value !== null && value !== '' && typeof value !== 'object') result[name] = value;
          continue;
        }
        if (how === 'drop') delete result[name];
        else result[name] = how === 'wrap' ? [value, { [name]: value }] : value;
      }
      for (const name of inPath) if (name && (result[name] === undefined || result[name] === null || result[name] === '')) result[name] = 1;
      return result;
    });
}
