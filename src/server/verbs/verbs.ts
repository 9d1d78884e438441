// The generic verbs: what a call does when no handler of its name says otherwise.
import type { Call, FieldError, JsonObject, JsonValue, Schema } from '../../contract/types.ts';
import { compileValidator } from '../../contract/compile.ts';
import { strip } from '../../contract/condition.ts';
import { withDefaults } from '../../contract/defaults.ts';
import { factsOf } from '../../contract/facts.ts';
import { humanise, same } from '../../contract/paths.ts';
import { mayMove } from '../../contract/states.ts';
import { judge } from '../../contract/validate.ts';
import { Reply, invalid, invalidState, notFound, type Context } from '../context.ts';
import { deleteRow, findRow, insertRow, keyOf, labelOf, needRow, recordOf, refuseTaken, stateTitle, updateRow, type Row } from './keep.ts';
import { listQuery, listTexts } from './list.ts';
import { order } from './order.ts';
import type { Shape } from './shape.ts';
import { getSetting, setSetting } from './settings.ts';
import { checkVersion } from './version.ts';

/** Says why a move may not happen, or nothing. `record` is the locked record, `input` what the call was given. */
export type Guard = (
  context: Context,
  record: JsonObject,
  input: JsonObject,
) => string | undefined | void | Promise<string | undefined | void>;

export interface VerbCall {
  call: Call;
  input: JsonObject;
  /** The body as it came, for read-only members. */ raw: JsonObject;
  guards: Record<string, Guard>;
}
export type Verb = (context: Context, given: VerbCall) => Promise<JsonValue | Reply>;

/** Calls whose work the generic verbs know. */
export const verbs: Partial<Record<Call['does'], Verb>> = {
  list: async (context, { call, input }) => {
    const shape = context.shape(call.of);
    const query = listQuery(call, context.definitions.hosts[call.host], input);
    // Parameters beside those of every list narrow it, where they are filters of the entity: { contractId: 12 }.
    const also = Object.fromEntries(
      call.in
        .filter(param => input[param.name] !== undefined && shape.hints.filter?.includes(param.name))
        .map(param => [param.name, input[param.name] as JsonValue]),
    );
    return new Reply(null, await listTexts(context, shape, { ...query, filter: { ...also, ...query.filter } }));
  },

  read: async (context, { call, input }) => {
    const shape = context.shape(call.of);
    return recordOf(context, shape, await named(context, call, shape, input, false));
  },

  create: async (context, { call, input }) => {
    const shape = context.shape(call.of);
    const data = withDefaults<JsonObject>(writable(shape.schema), input);
    await judgeRecord(context, shape, data);
    await refuseTaken(context, shape, data);
    const record = recordOf(context, shape, await insertRow(context, shape, data));
    await logRecord(context, shape, 'created', record, undefined, record);
    return record;
  },

  update: async (context, { call, input, raw }) => {
    const shape = context.shape(call.of);
    const before = await named(context, call, shape, input, true);
    const record = recordOf(context, shape, before);
    checkVersion(context, shape.hints.name.one, record, Number(before.version ?? 0), lastOf(before));
    refuseChanged(shape.schema, record, raw, '');
    const data = merged(call, shape, record, input);
    await judgeRecord(context, shape, data);
    await refuseTaken(context, shape, data, keyOf(shape, before));
    const after = recordOf(context, shape, await updateRow(context, shape, before, data));
    await logRecord(context, shape, 'updated', after, record, after);
    return after;
  },

  delete: async (context, { call, input }) => {
    const shape = context.shape(call.of);
    const before = await named(context, call, shape, input, true);
    const record = recordOf(context, shape, before);
    checkVersion(context, shape.hints.name.one, record, Number(before.version ?? 0), lastOf(before));
    await deleteRow(context, shape, before);
    await logRecord(context, shape, 'deleted', record, record, undefined);
    return { [shape.key.name]: keyOf(shape, before) };
  },

  move: async (context, { call, input, guards }) => {
    const shape = context.shape(call.of);
    const before = await named(context, call, shape, input, true);
    const record = recordOf(context, shape, before);
    const states = shape.schema['x-states'];
    const move = states?.moves[call.key];
    if (!states || !move) throw new Error(`${call.name} is a move, but schemas/entities/${call.of}.json has no move "${call.key}".`);
    const verdict = mayMove(shape.schema, call.key, record);
    if (!verdict.ok) throw invalidState(verdict.message);
    checkVersion(context, shape.hints.name.one, record, Number(before.version ?? 0), lastOf(before));
    const no = move.guard && (await guards[move.guard]?.(context, record, input));
    if (no) throw invalidState(no);
    const after = recordOf(context, shape, await updateRow(context, shape, before, { ...record, [states.field]: move.to }));
    await context.log({
      action: `${shape.entity}.${call.key}`,
      category: humanise(shape.titleMany),
      entity: shape.entity,
      entityId: keyOf(shape, before),
      before: record,
      after,
      description: `${shape.titleOne} "${labelOf(shape, after)}" is now ${stateTitle(shape, move.to).toLowerCase()}`,
    });
    return after;
  },

  order,
  get: (context, { call, input }) => getSetting(context, settingOf(call, input)),
  set: (context, { call, input }) => setSetting(context, settingOf(call, input), input),
};

/** The settings document of a call: named by `of` ("settings/general"), or by the parameter `settingsPage`. */
const settingOf = (call: Call, input: JsonObject): string =>
  call.of.startsWith('settings/') ? call.of.slice('settings/'.length) : String(input.settingsPage ?? '');

