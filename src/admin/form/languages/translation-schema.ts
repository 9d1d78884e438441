// A form over the words of a record in one language: its fields are the texts that the record has.
import type { TextRecord } from './text-record.ts';
import type { JsonObject, Schema } from '../../../contract/types.ts';

/** The name of a text in the form: its key where that is the name of a field, so that panels find it; else its place. */
export const fieldOf = ({ key }: Pick<TextRecord, 'key'>, place: number): string => (key.includes('.') ? `text${place}` : key);

/** The member of the form that holds the version of each text that its words were made from, by key. No field has such a name. */
export const VERSIONS = '$versions';

/** The words by field; what falls back is empty. */
export const valueOf = (texts: readonly TextRecord[]): JsonObject => ({
  ...Object.fromEntries(texts.map((text, place) => [fieldOf(text, place), text.value ?? ''])),
  [VERSIONS]: Object.fromEntries(texts.map(({ key, version }) => [key, version])),
});

/**
 * The record as it reads in this language, for panels that draw it: what is typed stands at its place, "sellingPlans.12.name" in the
 * entry of that list, "texts.heading" in that object; what is empty stays as it is.
 */
export function inLanguage(entity: Schema, record: JsonObject, texts: readonly TextRecord[], typed: JsonObject): JsonObject {
  const copy = structuredClone(record);
  texts.forEach((text, place) => {
    const words = typed[fieldOf(text, place)];
    // Of an e-mail the server knows what an empty part falls back to, and in which language that is.
    if (typeof words !== 'string' || (words === '' && !text.isTemplate)) return;
    let [at, schema]: [JsonObject, Schema | undefined] = [copy, entity];
    const path = text.key.split('.');
    const name = path.pop() as string;
    while (path.length) {
      const step = path.shift() as string;
      const field: Schema | undefined = schema?.properties?.[step];
      if (!field?.items) {
        at = (at[step] ??= {}) as JsonObject;
        schema = field;
        continue;
      }
      const [key, id] = [field.items['x-record']?.key ?? 'id', path.shift()];
      const entry: JsonObject | undefined = ((at[step] ?? []) as JsonObject[]).find(one => String(one[key]) === id);
      if (!entry) return;
      [at, schema] = [entry, field.items];
    }
    at[name] = words;
  });
  return copy;
}

const WIDGETS: Record<string, string> = { TEXT_AREA: 'textarea', RICH_TEXT: 'rich-text' };

/**
 * The fields as the record draws them, none of them required. What an empty one falls back to stands in it, muted. The key of the record
 * is carried along for what its fields ask for.
 */
export function schemaOf(entity: Schema, texts: readonly TextRecord[]): Schema {
  const own = (key: string): Schema | undefined =>
    key.split('.').reduce<Schema | undefined>((schema, step) => schema?.properties?.[step], entity);
  const fields = texts.map((text, place): [string, Schema] => {
    const field = own(text.key);
    const { when: _when, optional: _optional, propose: _propose, translatable: _translatable, ...hints } = field?.['x-ui'] ?? {};
    return [
      fieldOf(text, place),
      {
        title: field?.title ?? text.label,
        type: 'string',
        maxLength: text.maxLength,
        'x-ui': { ...(field ? {} : { widget: WIDGETS[text.componentUI] }), ...hints, placeholder: text.source },
      } as Schema,
    ];
  });
  const key = entity['x-record']?.key ?? 'id';
  const carried: Schema = { ...(own(key) ?? { type: 'string' }), readOnly: false, 'x-ui': { widget: 'unseen' } };
  const versions: Schema = { type: 'object', 'x-ui': { widget: 'unseen' } };
  return { title: entity.title ?? '', type: 'object', properties: { [key]: carried, ...Object.fromEntries(fields), [VERSIONS]: versions } };
}
