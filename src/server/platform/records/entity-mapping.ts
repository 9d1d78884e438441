// Where a record is kept: which column or JSON member holds each field of an entity, and how its value looks on the wire and in SQL.
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Definitions, JsonObject, JsonValue, RecordHints, Schema } from '../../../contract/types.ts';
import { optionsOf } from '../../../contract/paths.ts';
import { toDecimal, toMinor } from '../../../domain/money/money.ts';
import type { Tables } from '../../../generated/tables.ts';
import type { Rules } from './rules.ts';

export type Kind = 'text' | 'whole' | 'number' | 'boolean' | 'money' | 'epoch' | 'instant' | 'date' | 'texts' | 'wholes' | 'json';

export interface Field {
  name: string;
  schema: Schema;
  kind: Kind;
  /** The column; of a document, the member of `data`, or a column of `records` for what every record has. */
  column: string;
  /** SQL for the value, with the type it is compared in. */
  sql: RawBuilder<unknown>;
  nullable: boolean;
  /** Kept inside the jsonb document. */
  inDocument: boolean;
}

export interface EntityMapping {
  entity: string;
  schema: Schema;
  hints: RecordHints;
  /** What stands around the verbs of the entity. */
  rules: Rules;
  /** The table; "records" for documents. */
  table: string;
  isDocument: boolean;
  key: Field;
  fields: Map<string, Field>;
  /** Members that not everybody may have (`x-ui.permission`). */
  guarded: readonly string[];
  /** Members that are secret (`x-ui.secret`): records hold their masks. */
  secrets: readonly string[];
  /** The fields in their order. */
  all: readonly Field[];
  /** Columns that the table has besides: version, deleted_at, updated_at, updated_by, position, search, currency_code. */
  has(column: string): boolean;
  titleOne: string;
  titleMany: string;
}

/** table -> column -> PostgreSQL type, as the migrated database says. */
export type Columns = Map<string, Map<string, { type: string; nullable: boolean }>>;

/** Reads the columns of every table once at start, so that a definition that names a missing one is found there and not at a request. */
export async function readColumns(db: Kysely<Tables>): Promise<Columns> {
  const { rows } = await sql<{ t: string; c: string; type: string; required: boolean }>`
    select c.relname as t, a.attname as c, format_type(a.atttypid, null) as type, a.attnotnull as required
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p', 'v') and a.attnum > 0 and not a.attisdropped`.execute(db);
  const columns: Columns = new Map();
  for (const row of rows) {
    let table = columns.get(row.t);
    if (!table) columns.set(row.t, (table = new Map()));
    table.set(row.c, { type: row.type, nullable: !row.required });
  }
  return columns;
}

const snake = (name: string): string => name.replace(/Epoch$/, '').replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);
const epochColumn = (name: string, columns: Map<string, unknown>): string | undefined =>
  [snake(name), `${snake(name)}_at`].find(column => columns.has(column));

/** What every document has in columns of `records`. */
const OF_RECORDS: Record<string, string> = {
  id: 'id',
  version: 'version',
  position: 'position',
  createdAt: 'created_at',
  createdAtEpoch: 'created_at',
  updatedAt: 'updated_at',
  updatedAtEpoch: 'updated_at',
  updatedBy: 'updated_by',
};

/** How a value of a schema is kept and written; `column`: the PostgreSQL type of its column. */
export function kindOf(schema: Schema, column?: string): Kind {
  const types = [schema.type ?? (schema.anyOf ?? schema.oneOf ?? []).flatMap(branch => branch.type ?? [])]
    .flat()
    .filter(type => type !== 'null');
  if (column === 'jsonb') return 'json';
  if (schema.format === 'money') return 'money';
  if (schema.format === 'epoch') return 'epoch';
  if (column?.startsWith('timestamp') || schema.format === 'date-time') return column === 'text' ? 'text' : 'instant';
  if (schema.format === 'date') return 'date';
  if (column?.endsWith('[]')) return column === 'text[]' ? 'texts' : 'wholes';
  if (types.includes('array')) {
    const items = [schema.items?.type ?? []].flat();
    return column
      ? 'json'
      : items.includes('integer')
        ? 'wholes'
        : items.includes('string') || optionsOf(schema.items).length
          ? 'texts'
          : 'json';
  }
  if (types.includes('boolean') || column === 'boolean') return 'boolean';
  if (types.includes('integer')) return 'whole';
  if (types.includes('number')) return 'number';
  if (types.includes('object')) return 'json';
  return 'text';
}

/** SQL for a member of a document, in the type it is compared in. Members are never user input: names come from the schemas. */
function memberSql(name: string, kind: Kind): RawBuilder<unknown> {
  const text = sql`(r.data ->> ${sql.lit(name)})`;
  switch (kind) {
    case 'whole':
    case 'epoch':
      return sql`(${text})::bigint`;
    case 'number':
    case 'money':
      return sql`(${text})::numeric`;
    case 'boolean':
      return sql`(${text})::boolean`;
    case 'instant':
      return sql`(${text})::timestamptz`;
    case 'texts':
    case 'wholes':
    case 'json':
      return sql`(r.data -> ${sql.lit(name)})`;
    default:
      return text;
  }
}

