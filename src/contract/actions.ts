// Actions on subscriptions (schemas/actions/<KEY>.json): each names its call and adds what bulk actions, flows and campaigns know besides.
import { inputSchema } from './calls.ts';
import type { References } from './refs.ts';
import type { ActionKind, Call, CallTable, JsonObject, Schema } from './types.ts';

export const FOLDER = 'schemas/actions/';

/** The parameters of a call as a form of many subscriptions: without the one that names the subscription. */
function formOfCall(call: Call | undefined): Schema | null {
  if (!call) return null;
  const whole = inputSchema(call, []);
  const { id: _id, ...properties } = whole.properties ?? {};
  const required = (whole.required ?? []).filter(name => name !== 'id');
  return Object.keys(properties).length ? { type: 'object', additionalProperties: false, required, properties } : null;
}

/** The place of actions that are calls alone: behind all that are offered. */
const UNOFFERED = 1_000_000;

/** The actions of schemas/actions by their keys, in the order in which they are offered. */
export function actionsIn(
  documents: Record<string, unknown>,
  references: References,
  calls: Record<string, Call>,
): Record<string, ActionKind> {
  const found: ActionKind[] = [];
  for (const [file, raw] of Object.entries(documents)) {
    if (!file.startsWith(FOLDER) || raw === null || typeof raw !== 'object') continue;
    const { $schema: _schema, $comment: _comment, form, ...one } = raw as JsonObject & Partial<ActionKind>;
    const call = one.call === undefined ? undefined : calls[one.call];
    const key = file.slice(FOLDER.length, -'.json'.length);
    const isForMany = one.in?.some(place => place !== 'record');
    found.push({
      title: call?.title ?? key,
      description: '',
      icon: 'pencil',
      group: 'OTHER',
      order: UNOFFERED,
      ...(one as Pick<ActionKind, 'in'>),
      key,
      calls: [],
      action: one.action === undefined ? (one.call?.split('.')[1] ?? null) : one.action,
      permission: one.permission ?? call?.permission ?? '',
      form:
        form === null ? null : form !== undefined ? references.schema(file, '/form') : isForMany || one.record ? formOfCall(call) : null,
    });
  }
  found.sort((a, b) => a.order - b.order || (a.key < b.key ? -1 : 1));
  for (const { name, does, action } of Object.values(calls))
    if (does === 'act') found.find(one => (action === undefined ? one.call === name : one.key === action))?.calls.push(name);
  return Object.fromEntries(found.map(one => [one.key, one]));
}

/** The record of a subscription with the buttons of the actions that its own file has none for. */
export function withButtons(raw: JsonObject, tables: Record<string, CallTable>, actions: Record<string, ActionKind>): JsonObject {
  const of = raw.of ?? tables[String(raw.calls)]?.of;
  if (of !== 'subscription' || !raw.record) return raw;
  const own = Array.isArray(raw.actions) ? raw.actions : [];
  return {
    ...raw,
    actions: [
      ...own,
      ...Object.values(actions)
        .filter(one => one.record && one.call)
        .map(buttonOf),
    ],
  };
}

function buttonOf({ key, call, title, icon, form, record = {} }: ActionKind): JsonObject {
  const { with: given = {}, undoWith, ...more } = record as { with?: JsonObject; undoWith?: JsonObject } & JsonObject;
  return {
    call: call as string,
    title,
    icon,
    confirmTitle: title,
    prompt: Object.keys(form?.properties ?? {}),
    ...more,
    from: `${FOLDER}${key}.json`,
    with: { id: '{id}', ...given },
    ...(undoWith ? { undo: call as string, undoWith: { id: '{id}', ...undoWith } } : {}),
  };
}
