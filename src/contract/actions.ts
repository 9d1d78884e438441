// Actions on subscriptions (schemas/actions/<KEY>.json): each names its call and adds what bulk actions, flows and campaigns know besides.
import { inputSchema, type RawCall } from './calls.ts';
import { pointer } from './paths.ts';
import type { References } from './refs.ts';
import type {
  ActionKind,
  ActionPlaces,
  Call,
  CallTable,
  JsonObject,
  JsonValue,
  MessageVariable,
  PortalOffer,
  RecordButtons,
  Schema,
} from './types.ts';

export const FOLDER = 'schemas/actions/';

/**
 * What is asked of many subscriptions: the parameters that the file names ("name?" may be left out), each its call's with what the file
 * says instead; where it names none, all of the call but the subscription.
 */
function formOf(call: Call | undefined, own: Record<string, Schema> | undefined, notify: Schema | false): Schema | null {
  const { properties: { id: _id, ...given } = {}, required = [] } = call ? inputSchema(call, []) : {};
  const named = Object.keys(own ?? {}).map(name => ({ name, key: name.replace(/\?$/, '') }));
  const properties = {
    ...(own ? Object.fromEntries(named.map(({ name, key }) => [key, { ...given[key], ...own[name] }])) : given),
    ...(notify && { notify }),
  };
  const needed = own ? named.flatMap(({ name, key }) => (name === key ? [key] : [])) : required.filter(name => name !== 'id');
  return Object.keys(properties).length ? { type: 'object', additionalProperties: false, required: needed, properties } : null;
}

/** The table of the calls that actions have without naming one. */
export const TABLE = 'subscription-contract';
const keyOf = (file: string): string => file.slice(FOLDER.length, -'.json'.length);
/** A key as calls and variables have it: "SKIP_ORDER" is "skipOrder". */
export const camelCase = (key: string): string => key.toLowerCase().replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
type RawAction = JsonObject & Partial<ActionKind> & { params?: JsonObject | null };
const actionFiles = (documents: Record<string, unknown>): [file: string, raw: RawAction][] =>
  Object.entries(documents).flatMap(([file, raw]) =>
    file.startsWith(FOLDER) && raw !== null && typeof raw === 'object' ? [[file, raw as RawAction] as [string, RawAction]] : [],
  );
const paramsOf = (references: References, file: string, { params }: RawAction): Record<string, Schema> | undefined =>
  params ? Object.fromEntries(Object.keys(params).map(name => [name, references.schema(file, pointer(['params', name]))])) : undefined;

/**
 * The calls of actions that stand on the record and name none: each takes the subscription and what the action asks for. By their keys
 * in the table, with references followed.
 */
export function callsOfActions(documents: Record<string, unknown>, references: References): Record<string, RawCall> {
  const id = references.schema(`schemas/calls/${TABLE}.json`, '/params/id');
  return Object.fromEntries(
    actionFiles(documents).flatMap(([file, raw]) => {
      if (raw.call !== undefined || !raw.in?.record) return [];
      const action = keyOf(file);
      const key = camelCase(action);
      const { properties = {}, required = [] } = formOf(undefined, paramsOf(references, file, raw), false) ?? {};
      const input: Schema = {
        type: 'object',
        additionalProperties: false,
        required: ['id', ...required],
        properties: { id, ...properties },
      };
      const { permission, title = action } = raw;
      const line: RawCall = { route: `POST /${key}`, does: 'act', action, in: input, title, invalidates: [...CHANGED] };
      return [[key, { ...line, ...(permission ? { permission } : {}) }]];
    }),
  );
}
/** What a change of a subscription makes stale. */
const CHANGED = ['subscription', 'order', 'scheduled-order', 'activity', 'customer'];

/** The place of actions that are calls alone: behind all that are offered. */
const UNOFFERED = 1_000_000;

/** Pages of the portal that an action's file describes whole, by their names. */
export const portalPages = ({ portal = {} }: ActionPlaces): [id: string, page: PortalOffer][] =>
  Object.entries(portal).flatMap(([id, page]) => ('choices' in page ? [[id, page as PortalOffer] as [string, PortalOffer]] : []));
/** Whether an action is offered anywhere but on the record and on pages of code: its form is asked there. */
export const isForMany = ({ in: places = {} }: { in?: ActionPlaces }): boolean =>
  Object.keys(places).some(place => place !== 'record' && place !== 'portal') || portalPages(places).length > 0;

