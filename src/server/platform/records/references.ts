// Which records name others by their ids, as the definitions say (`x-ui.of`): what is named can't be deleted, and what is gone can't be
// named. Fields that only the server writes are history and keep nothing.
import { sql, type RawBuilder } from 'kysely';
import type { Definitions, FieldError, JsonObject, JsonValue, Schema } from '../../../contract/types.ts';
import { accessOf } from '../../../contract/access.ts';
import { template } from '../../../contract/find.ts';
import { pointer } from '../../../contract/paths.ts';
import { inFigures, intlLocale, t, translated } from '../../../domain/text/t.ts';
import { Refusal, type Context } from '../context.ts';
import type { EntityMapping } from './entity-mapping.ts';

export interface Reference {
  /** The entity whose records name another, or "settings/<page>". */
  holder: string;
  /** The field of the holder that the id stands in, or within. */
  field: string;
  /** The entity that is named. */
  of: string;
  /** Where in the document the ids stand, as a path of SQL/JSON: lists on the way are gone into. */
  path: string;
}

const DEEPEST = 8;
const known = new WeakMap<Definitions, Reference[]>();

/** Every place of the records and settings pages of a store where a record may be named by its id. */
export function referencesIn(definitions: Definitions): Reference[] {
  let found = known.get(definitions);
  if (found) return found;
  found = [];
  for (const [name, schema] of Object.entries(definitions.entities))
    if (schema['x-record'] && schema['x-record'].table === undefined) collect(definitions, name, schema, found);
  for (const [name, schema] of Object.entries(definitions.settings)) collect(definitions, `settings/${name}`, schema, found);
  known.set(definitions, found);
  return found;
}

function collect(definitions: Definitions, holder: string, whole: Schema, found: Reference[]): void {
  const lookThrough = (schema: Schema, path: string, field: string, deep: number): void => {
    const hints = schema['x-ui'];
    if (deep > DEEPEST || schema.readOnly || hints?.loose) return;
    const add = (of: string, at: string): void => {
      if (!found.some(one => one.holder === holder && one.of === of && one.path === at)) found.push({ holder, field, of, path: at });
    };
    if (hints?.of && !schema.properties) add(hints.of, path);
    for (const kind of Object.values(schema['x-catalogue'] ?? {}))
      if (kind.value['x-ui']?.of) add(kind.value['x-ui'].of, `${path}.rows ? (@.conditionKey == "${kind.key}").value`);
    if (hints?.widget === 'flow-actions')
      for (const { key, form } of Object.values(definitions.actions))
        if (form) lookThrough({ ...form, readOnly: false }, `${path} ? (@.action == "${key}").input`, field, deep + 1);
    for (const [name, inner] of Object.entries(schema.properties ?? {})) lookThrough(inner, `${path}."${name}"`, field || name, deep + 1);
    if (schema.items) lookThrough(schema.items, path, field, deep + 1);
  };
  lookThrough(whole, '$', '', 0);
}

const holds = (data: string, { path }: Reference): RawBuilder<unknown> =>
  sql`jsonb_path_exists(${sql.ref(data)}, ${`${path} ? (@ == $id)`}::jsonpath, jsonb_build_object('id', to_jsonb(i.id)), true)`;

/**
 * @param of the entity of what is to go; `ids` are its keys
 * @param by ACTIVE: it only stops for now, which matters to records that are on and work with it; those that only ask for it in a
 *   condition, drafts and settings pages go on
 * @throws Refusal 409 IN_USE where records or settings pages name one of them, with how they are called where the person may see them
 */
