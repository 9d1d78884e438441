// What became of each row of a file, as it is kept.
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../../../generated/tables.ts';
import type { UnitOutcome } from './build-units.ts';
import type { FieldKey, FileColumn } from './columns.ts';
import type { ImportData } from './import-record.ts';
import type { RowProblem } from './read-unit.ts';

export interface KeptRow {
  position: number;
  external_id: string;
  status: 'PENDING' | 'FAILED' | 'SKIPPED' | 'IMPORTED';
  wrong_columns: string;
  message: string;
  contract_id: number | null;
  customer_id: number | null;
}

/** The rows of outcomes. A subscription comes in whole or not at all: rows without an error say which row holds them up. */
export function rowsOf(outcomes: readonly UnitOutcome[], columns: readonly FileColumn[], isCheck: boolean): KeptRow[] {
  const heads = new Map(columns.flatMap(({ head, field }) => (field === null ? [] : [[field, head] as const])));
  return outcomes.flatMap(outcome => {
    const { unit } = outcome;
    return unit.rows.map(({ position }, index): KeptRow => {
      const row = { position, external_id: unit.externalId, wrong_columns: '', message: '', contract_id: null, customer_id: null };
      if (outcome.status === 'FAILED') {
        const mine = outcome.problems.filter(problem => problem.position === position);
        const other = outcome.problems[0]?.position;
        return {
          ...row,
          status: 'FAILED',
          wrong_columns: headsOf(mine, heads),
          message: mine.length ? messagesOf(mine, heads) : `Row ${other} of the same subscription has an error.`,
        };
      }
      if (outcome.status === 'SKIPPED')
        return {
          ...row,
          status: 'SKIPPED',
          message: `Subscription #${outcome.contractId} was imported with this id before.`,
          contract_id: outcome.contractId,
        };
      if (isCheck) return { ...row, status: 'PENDING' };
      return { ...row, status: 'IMPORTED', contract_id: outcome.contractId, customer_id: index === 0 ? outcome.customerId : null };
    });
  });
}

/** A column that the file lacks is called by the name that it has in our template. */
const headOf = (field: FieldKey, heads: ReadonlyMap<FieldKey, string>): string => heads.get(field) ?? field;
const headsOf = (problems: readonly RowProblem[], heads: ReadonlyMap<FieldKey, string>): string =>
  [...new Set(problems.flatMap(({ field }) => (field ? headOf(field, heads) : [])))].join(', ');
const messagesOf = (problems: readonly RowProblem[], heads: ReadonlyMap<FieldKey, string>): string =>
  problems.length === 1
    ? (problems[0] as RowProblem).message
    : problems.map(({ field, message }) => (field ? `${headOf(field, heads)}: ${message}` : message)).join(' ');

/** Writes rows, over those of the same positions. */
export async function keepRows(trx: Kysely<Tables>, { storeId, importId }: ImportData, rows: readonly KeptRow[]): Promise<void> {
  if (rows.length === 0) return;
  await sql`insert into subscription_import_rows
      (store_id, import_id, position, external_id, status, wrong_columns, message, contract_id, customer_id)
    select ${storeId}::integer, ${importId}::bigint, position, external_id, status, wrong_columns, message, contract_id, customer_id
      from jsonb_populate_recordset(null::subscription_import_rows, ${JSON.stringify(rows)}::jsonb)
    on conflict (store_id, import_id, position) do update set status = excluded.status, wrong_columns = excluded.wrong_columns,
      message = excluded.message, contract_id = excluded.contract_id, customer_id = excluded.customer_id`.execute(trx);
}

/** Deletes so many of the rows behind a position: they are from an earlier look at the file. @returns how many */
export async function forgetRows(trx: Kysely<Tables>, { storeId, importId }: ImportData, after: number, most: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from subscription_import_rows where ctid = any(array(select ctid
    from subscription_import_rows where store_id = ${storeId}::integer and import_id = ${importId}::bigint
      and position > ${after}::integer limit ${most}))`.execute(trx);
  return Number(numAffectedRows ?? 0n);
}

/** How many subscriptions an import made, and the first of them that was charged since. */
export async function importedRows(
  trx: Kysely<Tables>,
  { storeId, importId }: ImportData,
): Promise<{ contracts: number; charged: number | null }> {
  const { rows } = await sql<{ contracts: number; charged: number | null }>`
    select count(distinct i.contract_id)::integer as contracts, (select o.contract_id from subscription_import_rows j
        join orders o on o.store_id = j.store_id and o.contract_id = j.contract_id and o.status not in ('SCHEDULED', 'SKIPPED')
      where j.store_id = ${storeId}::integer and j.import_id = ${importId}::bigint and j.status = 'IMPORTED' limit 1) as charged
    from subscription_import_rows i where i.store_id = ${storeId}::integer and i.import_id = ${importId}::bigint
      and i.status = 'IMPORTED'`.execute(trx);
  return rows[0] ?? { contracts: 0, charged: null };
}
