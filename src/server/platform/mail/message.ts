// A message file filled in: what the outbox takes.
import type { JsonObject, JsonValue, MessageKind } from '../../../contract/types.ts';
import type { Letter } from '../../../domain/messages/letter.ts';
import type { MessageKey, MessageValues } from '../../../generated/families.ts';
import { letterOf, type MessageEdit } from './message-edits.ts';

/** The messages by key, as definitions hold them. */
export type Messages = Readonly<Record<string, MessageKind>>;

/**
 * Subject, text and HTML of a message, and its key as the template's name. `common` is what all messages may name, `edit` what the store
 * changed about it.
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
  return { template: key, ...letterOf(message, edit, { ...common, ...(values as JsonObject) }) };
}
