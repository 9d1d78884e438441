// The stores that a job of every minute has something to do for.
import type { Database } from '../db/database.ts';

/** The clock of a store `s` in SQL: demo stores may be ahead of the machine. */
export const STORE_NOW = "(now() + s.clock_offset_ms * interval '1 millisecond')";

/** Stores `s` that a condition in SQL holds for, each with the time of its clock. */
export async function storesWhere(db: Pick<Database, 'ownerQuery'>, condition: string): Promise<{ id: number; now: Date }[]> {
  const { rows } = await db.ownerQuery<{ id: number; now: Date }>(
    `select s.id, ${STORE_NOW} as now from stores s where ${condition} order by s.id`,
  );
  return rows;
}
