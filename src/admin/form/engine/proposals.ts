// Names that follow from what stands beside them (`x-ui.propose`), for as long as none was typed or saved.
import { propose } from '../../../domain/text/proposals.ts';
import type { JsonObject, JsonValue, Schema } from '../../../contract/types.ts';
import { isObject } from './path.ts';

/** What a duplicate's name ends with. */
export const COPIED = ' (copy)';

const isEmpty = (value: JsonValue | undefined): boolean => value === undefined || value === null || value === '';
const proposed = (field: Schema, values: JsonObject): string => {
  const hint = field['x-ui']?.propose;
  const text = hint
    ? propose(
        hint.as,
        hint.of.map(name => values[name]),
      )
    : '';
  return field.maxLength === undefined ? text : [...text].slice(0, field.maxLength).join('');
};

/** An object with its empty fields proposed from the others, and so the objects in its lists. */
export function withProposals(schema: Schema, values: JsonObject): JsonObject {
  const filled: JsonObject = { ...values };
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const [text, value, { items }] = [proposed(field, values), values[name], field];
    if (text && isEmpty(value)) filled[name] = text;
    else if (items && Array.isArray(value)) filled[name] = value.map(item => (isObject(item) ? withProposals(items, item) : item));
  }
  return filled;
}

/**
 * The fields that follow a change: those that are empty, or hold what was proposed before it. `saved` is what the server has: a name
 * that people know already stays.
 */
export function followers(schema: Schema, before: JsonObject, after: JsonObject, saved: JsonObject | undefined): [string, string][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]): [string, string][] => {
    const [was, now] = [proposed(field, before), proposed(field, after)];
    const follows = isEmpty(after[name]) || after[name] === was || (was !== '' && after[name] === was + COPIED);
    return now !== was && follows && isEmpty(saved?.[name]) ? [[name, now]] : [];
  });
}