/** Builds the shape of an entity. Throws an Error naming the schema when x-record names a table or column that is not there. */
export function entityMappingOf(definitions: Definitions, columns: Columns, entity: string, rules: Rules = {}): EntityMapping {
  const schema = definitions.entities[entity];
  if (!schema) throw new Error(`schemas/entities/${entity}.json does not exist.`);
  const hints = schema['x-record'] ?? { name: { one: entity, many: `${entity}s` }, key: 'id', label: '{id}' };
  const table = hints.table ?? 'records';
  const own = columns.get(table);
  if (!own) throw new Error(`schemas/entities/${entity}.json: x-record.table "${table}" is not a table of the database.`);
  const isDocument = hints.table === undefined;
  const fields = new Map<string, Field>();
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const wanted = hints.columns?.[name];
    const column = isDocument
      ? (wanted ?? OF_RECORDS[name])
      : (wanted ?? (field.format === 'epoch' ? epochColumn(name, own) : snake(name)));
    if (wanted && !own.has(wanted))
      throw new Error(`schemas/entities/${entity}.json: x-record.columns.${name} "${wanted}" is not a column of ${table}.`);
    if (isDocument && !column) {
      const kind = kindOf(field);
      fields.set(name, { name, schema: field, kind, column: name, sql: memberSql(name, kind), nullable: true, inDocument: true });
    } else if (column && own.has(column)) {
      const about = own.get(column) as { type: string; nullable: boolean };
      fields.set(name, {
        name,
        schema: field,
        kind: kindOf(field, about.type),
        column,
        sql: sql.ref(`r.${column}`),
        nullable: about.nullable,
        inDocument: false,
      });
    }
  }
  const keyName = hints.key || 'id';
  const keyColumn = fields.get(keyName);
  const key = keyColumn ?? {
    name: keyName,
    schema: { type: 'integer' as const },
    kind: 'whole' as const,
    column: 'id',
    sql: sql.ref('r.id'),
    nullable: false,
    inDocument: false,
  };
  for (const list of ['filter', 'sort', 'search'] as const)
    for (const name of hints[list] ?? []) {
      if (!fields.has(name.split('.')[0] as string) && !schema.properties?.[name]?.['x-catalogue'])
        throw new Error(
          `schemas/entities/${entity}.json: x-record.${list} names "${name}", which has no column in ${table}. Add it to x-record.columns.`,
        );
    }
  for (const name of rules.derive?.needs ?? [])
    if (!fields.has(name) && name !== keyName && !schema.properties?.[name])
      throw new Error(`The rules of "${entity}" need "${name}", which schemas/entities/${entity}.json does not have.`);
  const guarded = Object.keys(schema.properties ?? {}).filter(name => schema.properties?.[name]?.['x-ui']?.permission);
  for (const name of guarded) {
    if (name === keyName)
      throw new Error(`schemas/entities/${entity}.json: its key "${name}" can't be kept from anybody (x-ui.permission).`);
    if (!isDocument && own.has('search') && hints.search?.includes(name))
      throw new Error(
        `schemas/entities/${entity}.json: "${name}" is searched in the column "search" of ${table} with others, so that it can't be ` +
          `kept from anybody (x-ui.permission).`,
      );
  }
  const one = hints.name.one;
  return {
    entity,
    schema,
    hints,
    rules,
    table,
    isDocument,
    key,
    fields,
    all: [...fields.values()],
    guarded,
    secrets: Object.keys(schema.properties ?? {}).filter(name => schema.properties?.[name]?.['x-ui']?.secret),
    has: column => own.has(column),
    titleOne: one.charAt(0).toUpperCase() + one.slice(1),
    titleMany: hints.name.many,
  };
}

const pad = (value: unknown): JsonValue => (value === undefined ? null : (value as JsonValue));

/** A value of the database as it goes over the wire. `currency` is the row's, for amounts kept in minor units. */
export function toWire(field: Field, value: unknown, currency: string): JsonValue {
  if (value === null || value === undefined) return null;
  switch (field.kind) {
    case 'money':
      return field.inDocument ? (value as JsonValue) : toDecimal(Number(value), currency);
    case 'epoch':
      return value instanceof Date ? Math.floor(value.getTime() / 1000) : pad(value);
    case 'instant':
      return value instanceof Date ? value.toISOString() : pad(value);
    case 'date':
      return value instanceof Date ? value.toISOString().slice(0, 10) : pad(value);
    case 'number':
      return Number(value);
    default:
      return value as JsonValue;
  }
}

/** A value of the wire as the column takes it. */
export function toColumn(field: Field, value: JsonValue | undefined, currency: string): unknown {
  if (value === null || value === undefined) return null;
  switch (field.kind) {
    case 'money':
      return toMinor(value as string, currency);
    case 'epoch':
      return new Date((value as number) * 1000);
    case 'instant':
      return new Date(value as string);
    case 'json':
      return JSON.stringify(value);
    default:
      return value;
  }
}

/**
 * A row (of the table, or of `records`) as a record of the wire: what is in columns, then what is in the document. Fields that have neither
 * are left to handlers.
 * Lists write the same without making it (`recordText`).
 */
export function toRecord(shape: EntityMapping, row: Record<string, unknown>, storeCurrency: string): JsonObject {
  const record: JsonObject = {};
  const currency = typeof row.currency_code === 'string' ? row.currency_code : storeCurrency;
  for (const field of shape.all) if (!field.inDocument) record[field.name] = toWire(field, row[field.column], currency);
  record[shape.key.name] ??= pad(row[shape.key.column]);
  if (shape.isDocument || shape.has('version')) record.version ??= pad(row.version);
  const data = row.data as JsonObject | null;
  for (const field of shape.all) {
    const value = field.inDocument ? data?.[field.name] : undefined;
    if (value !== undefined) record[field.name] = value;
  }
  return record;
}
