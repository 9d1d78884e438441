// What a connection that is over has left: which row here was which there, and what the shop told of. It goes in steps, before anything
// of another connection is read.
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../../generated/tables.ts';
import { inSteps } from '../../platform/queue/in-steps.ts';
import { note, type Connection, type ConnectionServices } from './connection.ts';

type Left = 'platform_ids' | 'platform_changes' | 'platform_differences';

/** Undefined: the store is connected no more. */
export async function forget(
  { db }: Pick<ConnectionServices, 'db'>,
  storeId: number,
  connection: Connection | undefined,
  signal: AbortSignal,
): Promise<void> {
  const all = (table: Left) =>
    inSteps(db, storeId, { signal, progressed: async () => {} }, async (trx, most, begun) => {
      begun();
      return (await some(trx, storeId, table, most)) >= most;
    });
  await all('platform_ids');
  await all('platform_changes');
  await all('platform_differences');
  if (connection) await db.inStore(storeId, trx => note(trx, connection, { forgets: false }));
}

async function some(trx: Kysely<Tables>, storeId: number, table: Left, most: number): Promise<number> {
  const { numAffectedRows } = await sql`delete from ${sql.table(table)} where ctid = any(array(select ctid from ${sql.table(table)}
    where store_id = ${storeId}::integer limit ${most}))`.execute(trx);
  return Number(numAffectedRows ?? 0n);
}