/** The actions of schemas/actions by their keys, in the order in which they are offered. */
export function actionsIn(
  documents: Record<string, unknown>,
  references: References,
  calls: Record<string, Call>,
): Record<string, ActionKind> {
  const found: ActionKind[] = [];
  for (const [file, raw] of actionFiles(documents)) {
    const { $schema: _schema, $comment: _comment, params, ...one } = raw;
    const key = keyOf(file);
    const made = `${TABLE}.${camelCase(key)}`;
    const name = one.call ?? (calls[made]?.action === key ? made : undefined);
    const call = name === undefined ? undefined : calls[name];
    found.push({
      title: call?.title ?? key,
      description: '',
      icon: 'pencil',
      group: 'OTHER',
      order: UNOFFERED,
      ...(one as Pick<ActionKind, 'in'>),
      ...(name === undefined ? {} : { call: name }),
      key,
      calls: [],
      action: one.action === undefined ? (name?.split('.')[1] ?? null) : one.action,
      permission: one.permission ?? call?.permission ?? '',
      form:
        params === null || !isForMany(one)
          ? null
          : formOf(
              call,
              paramsOf(references, file, raw),
              one.notifies === true && references.schema('schemas/common/params.json', '/params/notify'),
            ),
    });
  }
  found.sort((a, b) => a.order - b.order || (a.key < b.key ? -1 : 1));
  for (const { name, does, action } of Object.values(calls))
    if (does === 'act') found.find(one => (action === undefined ? one.call === name : one.key === action))?.calls.push(name);
  return Object.fromEntries(found.map(one => [one.key, one]));
}

const list = (value: unknown): JsonValue[] => (Array.isArray(value) ? (value as JsonValue[]) : []);

/**
 * The record of a subscription with the buttons of its actions: where a list of actions names one by its id it stands there, and those
 * that none names stand behind the others.
 */
export function withButtons(
  raw: JsonObject,
  tables: Record<string, CallTable>,
  actions: Record<string, ActionKind>,
  calls: Record<string, Call>,
): JsonObject {
  const of = raw.of ?? tables[String(raw.calls)]?.of;
  if (of !== 'subscription' || !raw.record) return raw;
  const buttons = new Map(Object.values(actions).flatMap(action => buttonsOf(action, calls)));
  const open = new Set(buttons.keys());
  const placed = (named: unknown): JsonValue[] =>
    list(named).map(one => {
      const button = typeof one === 'string' ? buttons.get(one) : undefined;
      if (button) open.delete(one as string);
      return button ?? one;
    });
  const sections = (of: JsonValue | undefined): JsonValue[] =>
    (list(of) as JsonObject[]).map(one => (one.rowActions ? { ...one, rowActions: placed(one.rowActions) } : one));
  const { main, side, ...record } = raw.record as JsonObject;
  const whole = { ...record, main: sections(main), ...(side ? { side: sections(side) } : {}) };
  const named = placed(raw.actions);
  return { ...raw, record: whole, actions: [...named, ...[...open].map(id => buttons.get(id) as JsonObject)] };
}

function buttonsOf({ key, call, title, icon, in: { record } }: ActionKind, calls: Record<string, Call>): [string, JsonObject][] {
  if (!record || !call) return [];
  const { buttons = { [call.slice(call.indexOf('.') + 1)]: {} }, ...shared } = record;
  return Object.entries(buttons).map(([id, own]) => {
    const { undoWith, ...button }: JsonObject = { call, title, icon, ...shared, ...own };
    const whole = (name: JsonValue | undefined, values: JsonValue | undefined): JsonObject => ({
      ...(calls[String(name)] && inputSchema(calls[String(name)] as Call, []).properties?.id ? { id: '{id}' } : {}),
      ...(values as JsonObject | undefined),
    });
    const undo = undoWith && { undo: button.undo ?? call, undoWith: whole(button.undo ?? call, undoWith) };
    return [id, { id, ...button, with: whole(button.call, button.with), ...undo, from: `${FOLDER}${key}.json#${pointerOf(record, id)}` }];
  });
}
const pointerOf = ({ buttons }: RecordButtons, id: string): string => `/in/record${buttons ? `/buttons/${id}` : ''}`;

/** The variables of messages that hold the links of actions: "quickAction.skipOrder". */
export const linkVariables = (actions: Record<string, ActionKind>): Record<string, MessageVariable> =>
  Object.fromEntries(
    Object.values(actions).flatMap(({ in: { link = {} } }) =>
      Object.entries(link).flatMap(([kind, { variable }]) =>
        variable ? [[`quickAction.${camelCase(kind)}`, { title: variable.title, sample: 'https://app.example.com/q/…' }]] : [],
      ),
    ),
  );
