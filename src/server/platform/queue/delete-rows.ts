// Rows that belong to something which was deleted: they go after the transaction, by index, a page in each one.
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import type { Database } from '../db/database.ts';
import { inSteps } from './in-steps.ts';
import type { Job } from './queue.ts';

export const DELETE_JOB = 'delete-rows';
/**
 * The column by which such a row names what it belongs to; an index begins with the store and it. Code that reads these rows begins with
 * what they belong to, or may see them for some seconds more.
 */
export const BELONGS_BY = {
  flow_runs: 'flow_id',
  campaign_members: 'campaign_id',
  subscription_import_rows: 'import_id',
} as const satisfies Record<string, string>;
export interface RowsOf {
  storeId: number;
  table: keyof typeof BELONGS_BY;
  /** Of what is gone. */
  id: number;
}

/** Deletes what belongs to a record, once the transaction that deletes the record is committed. */
export const deleteRowsOf = ({ queue, storeId, trx }: Pick<Context, 'queue' | 'storeId' | 'trx'>, table: RowsOf['table'], id: number) =>
  queue.send(DELETE_JOB, { storeId, table, id } satisfies RowsOf, { trx });

/** Deletes them; safe to repeat. */
export const deleteRows = (db: Database, { storeId, table, id }: RowsOf, job: Pick<Job, 'signal' | 'progressed'>): Promise<void> =>
  inSteps(db, storeId, job, async (trx, most, begun) => {
    begun();
    const { numAffectedRows } = await sql`delete from ${sql.table(table)} where ctid = any(array(select ctid from ${sql.table(table)}
      where store_id = ${storeId}::integer and ${sql.ref(BELONGS_BY[table])} = ${id}::bigint limit ${most}))`.execute(trx);
    return Number(numAffectedRows ?? 0n) >= most;
  });
