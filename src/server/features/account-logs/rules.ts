// The account log as people read it: actions in words, and who stands behind an address.
import { humanise } from '../../../contract/paths.ts';
import { hides, masked, mayReadOf, type MayRead } from '../../../contract/mask.ts';
import type { Definitions, JsonObject, JsonValue, Schema } from '../../../contract/types.ts';
import { usersByEmail } from '../../platform/auth/people.ts';
import { rules } from '../../platform/records/rules.ts';

/** The words for an action: the title of the call of that name, else "Selling plan group created" for "selling-plan-group.created". */
export function actionLabel(definitions: Definitions, action: string): string {
  const call = definitions.calls[action];
  if (call?.title) return call.title;
  const dot = action.lastIndexOf('.');
  const [thing, verb] = dot < 0 ? [action, ''] : [action.slice(0, dot), action.slice(dot + 1)];
  const setting = thing.startsWith('settings.') ? definitions.settings[thing.slice('settings.'.length)]?.title : undefined;
  const name = setting
    ? `${setting} settings`
    : (definitions.entities[thing]?.['x-record']?.name.one ?? humanise(thing.replace(/[.-]/g, ' ')).toLowerCase());
  return `${name.charAt(0).toUpperCase()}${name.slice(1)} ${humanise(verb).toLowerCase()}`.trim();
}

/** The area of what an entry is about: that of the call of its action's name, of its settings page, or of the calls of its entity. */
function areaOf({ calls, settings, tables }: Definitions, { action, entity }: JsonObject): string | undefined {
  const name = String(action);
  if (calls[name]) return calls[name].permission;
  if (name.startsWith('settings.')) return settings[name.slice('settings.'.length).split('.')[0] ?? '']?.['x-setting']?.permission;
  const read = Object.values(calls).find(call => call.of === entity && call.does === 'read' && !call.isPart);
  return (read ?? Object.values(tables).find(table => table.of === entity))?.permission;
}

/** What an entry says was done, and what was there before and after, as far as a person may look at what it is about. */
function concealedEntry(definitions: Definitions, entry: JsonObject, may: MayRead): Record<string, JsonValue | undefined> {
  const area = areaOf(definitions, entry);
  const { of } = definitions.calls[String(entry.action)] ?? {};
  const schema = definitions.entities[of ?? ''] ?? definitions.entities[String(entry.entity)];
  const isOpen = area === undefined || may(area);
  const left = (value: JsonValue | undefined): JsonValue | undefined =>
    value === undefined || !isOpen ? undefined : schema && hides(schema, may) ? described(schema, masked(schema, value, may)) : value;
  return {
    before: left(entry.before),
    after: left(entry.after),
    // The sentence names the record, and with a subscription its customer.
    ...(isOpen || entry.description === undefined ? {} : { description: actionLabel(definitions, String(entry.action)) }),
  };
}

/** The members that a schema describes: what lies in others, such as the events of an action, it can't distinguish. */
const described = (schema: Schema, value: JsonValue): JsonValue =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).filter(([name]) => schema.properties?.[name]))
    : value;

export const accountLog = rules({
  conceal({ definitions, session }) {
    const may = mayReadOf(session);
    return Object.keys(definitions.permissions).every(may) ? undefined : entry => concealedEntry(definitions, entry, may);
  },
  derive: {
    needs: ['action', 'userEmail'],
    members: ['actionLabel', 'userName'],
    async of(lines, context) {
      const people = await usersByEmail(context);
      return lines.map(({ action, userEmail }) => ({
        actionLabel: actionLabel(context.definitions, String(action)),
        userName: people.get(String(userEmail)) ?? (userEmail || 'System'),
      }));
    },
  },
});
