// The generic verbs: what a call does when no handler of its name says otherwise.
import type { Call, FieldError, JsonObject, JsonValue, Schema } from '../../../contract/types.ts';
import { withDefaults } from '../../../contract/validation/defaults.ts';
import { strip } from '../../../contract/validation/condition.ts';
import { factsOf } from '../../../navigation/facts.ts';
import { humanise, same } from '../../../contract/paths.ts';
import { mayMove } from '../../../contract/states.ts';
import { chart, refuseReport } from '../analytics/chart-verb.ts';
import { noted, reportFields } from '../analytics/report-exports.ts';
import { Refusal, Reply, invalid, invalidState, notFound, type Context } from '../context.ts';
import { inStoreWords } from '../texts/store-standards.ts';
import { copyOf } from './copy.ts';
import { changed } from './emptied.ts';
import { count } from './list/count.ts';
import { answerFrom, get, inTheirWords, set } from './documents.ts';
import { exportRecords } from './list/export.ts';
import {
  deleteRow,
  findRow,
  insertRow,
  keyOf,
  labelOf,
  needRow,
  recordOf,
  refuseTaken,
  stateTitle,
  updateRow,
  viewOf,
  viewOfWritten,
  type Finding,
  type Row,
} from './record-repository.ts';
import { listQuery, listTexts } from './list/list.ts';
import { narrowed, needOwner } from './list/narrowing.ts';
import { withoutForbidden } from './mask.ts';
import { order } from './order.ts';
import { getPart, isOfRecord, partFrom } from './record-parts.ts';
import type { Guard, Registry, Verb, VerbCall } from './registry.ts';
import type { Written, WriteVerb } from './rules.ts';
import { refuseUsed } from './references.ts';
import { progress, start } from './runs.ts';
import { join, leave, membersOf } from './sets.ts';
import { asChosen } from './setting-sets.ts';
import { texts, translate } from '../texts/text-verbs.ts';
import type { EntityMapping } from './entity-mapping.ts';
import { checkVersion } from './version-check.ts';
import { filledIn, lastOf, logRecord, rewrite, validateRecord } from './write-record.ts';
import { writtenByMove } from '../../../domain/moves.ts';
import { t, translated } from '../../../domain/text/t.ts';

/** The verb list, also for a call that answers with the records of another one. */
export const listRecords = async (context: Context, { call, input }: Pick<VerbCall, 'call' | 'input'>): Promise<Reply> => {
  if (call.report !== undefined) refuseReport(context, call.report);
  const shape = context.shape(call.of);
  const query = { ...listQuery(call, context.definitions.hosts[call.host], input), ...(call.sort ? { defaultSort: call.sort } : {}) };
  const members = call.set ? await membersOf(context, call, input) : [];
  const { narrowing, also, where } = narrowed(context, call, shape, input);
  where.push(...members);
  const found = await listTexts(context, shape, {
    ...query,
    ...reportFields(context, call.report, shape),
    filter: { ...also, ...query.filter, ...call.where },
    ...(where.length ? { where } : {}),
    ...(call.limit === undefined ? {} : { size: call.limit, total: false }),
  });
  if (found.texts.length === 0) for (const param of narrowing) if (param.required) await needOwner(context, shape, param, input);
  return new Reply(null, call.set ? { ...found, texts: await asChosen(context, call, found.texts) } : found);
};

