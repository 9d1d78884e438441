// The form that translates a record: its schema, its value, and the record as it looks with the translation. It has one field for each text
// of the record that customers read.
import type { TextRecord } from './text-record.ts';
import type { JsonObject, Schema } from '../../../contract/types.ts';

/**
 * The name of a text's field in the form. A text with a plain key ("title") keeps that name, so that the panels of the record's page find
 * it; one inside a list or an object ("texts.heading") is named by its index ("text3"), because a dot can't stand in a name.
 * @param index its place among the texts of the record
 */
export const fieldNameOf = ({ key }: Pick<TextRecord, 'key'>, index: number): string => (key.includes('.') ? `text${index}` : key);

/**
 * The member of the form's value that holds the version of each text by its key. The versions go back to the server with the translation,
 * so that it can tell whether another person has changed a text in the meantime. No text has such a key.
 */
export const VERSIONS = '$versions';

/** The form's value: each text by the name of its field ('' if it is not translated), and the versions. */
export const formValueOf = (texts: readonly TextRecord[]): JsonObject => ({
  ...Object.fromEntries(texts.map((text, index) => [fieldNameOf(text, index), text.value ?? ''])),
  [VERSIONS]: Object.fromEntries(texts.map(({ key, version }) => [key, version])),
});

/**
 * The schema of the form. Each text looks as it does in the record's own form, but is not required; while it is empty, its field shows, as
 * a placeholder, the text that customers read instead. Two members are not drawn: the record's key, which some fields send with their
 * requests, and the versions.
 * @param entity the schema of the record
 */
export function translationSchema(entity: Schema, texts: readonly TextRecord[]): Schema {
  const fields = texts.map((text, index): [string, Schema] => {
    const field = fieldAt(entity, text.key);
    // A translation is always shown, never proposed by the form, and has no translations itself.
    const { when: _when, optional: _optional, propose: _propose, translatable: _translatable, ...hints } = field?.['x-ui'] ?? {};
    return [
      fieldNameOf(text, index),
      {
        title: field?.title ?? text.label,
        type: 'string',
        maxLength: text.maxLength,
        'x-ui': { ...(field ? {} : { widget: WIDGETS[text.componentUI] }), ...hints, placeholder: text.source },
      } as Schema,
    ];
  });
  const keyName = keyOf(entity);
  const key: Schema = { ...(fieldAt(entity, keyName) ?? { type: 'string' }), readOnly: false, 'x-ui': { widget: 'unseen' } };
  const versions: Schema = { type: 'object', 'x-ui': { widget: 'unseen' } };
  return { title: entity.title ?? '', type: 'object', properties: { [keyName]: key, ...Object.fromEntries(fields), [VERSIONS]: versions } };
}

/**
 * A copy of the record with the texts of the form in their places, for panels that show the record translated. The key of a text is its
 * path: "texts.heading" is a member of an object, "sellingPlans.12.name" one of the entry with the key 12 in a list. Empty texts leave the
 * record as it is, apart from e-mail templates: only the server knows what stands in their place.
 * @param entity the schema of the record
 * @param formValue the value of the form now
 */
export function withTranslation(entity: Schema, record: JsonObject, texts: readonly TextRecord[], formValue: JsonObject): JsonObject {
  const copy = structuredClone(record);
  texts.forEach((text, index) => {
    const translation = formValue[fieldNameOf(text, index)];
    if (typeof translation !== 'string' || (translation === '' && !text.isTemplate)) return;
    putAt(copy, entity, text.key, translation);
  });
  return copy;
}

/** Puts a text at its path into the record. Does nothing when the path leads to a list entry that the record does not have. */
function putAt(record: JsonObject, entity: Schema, key: string, text: string): void {
  const steps = key.split('.');
  const member = steps.pop() as string;
  let [target, schema]: [JsonObject, Schema | undefined] = [record, entity];
  while (steps.length) {
    const step = steps.shift() as string;
    const field: Schema | undefined = schema?.properties?.[step];
    if (field?.items) {
      const keyName: string = keyOf(field.items);
      const id = steps.shift();
      const entry: JsonObject | undefined = ((target[step] ?? []) as JsonObject[]).find(item => String(item[keyName]) === id);
      if (!entry) return;
      [target, schema] = [entry, field.items];
    } else {
      target = (target[step] ??= {}) as JsonObject;
      schema = field;
    }
  }
  target[member] = text;
}

/** Widgets of texts that have no field in the record's schema, by what the server calls them. */
const WIDGETS: Record<string, string> = { TEXT_AREA: 'textarea', RICH_TEXT: 'rich-text' };

/** The name of the member that identifies a record, or an entry of a list. */
const keyOf = (schema: Schema): string => schema['x-record']?.key ?? 'id';

/** The schema of a field by its path; undefined for one inside a list, and for one that does not exist. */
const fieldAt = (entity: Schema, path: string): Schema | undefined =>
  path.split('.').reduce<Schema | undefined>((schema, step) => schema?.properties?.[step], entity);
