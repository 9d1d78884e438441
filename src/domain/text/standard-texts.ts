/** Standard texts of records: what a widget says until the merchant writes something else. Schemas have them in English. */
import type { JsonValue, Schema } from '../../contract/types.ts';

type Words = Readonly<Record<string, string>>;
const isText = (schema: Schema, text: JsonValue | undefined): text is string =>
  schema['x-ui']?.translatable === true && typeof text === 'string' && text !== '';

/** The English standard texts of a schema, those of nested objects too. */
export const standardTexts = (schema: Schema): string[] => [
  ...(isText(schema, schema.default) ? [schema.default] : []),
  ...Object.values(schema.properties ?? {}).flatMap(standardTexts),
];

const having = new WeakMap<Schema, boolean>();
/** Whether a schema has standard texts. */
export function hasStandards(schema: Schema): boolean {
  let has = having.get(schema);
  if (has === undefined) having.set(schema, (has = standardTexts(schema).length > 0));
  return has;
}

const made = new WeakMap<Words, WeakMap<Schema, Schema>>();
/** The schema with its standard texts in other words, which are kept: give the same object. The same schema where there are none. */
export function withStandards(schema: Schema, words: Words): Schema {
  let known = made.get(words);
  if (!known) made.set(words, (known = new WeakMap()));
  let found = known.get(schema);
  if (!found) known.set(schema, (found = translated(schema, words)));
  return found;
}

function translated(schema: Schema, words: Words): Schema {
  const own = isText(schema, schema.default) ? words[schema.default] : undefined;
  const properties = Object.entries(schema.properties ?? {}).map(([name, field]) => [name, translated(field, words)] as const);
  const isOther = properties.some(([name, field]) => field !== schema.properties?.[name]);
  if (own === undefined && !isOther) return schema;
  return { ...schema, ...(own === undefined ? {} : { default: own }), ...(isOther ? { properties: Object.fromEntries(properties) } : {}) };
}