/** The record that the call's parameters name: by its key, or by the one other field that a parameter is called after (shopify_id). */
async function named(context: Context, call: Call, shape: Shape, input: JsonObject, lock: boolean): Promise<Row> {
  const key = input[shape.key.name];
  if (key !== undefined) return needRow(context, shape, key, { lock });
  for (const param of call.in) {
    const field = shape.fields.get(param.name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()));
    const value = input[param.name];
    if (!field || value === undefined || value === null) continue;
    const row = await findRow(context, shape, value, { by: field, lock });
    if (row) return row;
  }
  throw notFound(shape.hints.name.one);
}

const lastOf = (row: Row) => ({ by: String(row.updated_by ?? ''), at: row.updated_at instanceof Date ? row.updated_at : null });

/** The schema without its read-only fields: whose defaults a new record gets. */
function writable(schema: Schema): Schema {
  return {
    ...schema,
    properties: Object.fromEntries(
      Object.entries(schema.properties ?? {}).filter(([, field]) => !field.readOnly || field.default !== undefined),
    ),
  };
}

/** The record that an update leaves: all writable fields as given (those given, for PATCH), the read-only ones as they were. */
function merged(call: Call, shape: Shape, before: JsonObject, input: JsonObject): JsonObject {
  const data: JsonObject = {};
  for (const [name, field] of Object.entries(shape.schema.properties ?? {})) {
    const keep =
      field.readOnly ||
      (call.method === 'PATCH' && input[name] === undefined) ||
      !(call.body?.properties?.[name] ?? call.in.some(param => param.name === name));
    const value = keep ? before[name] : input[name];
    if (value !== undefined) data[name] = value;
  }
  return data;
}

/** Judges a whole record by its entity and strips what its conditions hide. */
async function judgeRecord(context: Context, shape: Shape, data: JsonObject): Promise<void> {
  const facts = factsOf(context.session, context.definitions.facts);
  const required = shape.schema.required?.filter(name => !shape.schema.properties?.[name]?.readOnly);
  const editable: Schema = judged.get(shape.schema) ?? { ...shape.schema, required: required?.length ? required : undefined };
  judged.set(shape.schema, editable);
  const errors = judge(editable, compileValidator(editable), data, facts);
  if (errors.length) throw invalid(errors);
  const shown = strip(shape.schema, data, facts);
  for (const name of Object.keys(data))
    if (shown[name] === undefined) delete data[name];
    else data[name] = shown[name] as JsonValue;
}
const judged = new WeakMap<Schema, Schema>();

const readOnlyError = (pointer: string, title: string): FieldError => ({
  pointer,
  rule: 'readOnly',
  message: `${title} is set by Perennial and can't be changed.`,
});

/** A new record may not bring values for what only the server sets, whatever makes it: refused, not ignored. */
export function givenReadOnly(call: Call, schema: Schema, raw: JsonObject): FieldError[] {
  return Object.entries(schema.properties ?? {})
    .filter(
      ([name, field]) =>
        (call.body?.properties?.[name] ?? field).readOnly &&
        raw[name] !== undefined &&
        raw[name] !== null &&
        !same(raw[name], field.default) &&
        !call.in.some(param => param.name === name),
    )
    .map(([name, field]) => readOnlyError(`/${name}`, field.title ?? humanise(name)));
}

/** What every write changes anyway: its old value may come along. */
const WRITTEN = new Set(['version', 'updatedAt', 'updatedAtEpoch', 'updatedBy']);

/** Read-only fields may come along as they are; another value is refused, not ignored. */
function refuseChanged(schema: Schema, before: JsonValue | undefined, given: JsonValue | undefined, at: string): void {
  const errors: FieldError[] = [];
  const look = (here: Schema, was: JsonValue | undefined, is: JsonValue | undefined, pointer: string): void => {
    if (is === null || typeof is !== 'object') return;
    if (Array.isArray(is)) {
      const known = Array.isArray(was) ? was : [];
      is.forEach((item, i) => {
        const id = item !== null && typeof item === 'object' && !Array.isArray(item) ? item.id : undefined;
        const old =
          id === undefined ? undefined : known.find(one => one !== null && typeof one === 'object' && !Array.isArray(one) && one.id === id);
        if (here.items && old !== undefined) look(here.items, old, item, `${pointer}/${i}`);
      });
      return;
    }
    const old = was !== null && typeof was === 'object' && !Array.isArray(was) ? was : {};
    for (const [name, field] of Object.entries(here.properties ?? {})) {
      if (is[name] === undefined || WRITTEN.has(name)) continue;
      if (!field.readOnly) look(field, old[name], is[name], `${pointer}/${name}`);
      else if (!same(is[name], old[name]) && !(is[name] === null && old[name] === undefined))
        errors.push(readOnlyError(`${pointer}/${name}`, field.title ?? humanise(name)));
    }
  };
  look(schema, before, given, at);
  if (errors.length) throw invalid(errors);
}

async function logRecord(
  context: Context,
  shape: Shape,
  verb: string,
  record: JsonObject,
  before: JsonObject | undefined,
  after: JsonObject | undefined,
): Promise<void> {
  await context.log({
    action: `${shape.entity}.${verb}`,
    category: humanise(shape.titleMany),
    description: `${shape.titleOne} "${labelOf(shape, record)}" ${verb}`,
    entity: shape.entity,
    entityId: record[shape.key.name] as string | number,
    ...(before ? { before } : {}),
    ...(after ? { after } : {}),
  });
}
