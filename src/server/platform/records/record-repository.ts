// Reading, locking and writing one record, alike for documents in `records` and for rows of a table, with the history of its versions.
import { sql, type RawBuilder } from 'kysely';
import type { JsonObject, JsonValue } from '../../../contract/types.ts';
import { template } from '../../../contract/find.ts';
import { optionsOf } from '../../../contract/paths.ts';
import { UniqueViolation } from '../db/errors.ts';
import { Refusal, invalid, notFound, type Context } from '../context.ts';
import { refuseGrants } from '../auth/grants.ts';
import { concealed, derived, type RuleContext } from './rules.ts';
import { forgetSecretsOf, maskSecrets } from './secret-fields.ts';
import { newPublicId } from './public-id.ts';
import { kindOf, toColumn, toRecord, toWire, type Field, type EntityMapping } from './entity-mapping.ts';
import { inSentence, t, translated } from '../../../domain/text/t.ts';
import { fold } from '../../../domain/text/fold.ts';
import { nameKey } from '../../../domain/text/names.ts';
import { nameKeySql } from './name-key.ts';

export type Row = Record<string, unknown>;
type Keeping = RuleContext;
type Writing = RuleContext & Pick<Context, 'secrets' | 'grantKinds'>;

const scope = (shape: EntityMapping, storeId: number): RawBuilder<unknown> =>
  sql`r.store_id = ${storeId}::integer${
    shape.isDocument
      ? sql` and r.entity =
      ${shape.entity}`
      : sql``
  }${shape.has('deleted_at') ? sql` and r.deleted_at is null` : sql``}`;
const keyType = (shape: EntityMapping): RawBuilder<unknown> => sql.raw(shape.key.kind === 'text' ? 'text' : 'bigint');

export interface Finding {
  /** The field whose value is given; by default the key. */
  by?: Field;
  lock?: boolean;
  /** With the members that the entity's rules compute, for `viewOf`. */
  computed?: boolean;
}
const computedColumns = (context: Keeping, shape: EntityMapping): RawBuilder<unknown> => {
  const columns = Object.entries(shape.rules.columns?.(context) ?? {});
  return columns.length ? sql`, ${sql.join(columns.map(([name, value]) => sql`${value} as ${sql.ref(`computed_${name}`)}`))}` : sql``;
};

/**
 * The row of a record, or undefined where there is none or the entity's rules keep it from this person; with `lock` no other transaction
 * changes it until the transaction ends.
 */
export async function findRow(context: Keeping, shape: EntityMapping, value: JsonValue, options: Finding = {}): Promise<Row | undefined> {
  const { trx, storeId } = context;
  const by = options.by ?? shape.key;
  const allowed = shape.rules.scope?.(context);
  const { rows } =
    await sql<Row>`select r.*${options.computed ? computedColumns(context, shape) : sql``} from ${sql.table(shape.table)} as r
        where ${scope(shape, storeId)}${allowed ? sql` and ${allowed}` : sql``}
          and ${by.sql} = ${value}::${by === shape.key ? keyType(shape) : sql.raw(by.kind === 'whole' ? 'bigint' : 'text')}
            limit 1${options.lock ? sql` for update` : sql``}`.execute(trx);
  return rows[0];
}

/** The same, or a Refusal 404. */
export async function needRow(context: Keeping, shape: EntityMapping, value: JsonValue, options: Finding = {}): Promise<Row> {
  const row = await findRow(context, shape, value, options);
  if (!row) throw notFound(shape.hints.name.one);
  return row;
}

export const recordOf = (context: Keeping, shape: EntityMapping, row: Row): JsonObject => toRecord(shape, row, context.store.currency_code);
/** The record as an answer has it: with what the entity's rules compute and derive. `row` was found with `computed`. */
export async function viewOf(context: Keeping, shape: EntityMapping, row: Row): Promise<JsonObject> {
  const record = recordOf(context, shape, row);
  const currency = typeof row.currency_code === 'string' ? row.currency_code : context.store.currency_code;
  for (const name of Object.keys(shape.rules.columns?.(context) ?? {})) {
    const kind = kindOf(shape.schema.properties?.[name] ?? {});
    record[name] = toWire({ kind, inDocument: false } as Field, row[`computed_${name}`], currency);
  }
  const whole = shape.rules.derive ? { ...record, ...(await derived(shape.rules.derive, [record], context))[0] } : record;
  const concealing = shape.rules.conceal?.(context);
  return concealing ? concealed(concealing, whole) : whole;
}
/** The record of a row that was just written, as an answer has it. */
export async function viewOfWritten(context: Keeping, shape: EntityMapping, row: Row): Promise<JsonObject> {
  if (!shape.rules.columns) return viewOf(context, shape, row);
  return viewOf(context, shape, (await findRow(context, shape, keyOf(shape, row), { computed: true })) ?? row);
}
/** What a record is called in a sentence: #12 Ann Lee. */
export const labelOf = (shape: EntityMapping, record: JsonObject): string =>
  template(shape.hints.label, record) || String(record[shape.key.name] ?? '');