/** Calls whose work the generic verbs know. */
export const verbs: Partial<Record<Call['does'], Verb>> = {
  list: listRecords,

  read: async (context, { call, input }) => {
    const shape = context.shape(call.of);
    const record = await viewOf(context, shape, await named(context, call, shape, input, { computed: true }));
    return call.answer === undefined ? record : answerFrom(call.answer, record);
  },

  create: async (context, { call, input }) => {
    const shape = context.shape(call.of);
    return createRecord(context, shape, withoutForbidden(shape, context, {}, { ...input, ...call.where }), input);
  },

  duplicate: async (context, { call, input }) => {
    const shape = context.shape(call.of);
    const copy = await copyOf(context, shape, recordOf(context, shape, await named(context, call, shape, input, {})));
    return createRecord(context, shape, withoutForbidden(shape, context, {}, copy), copy);
  },

  update: async (context, { call, input, raw }) => {
    const shape = context.shape(call.of);
    const before = await named(context, call, shape, input, { lock: true });
    const record = recordOf(context, shape, before);
    checkVersion(context, shape.hints.name.one, record, Number(before.version ?? 0), lastOf(before));
    refuseChanged(shape.schema, record, withoutComputed(context, shape, raw), '');
    const whole = withoutForbidden(shape, context, record, merged(call, shape, record, input));
    return rewrite(context, shape, before, strip(shape.schema, whole, factsOf(context.session, context.definitions.facts)), input);
  },

  delete: async (context, { call, input }) => {
    const shape = context.shape(call.of);
    const before = await named(context, call, shape, input, { lock: true });
    const record = recordOf(context, shape, before);
    checkVersion(context, shape.hints.name.one, record, Number(before.version ?? 0), lastOf(before));
    await refuse(shape, 'delete', { before: record, input }, context);
    await refuseUsed(context, shape.entity, [keyOf(shape, before)]);
    await deleteRow(context, shape, before);
    await shape.rules.after?.('delete', { before: record, input }, context);
    await logRecord(context, shape, 'deleted', record, record, undefined);
    return { [shape.key.name]: keyOf(shape, before) };
  },

  move: async (context, { call, input, registry }) => {
    const shape = context.shape(call.of);
    const before = await named(context, call, shape, input, { lock: true });
    const record = recordOf(context, shape, before);
    const states = shape.schema['x-states'];
    const move = states?.moves[call.key];
    if (!states || !move) throw new Error(`${call.name} is a move, but schemas/entities/${call.of}.json has no move "${call.key}".`);
    const verdict = mayMove(shape.schema, call.key, record);
    if (!verdict.ok) throw invalidState(verdict.message);
    checkVersion(context, shape.hints.name.one, record, Number(before.version ?? 0), lastOf(before));
    const no = move.guard && (await guardNamed(registry, move.guard)(context, record, input));
    if (no) throw invalidState(no);
    const changed = { ...record, [states.field]: move.to };
    const given = Object.fromEntries(Object.entries(input).filter(([name]) => writtenByMove(shape.schema).includes(name)));
    if (Object.keys(given).length) {
      // What is asked for on the way is written with the state, by the rules of any change.
      Object.assign(changed, withoutForbidden(shape, context, record, { ...changed, ...given }));
      await validateRecord(context, shape, 'move', { before: record, record: changed, input });
      await refuseTaken(context, shape, changed, keyOf(shape, before));
    } else await refuse(shape, 'move', { before: record, record: changed, input }, context);
    const row = await updateRow(context, shape, before, changed);
    const after = recordOf(context, shape, row);
    await shape.rules.after?.('move', { before: record, record: after, input }, context);
    await context.log({
      action: `${shape.entity}.${call.key}`,
      category: humanise(shape.titleMany),
      entity: shape.entity,
      entityId: keyOf(shape, before),
      before: record,
      after,
      description: `${shape.titleOne} "${labelOf(shape, after)}" is now ${stateTitle(shape, move.to).toLowerCase()}`,
    });
    return viewOfWritten(context, shape, row);
  },

  order,
  count,
  export: async (context, { call, input }) => {
    const { narrowing, also, where } = narrowed(context, call, context.shape(call.of), input);
    for (const param of narrowing) if (param.required) await needOwner(context, context.shape(call.of), param, input);
    if (call.report !== undefined) refuseReport(context, call.report);
    const reply = await exportRecords(context, call.of, {
      ...(call.sort ? { sort: call.sort.field, order: call.sort.order } : {}),
      ...input,
      filter: { ...(input.filter as JsonObject | undefined), ...call.where },
      also,
      ...(where.length ? { where } : {}),
    });
    return call.report === undefined ? reply : noted(context, call.report, reply);
  },
  join,
  leave,
  start,
  progress,
  catalogue: async (context, { call, input, registry }) => {
    const catalogue = registry.catalogues[call.catalogue ?? ''];
    if (!catalogue) throw new Error(`${call.name}: there is no catalogue "${call.catalogue ?? ''}".`);
    // What a catalogue lists is described by definitions: the person reads it in their language.
    return inTheirWords(await catalogue(context, input));
  },
  get: async (context, given) => (isOfRecord(context, given) ? getPart(context, given) : get(context, given)),
  set: async (context, given) => {
    if (!isOfRecord(context, given)) return set(context, given);
    await verbs.update?.(context, await partFrom(context, given));
    return getPart(context, given);
  },
  chart,
  texts,
  translate,
};

/** Makes a record of what a person gave, with its defaults and what the entity's rules put in; validated and logged. */
async function createRecord(context: Context, shape: EntityMapping, given: JsonObject, input: JsonObject): Promise<JsonValue | Reply> {
  const filled = await filledIn(context, shape, 'create', { input: given });
  const standard = await inStoreWords(context, shape.schema);
  const data = { ...withDefaults<JsonObject>(writable(standard), given), ...filled };
  await validateRecord(context, shape, 'create', { record: data, input });
  await refuseTaken(context, shape, data);
  const row = await insertRow(context, shape, data);
  const record = recordOf(context, shape, row);
  const shownOnce = await shape.rules.after?.('create', { record, input }, context);
  await logRecord(context, shape, 'created', record, undefined, record);
  const view = await viewOfWritten(context, shape, row);
  return shownOnce ? new Reply({ ...view, ...shownOnce }, { once: Object.keys(shownOnce).filter(name => !shape.fields.has(name)) }) : view;
}

/** The guard of a name. The check and the start refuse names that are none; it is asked again here, so that no protection can fall away. */
function guardNamed(registry: Registry, name: string): Guard {
  const guard = registry.guards[name];
  if (!guard) throw new Error(`There is no guard "${name}".`);
  return guard;
}

