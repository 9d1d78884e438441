// A message file filled in: what the outbox takes.
import type { JsonObject, JsonValue, MessageKind } from '../../../contract/types.ts';
import { renderLetter, type Letter } from '../../../domain/messages/letter.ts';
import { language, translated } from '../../../domain/text/t.ts';
import type { MessageKey, MessageValues } from '../../../generated/families.ts';
import { letterOf, type MessageEdit } from './message-edits.ts';

/** The messages by key, as definitions hold them. */
export type Messages = Readonly<Record<string, MessageKind>>;

/**
 * Subject, text and HTML of a message, and its key as the template's name. `common` is what all messages may name, `edit` what the store
 * changed about it. One that speaks (`speaks`) is said in the current language.
 */
export function fillMessage<K extends MessageKey>(
  messages: Messages,
  key: K,
  common: Record<string, JsonValue>,
  values: MessageValues[K],
  edit?: MessageEdit,
): Letter & { template: K } {
  const message = messages[key];
  if (!message) throw new Error(`There is no schemas/messages/${key}.json.`);
  const given = { ...common, ...(values as JsonObject) };
  return {
    template: key,
    ...(message.speaks && !edit ? renderLetter(spoken(message), given, language()) : letterOf(message, edit, given)),
  };
}

/** By message and language: templates are read once. */
const translations = new WeakMap<MessageKind, Map<string, Pick<MessageKind, 'subject' | 'body'>>>();
/** A message to a person of the team in the current language. */
function spoken(message: MessageKind): Pick<MessageKind, 'subject' | 'body'> {
  const all = translations.get(message) ?? new Map<string, Pick<MessageKind, 'subject' | 'body'>>();
  translations.set(message, all);
  const known = all.get(language()) ?? { subject: translated(message.subject), body: message.body.map(translated) };
  all.set(language(), known);
  return known;
}