export const keyOf = (shape: EntityMapping, row: Row): number | string =>
  (shape.key.inDocument ? (row.data as JsonObject)[shape.key.name] : row[shape.key.column]) as number | string;

/** Columns and values of a record's fields, as the row takes them. */
function assignments(context: Keeping, shape: EntityMapping, data: JsonObject): Map<string, unknown> {
  const columns = new Map<string, unknown>();
  if (shape.isDocument) columns.set('data', JSON.stringify(documentOf(shape, data)));
  for (const field of shape.fields.values()) {
    if (field.inDocument || data[field.name] === undefined || OWN_COLUMNS.has(field.column)) continue;
    try {
      columns.set(
        field.column,
        toColumn(field, data[field.name], typeof data.currencyCode === 'string' ? data.currencyCode : context.store.currency_code),
      );
    } catch (error) {
      if (error instanceof RangeError) throw invalid([{ pointer: `/${field.name}`, rule: 'format', message: error.message }]);
      throw error;
    }
  }
  if (!shape.isDocument && shape.has('search') && shape.hints.search)
    columns.set(
      'search',
      fold(
        shape.hints.search
          .map(name => data[name])
          .filter(value => value !== null && value !== undefined)
          .join(' '),
      ),
    );
  return columns;
}
/** Columns that only the server writes. */
const OWN_COLUMNS = new Set(['store_id', 'entity', 'id', 'version', 'created_at', 'updated_at', 'updated_by', 'deleted_at']);

/** The members that belong into the document: everything but what `records` keeps in columns. */
function documentOf(shape: EntityMapping, data: JsonObject): JsonObject {
  const written = Object.entries(data).filter(
    ([name, value]) =>
      value !== undefined && (shape.fields.get(name)?.inDocument ?? (name !== 'id' && name !== 'version' && name !== 'position')),
  );
  return Object.fromEntries(written);
}

/** Inserts a record; documents go to the end of their order. @throws Refusal 422 for what gives more than the person holds */
export async function insertRow(context: Writing, shape: EntityMapping, data: JsonObject): Promise<Row> {
  const { trx, storeId } = context;
  refuseGrants(context, shape.schema, data);
  for (const field of shape.all) if (field.schema['x-id']) data[field.name] ??= newPublicId(field.schema['x-id']);
  const keepSecrets = maskSecrets(shape, data, undefined);
  const columns = assignments(context, shape, data);
  columns.set('store_id', storeId);
  if (shape.isDocument) columns.set('entity', shape.entity);
  for (const column of ['created_at', 'updated_at']) if (shape.has(column)) columns.set(column, context.now());
  if (shape.has('updated_by')) columns.set('updated_by', context.user.email);
  const names = [...columns.keys()];
  const values: RawBuilder<unknown>[] = names.map(name => sql`${columns.get(name)}`);
  if (shape.has('position') && !columns.has('position')) {
    names.push('position');
    values.push(sql`(select coalesce(max(r.position), 0) + 1 from ${sql.table(shape.table)} as r where ${scope(shape, storeId)})`);
  }
  const row = await unlessTaken(shape, () =>
    sql<Row>`insert into ${sql.table(shape.table)} (${sql.join(names.map(name => sql.ref(name)))}) values (${sql.join(values)})
        returning *`.execute(trx),
  );
  await keepSecrets(context, keyOf(shape, row));
  await remember(context, shape, row);
  return row;
}

/** Writes a locked record and counts its version up. @throws Refusal 422 for what gives or starts more than the person holds */
export async function updateRow(context: Writing, shape: EntityMapping, before: Row, data: JsonObject): Promise<Row> {
  const { trx, storeId } = context;
  refuseGrants(context, shape.schema, data, recordOf(context, shape, before));
  const keepSecrets = maskSecrets(shape, data, shape.secrets.length ? recordOf(context, shape, before) : undefined);
  const columns = assignments(context, shape, data);
  if (shape.has('updated_at')) columns.set('updated_at', context.now());
  if (shape.has('updated_by')) columns.set('updated_by', context.user.email);
  const sets = [...columns].map(([name, given]) => sql`${sql.ref(name)} = ${given}`);
  if (shape.has('version')) sets.push(sql`version = r.version + 1`);
  const row = await unlessTaken(shape, () =>
    sql<Row>`update ${sql.table(shape.table)} as r set ${sql.join(sets)} where ${scope(shape, storeId)}
        and ${shape.key.sql} = ${keyOf(shape, before)}::${keyType(shape)} returning r.*`.execute(trx),
  );
  await keepSecrets(context, keyOf(shape, row));
  await remember(context, shape, row);
  return row;
}

