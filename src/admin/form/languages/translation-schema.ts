// A form over the words of a record in one language: its fields are the texts that the record has.
import type { TextRecord } from './text-record.ts';
import type { JsonObject, Schema } from '../../../contract/types.ts';

/** The name of a text in the form: its key where that is the name of a field, so that panels find it; else its place. */
export const fieldOf = ({ key }: Pick<TextRecord, 'key'>, place: number): string => (key.includes('.') ? `text${place}` : key);

/** The words by field; what falls back is empty. */
export const valueOf = (texts: readonly TextRecord[]): JsonObject =>
  Object.fromEntries(texts.map((text, place) => [fieldOf(text, place), text.value ?? '']));

const WIDGETS: Record<string, string> = { TEXT_AREA: 'textarea', RICH_TEXT: 'rich-text' };

/**
 * The fields as the record draws them, none of them required. What an empty one falls back to stands in it, muted. The key of the record
 * is carried along for what its fields ask for.
 */
export function schemaOf(entity: Schema, texts: readonly TextRecord[]): Schema {
  const own = (key: string): Schema | undefined => entity.properties?.[key];
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
  return { title: entity.title ?? '', type: 'object', properties: { [key]: carried, ...Object.fromEntries(fields) } };
}
