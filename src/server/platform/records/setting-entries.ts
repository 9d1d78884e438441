// A settings document as a list of entries { category, type, key, value, valueType, … }; booleans are the strings "true" and "false".
import type { JsonObject, JsonValue, Schema } from '../../../contract/types.ts';
import { Reply, invalid, notFound, type Context } from '../context.ts';
import { readSetting, refuseSetting, writeSetting, type SettingDocument } from './settings.ts';
import { later, t, translated } from '../../../domain/text/t.ts';

type ValueType = 'BOOLEAN' | 'NUMBER' | 'STRING' | 'JSON' | 'LIST';

const typesOf = (schema: Schema): string[] => [schema.type ?? []].flat();

/** The type that an entry says of its value. */
export function valueTypeOf(schema: Schema): ValueType {
  const types = typesOf(schema);
  if (types.includes('boolean')) return 'BOOLEAN';
  if (types.includes('array')) return 'LIST';
  if (types.includes('object')) return 'JSON';
  if (types.includes('integer') || types.includes('number')) return 'NUMBER';
  return 'STRING';
}

/** A value as an entry says it: booleans are strings (D044). */
export const toEntry = (value: JsonValue | undefined): JsonValue => (typeof value === 'boolean' ? String(value) : (value ?? null));

/**
 * A value as the page keeps it (D045): "true" for true, "7" for 7, one number where a list is kept. What does
 * not fit is left for the schema to validate.
 */
export function fromEntry(schema: Schema, value: JsonValue): JsonValue {
  const types = typesOf(schema);
  if (types.includes('boolean')) return value === 'true' ? true : value === 'false' ? false : value;
  if (types.includes('array') && !Array.isArray(value) && value !== null) return [schema.items ? fromEntry(schema.items, value) : value];
  if ((types.includes('integer') || types.includes('number')) && typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value.trim()))
    return Number(value);
  if (types.includes('null') && value === '') return null;
  return value;
}

/** The pages of a category (and type), by the names of their files. */
const pagesOf = ({ definitions }: Pick<Context, 'definitions'>, category: string, type?: string): string[] =>
  Object.entries(definitions.settings)
    .filter(([, schema]) => schema['x-setting']?.category === category && (type === undefined || schema['x-setting'].type === type))
    .map(([name]) => name);

function entryOf(schema: Schema, key: string, { data, updatedAt, updatedBy }: SettingDocument): JsonObject {
  const field = schema.properties?.[key] ?? {};
  const { category = '', type = '' } = schema['x-setting'] ?? {};
  return {
    category,
    type,
    key,
    value: toEntry(data[key]),
    valueType: valueTypeOf(field),
    defaultValue: toEntry(field.default),
    updatedAt: updatedAt?.toISOString() ?? null,
    updatedBy,
  };
}

/** Every setting of a page. @throws Refusal 403, 404 */
async function entriesOf(context: Context, name: string): Promise<JsonObject[]> {
  const schema = refuseSetting(context, name, 'READ');
  const document = await readSetting(context, name);
  return Object.keys(schema.properties ?? {}).map(key => entryOf(schema, key, document));
}

/** The setting with this key on a page of this type. @throws Refusal 403, 404 */
async function entryByKey(context: Context, key: string, type: string): Promise<JsonObject> {
  const found = Object.entries(context.definitions.settings).find(
    ([, schema]) => schema['x-setting']?.type === type && schema.properties?.[key],
  );
  if (!found) throw notFound(later`setting`);
  const [name] = found;
  const schema = refuseSetting(context, name, 'READ');
  return entryOf(schema, key, await readSetting(context, name));
}

/** Saves the settings named and leaves the others. @throws Refusal 422 for a key that the page lacks, or for wrong values */
async function saveEntries(context: Context, name: string, given: readonly { key: string; value: JsonValue }[]): Promise<Reply> {
  const schema = refuseSetting(context, name, 'WRITE');
  const unknown = given.flatMap(({ key }, index) =>
    schema.properties && Object.hasOwn(schema.properties, key)
      ? []
      : [
          {
            pointer: `/settings/${index}/key`,
            rule: 'enum',
            message: t`“${key}” is not a setting of ${translated(schema.title ?? name)}. It has
              ${Object.keys(schema.properties ?? {}).join(', ')}.`,
          },
        ],
  );
  if (unknown.length) throw invalid(unknown);
  const before = await readSetting(context, name, true);
  const changes = Object.fromEntries(given.map(({ key, value }) => [key, fromEntry(schema.properties?.[key] ?? {}, value)]));
  const document = await writeSetting(context, name, { ...before.data, ...changes });
  return new Reply(
    Object.keys(schema.properties ?? {}).map(key => entryOf(schema, key, document)),
    { message: t`${translated(schema.title ?? name)} settings saved.` },
  );
}

/**
 * What `get` answers with `entries`: the setting of a key and type (D152, C085), or those of a page,
 * or of a category (D137, D153, C011, C089).
 * @throws Refusal 403, 404
 */
export async function getEntries(context: Context, { category, type, preferenceKey }: JsonObject): Promise<JsonValue> {
  if (preferenceKey !== undefined) return entryByKey(context, String(preferenceKey), String(type));
  const pages = pagesOf(context, String(category), type === undefined ? undefined : String(type));
  if (pages.length === 0) throw notFound(type === undefined ? later`settings category` : later`settings page`);
  const entries: JsonObject[] = [];
  for (const name of pages) entries.push(...(await entriesOf(context, name)));
  return entries;
}

/** What `set` does with `entries`: saves the `settings` that are named of a page, and answers all of it (C086, C090). */
export async function setEntries(context: Context, { category, type, settings }: JsonObject): Promise<Reply> {
  const [name] = pagesOf(context, String(category), String(type));
  if (!name) throw notFound(later`settings page`);
  return saveEntries(context, name, settings as { key: string; value: JsonValue }[]);
}
