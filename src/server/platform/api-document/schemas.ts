// Schemas of the definitions as those of an OpenAPI 3.1 document (JSON Schema 2020-12), and examples of them.
import type { JsonObject, JsonValue, Schema } from '../../../contract/types.ts';

/** What only the product reads of a schema, besides its own keywords (x-ui and the like). */
const OF_THE_PRODUCT = new Set(['$id', 'definitions', 'formatMinimum', 'formatMaximum']);
const isOwn = (keyword: string): boolean => keyword.startsWith('x-') || OF_THE_PRODUCT.has(keyword);

/** Formats that are ours, in words. */
const FORMATS: Record<string, string> = {
  money: 'An amount as a decimal number in a text: "24.00".',
  epoch: 'Seconds since 1970.',
  timezone: 'A time zone: "Europe/Berlin".',
};

export interface Plain {
  /** As in an answer: nothing but `key` is promised of a record, because areas that a token lacks are left out. */
  answer?: string;
}

/** The schema as programs read it. */
export function plainSchema(schema: Schema, how: Plain = {}): JsonObject {
  const plain: Record<string, unknown> = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !isOwn(keyword)));
  const inner = (one: Schema): JsonObject => plainSchema(one, how.answer === undefined ? {} : { answer: '' });
  if (how.answer !== undefined) {
    delete plain.required;
    delete plain.additionalProperties;
    delete plain.readOnly;
    delete plain.default;
    if (how.answer !== '' && schema.properties?.[how.answer]) plain.required = [how.answer];
  }
  // What a condition hides is not asked for.
  else if (schema.required) {
    const always = schema.required.filter(name => schema.properties?.[name]?.['x-ui']?.when === undefined);
    if (always.length) plain.required = always;
    else delete plain.required;
  }
  const words = [schema.description, FORMATS[schema.format ?? '']].filter(Boolean).join(' ');
  if (words) plain.description = words;
  if (schema.oneOf?.every(({ const: value }) => value !== undefined)) {
    delete plain.oneOf;
    plain.enum = schema.oneOf.map(one => one.const as JsonValue);
    const choices = schema.oneOf.map(one => `- \`${String(one.const)}\`: ${one.title ?? ''}`).join('\n');
    plain.description = [words, choices].filter(Boolean).join('\n\n');
    if (!schema.type && schema.oneOf.every(one => typeof one.const === 'string')) plain.type = 'string';
  } else if (schema.oneOf) plain.oneOf = schema.oneOf.map(inner);
  if (schema.anyOf) plain.anyOf = schema.anyOf.map(inner);
  if (schema.items) plain.items = inner(schema.items);
  if (schema.properties)
    plain.properties = Object.fromEntries(
      Object.entries(schema.properties)
        .filter(([, field]) => how.answer === undefined || !field.writeOnly)
        .map(([name, field]) => [name, inner(field)]),
    );
  if (typeof schema.additionalProperties === 'object' && how.answer === undefined)
    plain.additionalProperties = inner(schema.additionalProperties);
  return plain as JsonObject;
}

const SAMPLES: Record<string, JsonValue> = {
  email: 'anna@example.com',
  domain: 'example.com',
  uri: 'https://example.com/path',
  date: '2027-01-15',
  time: '09:00',
  'date-time': '2027-01-15T09:00:00.000Z',
  money: '24.00',
  timezone: 'Europe/Berlin',
  color: '#2f6f4f',
  html: '<p>Text</p>',
  epoch: 1_799_999_999,
  'merchant-token': '0123456789abcdef0123456789abcdef',
};

const typeOf = (schema: Schema): string | undefined => [schema.type].flat().find(type => type !== 'null');

/** A value that fits a schema; of objects what must be there and, in answers, everything. */
export function exampleOf(schema: Schema, how: { whole: boolean; name?: string } = { whole: false }): JsonValue {
  const given = schema.examples?.[0] ?? schema.const ?? schema.default;
  if (given !== undefined && given !== null && !(Array.isArray(given) && given.length === 0)) return given as JsonValue;
  if (schema.oneOf?.[0])
    return schema.oneOf[0].const === undefined ? exampleOf(schema.oneOf[0], how) : (schema.oneOf[0].const as JsonValue);
  if (schema.enum?.length) return schema.enum[0] as JsonValue;
  if (schema.anyOf?.[0]) return exampleOf(schema.anyOf.find(one => typeOf(one)) ?? schema.anyOf[0], how);
  if (schema.format && SAMPLES[schema.format] !== undefined) return bounded(schema, SAMPLES[schema.format] as JsonValue);
  switch (typeOf(schema)) {
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 1, (schema.exclusiveMinimum ?? -1) + 1, Math.min(schema.maximum ?? 1, 1));
    case 'array':
      return schema.items && schema.maxItems !== 0 ? [exampleOf(schema.items, how)] : [];
    case 'object':
      return exampleObject(schema, how.whole);
    case 'string':
      return textExample(schema, how.name);
    default:
      return null;
  }
}

const bounded = (schema: Schema, sample: JsonValue): JsonValue =>
  typeof sample !== 'number' ? sample : Math.min(Math.max(sample, schema.minimum ?? sample), schema.maximum ?? sample);

/** Texts of forms that schemas ask for by a pattern; the first that fits is shown. */
const PATTERNED = ['US', 'USD', 'CA', 'PAYMENT_FAILED', '4242 4242 4242 4242', '123', '04/29', 'en', 'name', '0123456789abcdef'];

function textExample(schema: Schema, name = 'text'): string {
  const own = (schema['x-ui']?.placeholder ?? schema.title ?? name).slice(0, schema.maxLength ?? 60).padEnd(schema.minLength ?? 0, '0');
  const pattern = schema.pattern === undefined ? undefined : new RegExp(schema.pattern, 'u');
  return pattern && !pattern.test(own)
    ? (PATTERNED.find(text => pattern.test(text) && text.length >= (schema.minLength ?? 0)) ?? own)
    : own;
}

function exampleObject(schema: Schema, whole: boolean): JsonObject {
  const names = Object.keys(schema.properties ?? {}).filter(name => whole || schema.required?.includes(name));
  const made = Object.fromEntries(
    names.flatMap(name => {
      const field = schema.properties?.[name] as Schema;
      return (whole ? field.writeOnly : field.readOnly) ? [] : [[name, exampleOf(field, { whole, name })]];
    }),
  );
  if (!whole && names.length < (schema.minProperties ?? 0)) {
    const [first] = Object.keys(schema.properties ?? {});
    if (first) made[first] = exampleOf(schema.properties?.[first] as Schema, { whole, name: first });
  }
  return made as JsonObject;
}