export async function refuseUsed(
  context: Context,
  of: string,
  ids: readonly (number | string)[],
  by: 'ALL' | 'ACTIVE' = 'ALL',
): Promise<void> {
  const { trx, storeId, definitions } = context;
  const places = new Map<string, Reference[]>();
  for (const reference of referencesIn(definitions))
    if (reference.of === of && (by === 'ALL' || (reference.holder in definitions.entities && !reference.path.includes('conditionKey'))))
      places.set(reference.holder, [...(places.get(reference.holder) ?? []), reference]);
  if (places.size === 0 || ids.length === 0) return;
  const given = sql`(select jsonb_array_elements(${JSON.stringify(ids)}::jsonb) as id) i`;
  const used: string[] = [];
  for (const [holder, references] of places) {
    const any = (data: string): RawBuilder<unknown> =>
      sql`exists (select 1 from ${given} where ${sql.join(
        references.map(one => holds(data, one)),
        sql` or `,
      )})`;
    if (holder.startsWith('settings/')) {
      const name = holder.slice('settings/'.length);
      const { rows } =
        await sql`select 1 from settings s where store_id = ${storeId}::integer and name = ${name} and ${any('s.data')}`.execute(trx);
      if (rows.length) used.push(t`the settings page “${translated(definitions.settings[name]?.title ?? name)}”`);
      continue;
    }
    const { rows } = await sql<{ data: JsonObject; id: number }>`select id, data from records r where store_id = ${storeId}::integer
      and entity = ${holder} and deleted_at is null ${by === 'ACTIVE' ? sql`and data ->> 'status' = 'ACTIVE'` : sql``}
      and ${any('r.data')} order by id`.execute(trx);
    if (rows.length)
      used.push(
        inWords(
          context,
          context.shape(holder),
          rows.map(({ id, data }) => ({ ...data, id })),
        ),
      );
  }
  if (used.length === 0) return;
  const one = translated(definitions.entities[of]?.['x-record']?.name.one ?? of);
  const users = new Intl.ListFormat(intlLocale(), { type: 'conjunction' }).format(used);
  throw new Refusal(409, 'IN_USE', t`This ${one} is used by ${users}. Choose another there first.`);
}

const MOST_NAMED = 3;
/** "2 bundles (Morning set, Box)". Their names stand there for people who may open them. */
function inWords({ definitions, session }: Context, { entity, hints }: EntityMapping, records: readonly JsonObject[]): string {
  const words = `${inFigures(records.length)} ${translated(records.length === 1 ? hints.name.one : hints.name.many)}`;
  const area = hints.permission ?? Object.values(definitions.calls).find(call => call.of === entity && call.does === 'list')?.permission;
  if (area !== undefined && !accessOf(session).can(area, 'READ')) return words;
  const names = records.slice(0, MOST_NAMED).map(record => template(hints.label, record));
  return `${words} (${names.join(', ')}${records.length > MOST_NAMED ? ' …' : ''})`;
}

/** The ids of a kind that a record names, by the field that they stand in. */
async function namedIn({ trx }: Pick<Context, 'trx'>, references: readonly Reference[], record: JsonObject): Promise<JsonValue[][]> {
  const paths = references.map(one => sql`to_jsonb(array(select jsonb_path_query(d.data, ${`${one.path}[*]`}::jsonpath, '{}', true)))`);
  const { rows } = await sql<{ ids: JsonValue[][] }>`select jsonb_build_array(${sql.join(paths)}) as ids
    from (select ${JSON.stringify(record)}::jsonb as data) d`.execute(trx);
  return rows[0]?.ids ?? [];
}

/**
 * What a record newly names of records that can be deleted, and that are not there. Those that are there stay until the transaction ends:
 * who deletes one of them waits, and finds it used.
 */
export async function missingErrors(
  context: Context,
  holder: string,
  before: JsonObject | undefined,
  record: JsonObject,
): Promise<FieldError[]> {
  const references = referencesIn(context.definitions).filter(one => one.holder === holder && mayBeDeleted(context, one.of));
  if (references.length === 0) return [];
  const [now, then] = [await namedIn(context, references, record), before ? await namedIn(context, references, before) : []];
  const errors: FieldError[] = [];
  for (const [i, { field, of }] of references.entries()) {
    const fresh = (now[i] ?? []).filter(id => typeof id === 'number' && !(then[i] ?? []).includes(id)) as number[];
    if (fresh.length === 0) continue;
    const { rows } = await sql<{ id: number }>`select id from records where store_id = ${context.storeId}::integer and entity = ${of}
      and deleted_at is null and id = any(${fresh}::bigint[]) order by id for share`.execute(context.trx);
    if (fresh.some(id => !rows.some(row => row.id === id)))
      errors.push({ pointer: pointer([field]), rule: 'reference', message: t`Choose one that is there.` });
  }
  return errors;
}

/** Whether records of an entity are documents of their own that a call deletes. */
const mayBeDeleted = ({ definitions }: Pick<Context, 'definitions'>, entity: string): boolean =>
  definitions.entities[entity]?.['x-record']?.table === undefined &&
  Object.values(definitions.calls).some(call => call.of === entity && call.does === 'delete');
