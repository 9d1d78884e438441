// A part of a record as a list of entries, read and written by get and set: settings { key, value, valueType, … }, whose booleans are the
// strings "true" and "false", or styles { styleKey, attributes }.
import { optionsOf } from '../../../contract/paths.ts';
import type { FieldError, JsonObject, JsonValue, Schema } from '../../../contract/types.ts';
import { withDefaults } from '../../../contract/validation/defaults.ts';
import { placeholdersOf } from '../../../domain/text/placeholders.ts';
import { attributeUI, cssVariable, joinUnit, splitUnit, type AttributeValue } from '../../../domain/widgets/style-attributes.ts';
import { t, translated } from '../../../domain/text/t.ts';
import { invalid, type Context } from '../context.ts';
import { inStoreWords } from '../texts/store-standards.ts';
import { needRow, recordOf } from './record-repository.ts';
import type { VerbCall } from './registry.ts';
import { fromEntry, toEntry, valueTypeOf } from './setting-entries.ts';

/** Whether a get or set is about part of a record, and not about a settings page or a document. */
export const isOfRecord = ({ definitions }: Pick<Context, 'definitions'>, { call }: VerbCall): boolean =>
  call.entries === true && definitions.entities[call.of]?.['x-record'] !== undefined;

const partOf = ({ call }: VerbCall): string => call.part?.[0] ?? '';
const isStyle = (schema: Schema): boolean => schema.properties !== undefined;
const titleOf = (name: string, schema: Schema): string => translated(schema.title ?? name);

/** The entries of a part: what a record has, and the standard value where it has none (D042). */
function entriesOf(schema: Schema, part: JsonObject): JsonObject[] {
  const whole = withDefaults<JsonObject>(schema, part);
  const standard = withDefaults<JsonObject>(schema, {});
  return Object.entries(schema.properties ?? {}).map(([key, field]): JsonObject => {
    if (isStyle(field)) return styleEntry(key, field, whole[key] as JsonObject, standard[key] as JsonObject);
    const options = optionsOf(field).map(one => one.value ?? null);
    return {
      key,
      label: titleOf(key, field),
      value: toEntry(whole[key]),
      defaultValue: toEntry(standard[key]),
      valueType: options.length ? 'ENUM' : valueTypeOf(field),
      options,
      ...(field['x-ui']?.translatable
        ? { variables: placeholdersOf(String(standard[key] ?? '')), maxLength: field.maxLength ?? null }
        : {}),
    };
  });
}

/** D040, D041: a style and its attributes. */
const styleEntry = (styleKey: string, schema: Schema, own: JsonObject, standard: JsonObject): JsonObject => ({
  styleKey,
  label: titleOf(styleKey, schema),
  attributes: Object.entries(schema.properties ?? {}).map(([attributeKey, field]) => ({
    attributeKey,
    label: titleOf(attributeKey, field),
    attributeValue: splitUnit(own[attributeKey]) as JsonValue,
    defaultValue: splitUnit(standard[attributeKey]) as JsonValue,
    attributeCssVariableKey: cssVariable(styleKey, attributeKey),
    attributeComponentUI: attributeUI(field),
    options: optionsOf(field).map(one => one.value ?? null),
  })),
});

/** Of the record that is named; without one the standard values that a new record has. @throws Refusal 404 */
export async function getPart(context: Context, given: VerbCall): Promise<JsonObject[]> {
  const shape = context.shape(given.call.of);
  const key = given.input[shape.key.name];
  const record = key === undefined ? {} : recordOf(context, shape, await needRow(context, shape, key));
  const name = partOf(given);
  const schema = await inStoreWords(context, shape.schema.properties?.[name] ?? {});
  return entriesOf(schema, (record[name] as JsonObject | undefined) ?? {});
}

interface StyleGiven {
  styleKey: string;
  attributes: { attributeKey: string; attributeValue?: Partial<AttributeValue> | null }[];
}
type Given = { key: string; value: JsonValue } | StyleGiven;

/** The entry's name, with what it says as the record keeps it, laid over what is there; what it does not name stays. */
function merged(name: string, schema: Schema, before: JsonObject, entries: readonly Given[]): JsonObject {
  const errors: FieldError[] = [];
  const part = structuredClone(before);
  const known = (of: Schema, key: string, pointer: string): Schema | undefined => {
    const field = of.properties && Object.hasOwn(of.properties, key) ? of.properties[key] : undefined;
    if (!field)
      errors.push({
        pointer,
        rule: 'enum',
        message: t`“${key}” is not known here. There are ${Object.keys(of.properties ?? {}).join(', ')}.`,
      });
    return field;
  };
  entries.forEach((entry, place) => {
    const at = `/${name}/${place}`;
    if (!('styleKey' in entry)) {
      const field = known(schema, entry.key, `${at}/key`);
      if (field) part[entry.key] = fromEntry(field, entry.value);
      return;
    }
    const style = known(schema, entry.styleKey, `${at}/styleKey`);
    if (!style) return;
    const own = { ...(part[entry.styleKey] as JsonObject | undefined) };
    entry.attributes.forEach(({ attributeKey, attributeValue }, n) => {
      if (!known(style, attributeKey, `${at}/attributes/${n}/attributeKey`)) return;
      const value = joinUnit(attributeValue ?? {});
      if (value === undefined) delete own[attributeKey];
      else own[attributeKey] = value;
    });
    part[entry.styleKey] = own;
  });
  if (errors.length) throw invalid(errors);
  return withDefaults<JsonObject>(schema, part);
}

/** What an update of the record is given in place of the entries. @throws Refusal 404, 422 for keys that are none */
export async function partFrom(context: Context, given: VerbCall): Promise<VerbCall> {
  const { call, input } = given;
  const shape = context.shape(call.of);
  const name = partOf(given);
  const record = recordOf(context, shape, await needRow(context, shape, input[shape.key.name] as JsonValue, { lock: true }));
  const schema = await inStoreWords(context, shape.schema.properties?.[name] ?? {});
  const part = merged(name, schema, (record[name] as JsonObject | undefined) ?? {}, input[name] as Given[]);
  return { ...given, input: { ...input, [name]: part }, raw: {} };
}