/** What the entity's rules have against a write that is not validated by the schema. */
async function refuse(shape: EntityMapping, verb: WriteVerb, written: Written, context: Context): Promise<void> {
  const found = await shape.rules.validate?.(verb, written, context);
  if (found instanceof Refusal) throw found;
  if (found?.length) throw invalid(found);
}

/** The record that the call's parameters name: by its key, or by the one other field that a parameter is called after (shopify_id). */
async function named(context: Context, call: Call, shape: EntityMapping, input: JsonObject, options: Finding): Promise<Row> {
  const row = await rowNamed(context, call, shape, input, options);
  const other = Object.entries(call.where ?? {}).some(([name, value]) => !same(recordOf(context, shape, row)[name], value));
  if (other) throw notFound(shape.hints.name.one);
  return row;
}
async function rowNamed(context: Context, call: Call, shape: EntityMapping, input: JsonObject, options: Finding): Promise<Row> {
  const key = input[shape.key.name];
  if (key !== undefined) return needRow(context, shape, key, options);
  // The call says that it names the key, and rules let it come this far without.
  if (call.in.some(({ name, as = name, required }) => required && as === shape.key.name)) throw invalid([...context.inputErrors]);
  for (const param of call.in) {
    const name = param.as ?? param.name;
    const field = shape.fields.get(name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()));
    const value = input[name];
    if (!field || value === undefined || value === null) continue;
    const row = await findRow(context, shape, value, { ...options, by: field });
    if (row) return row;
  }
  throw notFound(shape.hints.name.one);
}

/** The schema without its read-only fields: whose defaults a new record gets. */
function writable(schema: Schema): Schema {
  return {
    ...schema,
    properties: Object.fromEntries(
      Object.entries(schema.properties ?? {}).filter(([, field]) => !field.readOnly || field.default !== undefined),
    ),
  };
}

/** The record that an update leaves: the writable fields that it names as given, all others as they were. */
function merged(call: Call, shape: EntityMapping, before: JsonObject, input: JsonObject): JsonObject {
  const fields = Object.entries(shape.schema.properties ?? {});
  const named = fields.filter(
    ([name, field]) =>
      !field.readOnly &&
      input[name] !== undefined &&
      (call.body?.properties?.[name] ?? call.in.some(param => (param.as ?? param.name) === name)),
  );
  const earlier = Object.fromEntries(fields.flatMap(([name]) => (before[name] === undefined ? [] : [[name, before[name]]])));
  return changed(shape.schema, earlier, Object.fromEntries(named.map(([name]) => [name, input[name] as JsonValue])));
}

const readOnlyError = (pointer: string, title: string): FieldError => ({
  pointer,
  rule: 'readOnly',
  message: t`${translated(title)} is set by Perennial and can't be changed.`,
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

/** What came without the members that rules compute: they can't be changed, but may be sent along as they were read. */
function withoutComputed(context: Context, { rules }: EntityMapping, raw: JsonObject): JsonObject {
  const computed = [...(rules.derive?.members ?? []), ...Object.keys(rules.columns?.(context) ?? {})];
  return computed.length ? Object.fromEntries(Object.entries(raw).filter(([name]) => !computed.includes(name))) : raw;
}

/** What every write changes anyway: its old value may come along. */
const WRITTEN = new Set(['version', 'updatedAt', 'updatedAtEpoch', 'updatedBy']);

/** Read-only fields may come along as they are; another value is refused, not ignored. */
function refuseChanged(schema: Schema, before: JsonValue | undefined, given: JsonValue | undefined, at: string): void {
  const errors: FieldError[] = [];
  const compare = (here: Schema, was: JsonValue | undefined, is: JsonValue | undefined, pointer: string): void => {
    if (is === null || typeof is !== 'object') return;
    if (Array.isArray(is)) {
      const known = Array.isArray(was) ? was : [];
      is.forEach((item, i) => {
        const id = item !== null && typeof item === 'object' && !Array.isArray(item) ? item.id : undefined;
        const old =
          id === undefined ? undefined : known.find(one => one !== null && typeof one === 'object' && !Array.isArray(one) && one.id === id);
        if (here.items && old !== undefined) compare(here.items, old, item, `${pointer}/${i}`);
      });
      return;
    }
    const old = was !== null && typeof was === 'object' && !Array.isArray(was) ? was : {};
    for (const [name, field] of Object.entries(here.properties ?? {})) {
      if (is[name] === undefined || WRITTEN.has(name)) continue;
      if (!field.readOnly) compare(field, old[name], is[name], `${pointer}/${name}`);
      else if (!same(is[name], old[name]) && !(is[name] === null && old[name] === undefined))
        errors.push(readOnlyError(`${pointer}/${name}`, field.title ?? humanise(name)));
    }
  };
  compare(schema, before, given, at);
  if (errors.length) throw invalid(errors);
}
