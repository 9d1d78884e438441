// The files of schemas/integrations: other apps of a store, and what is sent to them.
import type { References } from './refs.ts';
import type { IntegrationEvent, IntegrationKind, VendorRequest } from './types/integration.ts';
import type { JsonObject, Schema } from './types/schema.ts';

const FOLDER = 'schemas/integrations/';
export const EVENTS_FILE = `${FOLDER}_events.json`;

export function integrationEventsOf(documents: Record<string, unknown>): Record<string, IntegrationEvent> {
  const file = (documents[EVENTS_FILE] ?? {}) as { events?: Record<string, Omit<IntegrationEvent, 'name'>> };
  return Object.fromEntries(
    Object.entries(file.events ?? {}).map(([name, { title = name, of = [], ...more }]) => [name, { ...more, name, title, of }]),
  );
}

/** Every integration by its key, which is the name of its file. */
export function integrationsOf(documents: Record<string, unknown>, references: References): Record<string, IntegrationKind> {
  const all = Object.keys(integrationEventsOf(documents));
  return Object.fromEntries(
    Object.entries(documents)
      .filter(([file]) => file.startsWith(FOLDER) && file.endsWith('.json') && file !== EVENTS_FILE)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([file, document]) => {
        const key = file.slice(FOLDER.length, -'.json'.length);
        const { $schema: _schema, $comment: _comment, fields = {}, required, events, ...rest } = (document ?? {}) as Raw;
        const properties = Object.fromEntries(Object.keys(fields).map(name => [name, references.schema(file, `/fields/${name}`)]));
        const form: Schema = { type: 'object', additionalProperties: false, properties, ...(required ? { required } : {}) };
        return [key, { ...rest, key, form, ...(events ? { events: { ...events, takes: events.takes ?? all } } : {}) }];
      }),
  );
}
type Raw = Omit<IntegrationKind, 'key' | 'form' | 'events'> & {
  $schema?: string;
  $comment?: string;
  fields?: Record<string, Schema>;
  required?: string[];
  events?: VendorRequest & { takes?: string[]; body: JsonObject };
};
