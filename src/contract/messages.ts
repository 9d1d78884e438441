// The files of schemas/events and schemas/messages as the server reads them.
import type { References } from './refs.ts';
import type { Definitions, EventKind, JsonObject, MessageKind, MessageVariable } from './types.ts';
import { humanise } from './paths.ts';

const within = (documents: Record<string, unknown>, folder: string): [name: string, document: JsonObject][] =>
  Object.entries(documents)
    .filter(([file]) => file.startsWith(folder) && file.endsWith('.json'))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, document]) => [file.slice(folder.length, -'.json'.length), (document ?? {}) as JsonObject]);

/** Every kind of event by its key. */
export function eventsOf(documents: Record<string, unknown>, references: References): Record<string, EventKind> {
  const found: Record<string, EventKind> = {};
  for (const [name, file] of within(documents, 'schemas/events/'))
    for (const [key, raw] of Object.entries((file.events ?? {}) as Record<string, JsonObject>)) {
      const { title = key, payload = [], personal = [], webhook } = raw as Partial<EventKind>;
      // Tells of a tone that is not there.
      references.schema(`schemas/events/${name}.json`, `/events/${key}`);
      found[key] = { key, title, subject: String(file.subject ?? ''), payload, personal, ...(webhook ? { webhook } : {}) };
    }
  return found;
}

/** Every message by its key, which is the name of its file. */
export const messagesOf = (documents: Record<string, unknown>): Record<string, MessageKind> =>
  Object.fromEntries(
    within(documents, 'schemas/messages/').map(([key, raw]) => {
      const { $schema: _schema, ...file } = raw as unknown as Omit<MessageKind, 'key'> & { $schema?: string };
      return [key, { ...file, key, variables: file.variables ?? {} }];
    }),
  );

/** What the templates of a message may name, by path: what all messages may, what its sender gives, and what its event tells. */
export function variablesOf(
  { events, messageVariables }: Pick<Definitions, 'events' | 'messageVariables'>,
  { when, variables }: Pick<MessageKind, 'when' | 'variables'>,
): Record<string, MessageVariable> {
  const payload = when ? (events[when.event]?.payload ?? []) : [];
  return {
    ...messageVariables,
    ...variables,
    ...Object.fromEntries(payload.map(name => [`event.${name}`, { title: humanise(name), sample: null }])),
  };
}
