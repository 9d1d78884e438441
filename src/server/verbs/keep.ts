// Reading, locking and writing one record, alike for documents in `records` and for rows of a table, with the history of its versions.
import { sql, type RawBuilder } from 'kysely';
import type { JsonObject, JsonValue } from '../../contract/types.ts';
import { template } from '../../contract/find.ts';
import { optionsOf } from '../../contract/paths.ts';
import { UniqueViolation } from '../store/errors.ts';
import { Refusal, invalid, notFound, type Context } from '../context.ts';
import { lowered } from './filter.ts';
import { toColumn, toRecord, type Field, type Shape } from './shape.ts';

export type Row = Record<string, unknown>;
type Keeping = Pick<Context, 'trx' | 'storeId' | 'store' | 'user' | 'now'>;

const scope = (shape: Shape, storeId: number): RawBuilder<unknown> =>
  sql`r.store_id = ${storeId}::integer${shape.isDocument ? sql` and r.entity = ${shape.entity}` : sql``}${shape.has('deleted_at') ? sql` and r.deleted_at is null` : sql``}`;
const keyType = (shape: Shape): RawBuilder<unknown> => sql.raw(shape.key.kind === 'text' ? 'text' : 'bigint');

/** The row of a record, or undefined; with `lock` nobody else changes it until the transaction ends. */
export async function findRow(
  { trx, storeId }: Keeping,
  shape: Shape,
  value: JsonValue,
  options: { by?: Field; lock?: boolean } = {},
): Promise<Row | undefined> {
  const by = options.by ?? shape.key;
  const { rows } =
    await sql<Row>`select r.* from ${sql.table(shape.table)} as r where ${scope(shape, storeId)} and ${by.sql} = ${value}::${by === shape.key ? keyType(shape) : sql.raw(by.kind === 'whole' ? 'bigint' : 'text')} limit 1${options.lock ? sql` for update` : sql``}`.execute(
      trx,
    );
  return rows[0];
}

/** The same, or a Refusal 404. */
export async function needRow(
  context: Keeping,
  shape: Shape,
  value: JsonValue,
  options: { by?: Field; lock?: boolean } = {},
): Promise<Row> {
  const row = await findRow(context, shape, value, options);
  if (!row) throw notFound(shape.hints.name.one);
  return row;
}

export const recordOf = (context: Keeping, shape: Shape, row: Row): JsonObject => toRecord(shape, row, context.store.currency_code);
/** What a record is called in a sentence: #12 Ann Lee. */
export const labelOf = (shape: Shape, record: JsonObject): string =>
  template(shape.hints.label, record) || String(record[shape.key.name] ?? '');
export const keyOf = (shape: Shape, row: Row): number | string => row[shape.key.column] as number | string;

/** Columns and values of a record's fields, as the row takes them. */
function assignments(context: Keeping, shape: Shape, data: JsonObject): Map<string, unknown> {
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
      shape.hints.search
        .map(name => data[name])
        .filter(value => value !== null && value !== undefined)
        .join(' ')
        .toLowerCase(),
    );
  return columns;
}
/** Columns that only the server writes. */
const OWN_COLUMNS = new Set(['store_id', 'entity', 'id', 'version', 'created_at', 'updated_at', 'updated_by', 'deleted_at']);

/** The members that belong into the document: everything but what `records` keeps in columns. */
function documentOf(shape: Shape, data: JsonObject): JsonObject {
  const kept = Object.entries(data).filter(
    ([name, value]) =>
      value !== undefined && (shape.fields.get(name)?.inDocument ?? (name !== 'id' && name !== 'version' && name !== 'position')),
  );
  return Object.fromEntries(kept);
}

/** Inserts a record; documents go to the end of their order. */
export async function insertRow(context: Keeping, shape: Shape, data: JsonObject): Promise<Row> {
  const { trx, storeId } = context;
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
    sql<Row>`insert into ${sql.table(shape.table)} (${sql.join(names.map(name => sql.ref(name)))}) values (${sql.join(values)}) returning *`.execute(
      trx,
    ),
  );
  await remember(context, shape, row);
  return row;
}

/** Writes a locked record and counts its version up. */
export async function updateRow(context: Keeping, shape: Shape, before: Row, data: JsonObject): Promise<Row> {
  const { trx, storeId } = context;
  const columns = assignments(context, shape, data);
  if (shape.has('updated_at')) columns.set('updated_at', context.now());
  if (shape.has('updated_by')) columns.set('updated_by', context.user.email);
  const sets = [...columns].map(([name, given]) => sql`${sql.ref(name)} = ${given}`);
  if (shape.has('version')) sets.push(sql`version = r.version + 1`);
  const row = await unlessTaken(shape, () =>
    sql<Row>`update ${sql.table(shape.table)} as r set ${sql.join(sets)} where ${scope(shape, storeId)} and ${shape.key.sql} = ${keyOf(shape, before)}::${keyType(shape)} returning r.*`.execute(
      trx,
    ),
  );
  await remember(context, shape, row);
  return row;
}

/** Deletes a locked record: marked as deleted where the table can, so that history and references stay. */
export async function deleteRow(context: Keeping, shape: Shape, before: Row): Promise<void> {
  const { trx, storeId } = context;
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
async function remember(context: Keeping, shape: Shape, row: Row): Promise<void> {
  if (!shape.has('version')) return;
  const data = shape.isDocument ? row.data : recordOf(context, shape, row);
  await context.trx
    .insertInto('record_history')
    .values({
      store_id: context.storeId,
      entity: shape.entity,
      id: Number(keyOf(shape, row)),
      version: Number(row.version),
      data: JSON.stringify(data),
      at: context.now(),
      by: context.user.email,
    })
    .execute();
}

async function unlessTaken(shape: Shape, write: () => Promise<{ rows: Row[] }>): Promise<Row> {
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

const taken = (shape: Shape, field: Field | undefined, given?: string): Refusal => {
  const title = (field?.schema.title ?? 'value').toLowerCase();
  const message =
    given === undefined
      ? `Another ${shape.hints.name.one} has this ${title} already. Choose another.`
      : `Another ${shape.hints.name.one} has the ${title} "${given}" already. Choose another.`;
  return new Refusal(409, 'TAKEN', message, field ? [{ pointer: `/${field.name}`, rule: 'unique', message }] : undefined);
};

/** Refuses a value of an x-record.unique field that another record of the store has, in whatever case it is written. */
export async function refuseTaken(context: Keeping, shape: Shape, data: JsonObject, self?: number | string): Promise<void> {
  for (const name of shape.hints.unique ?? []) {
    const field = shape.fields.get(name);
    const given = data[name];
    if (!field || typeof given !== 'string' || given === '') continue;
    // One writer of this kind at a time, so that two with the same name can't slip past each other.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`${context.storeId} ${shape.entity} ${name}`}, 0))`.execute(context.trx);
    const { rows } =
      await sql`select 1 from ${sql.table(shape.table)} as r where ${scope(shape, context.storeId)} and ${lowered(sql`${field.sql}::text`)} = ${given.toLowerCase()} ${self === undefined ? sql`` : sql`and ${shape.key.sql} <> ${self}::${keyType(shape)}`} limit 1`.execute(
        context.trx,
      );
    if (rows.length) throw taken(shape, field, given);
  }
}

/** The words for a state: "Active". */
export const stateTitle = (shape: Shape, state: JsonValue): string =>
  optionsOf(shape.schema.properties?.[shape.schema['x-states']?.field ?? '']).find(option => option.value === state)?.title ??
  String(state);
