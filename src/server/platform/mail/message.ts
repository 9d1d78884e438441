// A message file filled in: what the outbox takes.
import type { JsonObject, JsonValue, MessageKind } from '../../../contract/types.ts';
import { renderLetter, type Letter } from '../../../domain/messages/letter.ts';
import type { MessageKey, MessageValues } from '../../../generated/families.ts';

/** The messages by key, as definitions hold them. */
export type Messages = Readonly<Record<string, MessageKind>>;

/** Subject, text and HTML of a message, and its key as the template's name. `common` is what all messages may name. */
export function fillMessage<K extends MessageKey>(
  messages: Messages,
  key: K,
  common: Record<string, JsonValue>,
  values: MessageValues[K],
): Letter & { template: K } {
  const message = messages[key];
  if (!message) throw new Error(`There is no schemas/messages/${key}.json.`);
  return { template: key, ...renderLetter(message, { ...common, ...(values as unknown as JsonObject) }) };
}
