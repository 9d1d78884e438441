// Work on more rows than one transaction should hold: a page of them in each, so that calls don't wait long for rows or, on the embedded
// database, for the connection. What it has done is done: a process that dies takes nothing back, and the next one goes on.
import type { Kysely } from 'kysely';
import type { Tables } from '../../../generated/tables.ts';
import type { Database } from '../db/database.ts';
import { BatchSize } from './batch-size.ts';
import type { Job } from './queue.ts';

/** Rows of one transaction, at most, and how long it may take (ms). */
const MOST = 2000;
const STEP_MS = 30_000;

/**
 * Calls `step` in one transaction of the store after the other until it gives false: there is nothing left. `most` is how many rows it may
 * take; `begun` is called when it has what it waited for.
 */
export async function inSteps(
  db: Database,
  storeId: number,
  { signal, progressed }: Pick<Job, 'signal' | 'progressed'>,
  step: (trx: Kysely<Tables>, most: number, begun: () => void) => Promise<boolean>,
): Promise<void> {
  const size = new BatchSize(db, MOST);
  for (let isOpen = true; isOpen;) {
    signal.throwIfAborted();
    const most = size.next();
    isOpen = await size.timed(begun => db.inStore(storeId, trx => step(trx, most, begun), { timeoutMs: STEP_MS }));
    await progressed();
  }
}