/** Deletes a locked record: marked as deleted where the table can, so that history and references stay. */
export async function deleteRow(context: Writing, shape: EntityMapping, before: Row): Promise<void> {
  const { trx, storeId } = context;
  await forgetSecretsOf(context, shape, keyOf(shape, before));
  const here = sql`${scope(shape, storeId)} and ${shape.key.sql} = ${keyOf(shape, before)}::${keyType(shape)}`;
  if (!shape.has('deleted_at')) {
    await sql`delete from ${sql.table(shape.table)} as r where ${here}`.execute(trx);
    return;
  }
  const sets = [sql`deleted_at = ${context.now()}`];
  if (shape.has('version')) sets.push(sql`version = r.version + 1`);
  if (shape.has('updated_at')) sets.push(sql`updated_at = ${context.now()}`);
  if (shape.has('updated_by')) sets.push(sql`updated_by = ${context.user.email}`);
  const { rows } = await sql<Row>`update ${sql.table(shape.table)} as r set ${sql.join(sets)} where ${here} returning r.*`.execute(trx);
  if (rows[0]) await remember(context, shape, rows[0]);
}

/** Adds the version to the history that can't be rewritten. */
async function remember(context: Keeping, shape: EntityMapping, row: Row): Promise<void> {
  if (!shape.has('version')) return;
  const data = shape.isDocument ? row.data : recordOf(context, shape, row);
  await context.trx
    .insertInto('record_history')
    .values({
      store_id: context.storeId,
      entity: shape.entity,
      id: Number(row.id),
      version: Number(row.version),
      data: JSON.stringify(data),
      at: context.now(),
      by: context.user.email,
    })
    .execute();
}

async function unlessTaken(shape: EntityMapping, write: () => Promise<{ rows: Row[] }>): Promise<Row> {
  try {
    const { rows } = await write();
    if (!rows[0]) throw notFound(shape.hints.name.one);
    return rows[0];
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error;
    const field = [...shape.fields.values()].find(
      one =>
        error.constraint.includes(one.column) ||
        error.constraint.endsWith(one.column.replace(/([A-Z])/g, letter => `_${letter.toLowerCase()}`)),
    );
    throw taken(shape, field);
  }
}

const taken = (shape: EntityMapping, field: Field | undefined, given?: string): Refusal => {
  const title = field?.schema.title === undefined ? t`value` : inSentence(translated(field.schema.title));
  const name = translated(shape.hints.name.one);
  const own = field?.schema['x-errors']?.unique;
  const message =
    own !== undefined
      ? translated(own)
      : given === undefined
        ? t`Another ${name} has this ${title} already. Choose another.`
        : t`Another ${name} has the ${title} "${given}" already. Choose another.`;
  return new Refusal(409, 'TAKEN', message, field ? [{ pointer: `/${field.name}`, rule: 'unique', message }] : undefined);
};

/** Refuses a value of an x-record.unique field that another record of the store has, however it is written (`nameKey`). */
export async function refuseTaken(context: Keeping, shape: EntityMapping, data: JsonObject, self?: number | string): Promise<void> {
  for (const unique of shape.hints.unique ?? []) {
    const { field: name, within } = typeof unique === 'string' ? { field: unique, within: [] } : unique;
    const field = shape.fields.get(name);
    const given = data[name];
    if (!field || typeof given !== 'string' || given === '') continue;
    // One writer of this kind at a time, so that two with the same name can't slip past each other.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`${context.storeId} ${shape.entity} ${name}`}, 0))`.execute(context.trx);
    const besides = within.flatMap(other => {
      const one = shape.fields.get(other);
      const value = data[other] ?? null;
      return one ? [sql` and ${one.sql}::text is not distinct from ${value === null ? null : String(value)}::text`] : [];
    });
    const { rows } = await sql`select 1 from ${sql.table(shape.table)} as r where ${scope(shape, context.storeId)}
        and ${nameKeySql(sql`${field.sql}::text`)} = ${nameKey(given)}${besides.length ? sql.join(besides, sql``) : sql``}
          ${self === undefined ? sql`` : sql`and ${shape.key.sql} <> ${self}::${keyType(shape)}`} limit 1`.execute(context.trx);
    if (rows.length) throw taken(shape, field, given);
  }
}

/** The words for a state: "Active". */
export const stateTitle = (shape: EntityMapping, state: JsonValue): string =>
  optionsOf(shape.schema.properties?.[shape.schema['x-states']?.field ?? '']).find(option => option.value === state)?.title ??
  String(state);
