// Rows as the engine holds them in memory, and the few statements that read and write many of them at once.
import { sql, type Kysely, type Selectable } from 'kysely';
import type {
  BillingAttemptsTable,
  ContractDiscountsTable,
  ContractLinesTable,
  ContractsTable,
  CustomersTable,
  GiftsTable,
  OrdersTable,
  PaymentMethodsTable,
  Tables,
  VariantsTable,
} from '../../generated/tables.ts';
import { prepared } from '../platform/db/prepared-statements.ts';

export type ContractRow = Selectable<ContractsTable>;
export type LineRow = Selectable<ContractLinesTable>;
export type DiscountRow = Selectable<ContractDiscountsTable>;
export type OrderRow = Selectable<OrdersTable>;
export type AttemptRow = Selectable<BillingAttemptsTable>;
export type MethodRow = Selectable<PaymentMethodsTable>;
export type CustomerRow = Selectable<CustomersTable>;
export type GiftRow = Selectable<GiftsTable>;
export type VariantRow = Selectable<VariantsTable>;

type Row = Record<string, unknown>;
type TableName = keyof Tables & string;

/** Inserts rows in one statement. All rows have the columns of the first; those left out take their defaults. */
export async function insertMany(trx: Kysely<Tables>, table: TableName, rows: readonly object[]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const columns = sql.join(Object.keys(first).map(name => sql.ref(name)));
  await prepared(
    sql`insert into ${sql.table(table)} (${columns}) select ${columns}
        from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::jsonb)`,
  ).execute(trx);
}

/** Updates the given columns of many rows, found by store and id, in one statement. */
export async function updateMany(
  trx: Kysely<Tables>,
  table: TableName,
  rows: readonly { store_id: number; id: number }[],
  columns: readonly string[],
): Promise<void> {
  if (rows.length === 0 || columns.length === 0) return;
  const values = rows.map(row => Object.fromEntries(['store_id', 'id', ...columns].map(name => [name, (row as Row)[name]])));
  const assignments = sql.join(columns.map(name => sql`${sql.ref(name)} = v.${sql.ref(name)}`));
  await sql`update ${sql.table(table)} t set ${assignments}
      from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(values)}::jsonb) v
    where t.store_id = v.store_id and t.id = v.id`.execute(trx);
}

/** Deletes rows by store and id. */
export async function deleteMany(trx: Kysely<Tables>, table: TableName, storeId: number, ids: readonly number[]): Promise<void> {
  if (ids.length)
    await sql`delete from ${sql.table(table)} where store_id = ${storeId}::integer and id = any(${ids}::bigint[])`.execute(trx);
}

/** Fresh ids of a table, before its rows are written. */
export async function newIds(trx: Kysely<Tables>, table: TableName, count: number): Promise<number[]> {
  if (count === 0) return [];
  const { rows } = await sql<{
    id: number;
  }>`select nextval(pg_get_serial_sequence(${table}, 'id')) as id from generate_series(1, ${count}::integer)`.execute(trx);
  return rows.map(row => Number(row.id));
}

const same = (a: unknown, b: unknown): boolean => {
  if (a === b) return true;
  if (a instanceof Date && b instanceof Date) return a.getTime() === b.getTime();
  if (typeof a === 'object' && typeof b === 'object' && a !== null && b !== null) return JSON.stringify(a) === JSON.stringify(b);
  return false;
};

/**
 * Whether two versions of a row differ, in a column that is not among `apart`. Every contract of a bulk action is compared several times,
 * mostly to find that nothing changed: a loop that makes no lists leaves less to collect.
 */
export function hasChanged(before: object, after: object, apart?: ReadonlySet<string>): boolean {
  for (const name in after) if (!same((before as Row)[name], (after as Row)[name]) && !apart?.has(name)) return true;
  return false;
}

/** Names of the columns whose value differs between two versions of a row. */
export function changedColumns(before: object, after: object): string[] {
  const names: string[] = [];
  for (const name in after) if (!same((before as Row)[name], (after as Row)[name])) names.push(name);
  return names;
}

/** A copy to compare with later. Documents and lists inside a row are never changed in place, always replaced, so one level is enough. */
export const copyOf = <T extends object>(row: T): T => ({ ...row });

/** The public id of an order with this number: like the number a store's own, so that no store learns from it how much others sell. */
export const publicOrderId = (orderNumber: number): number => 5_500_000_000 + orderNumber;
