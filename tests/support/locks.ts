// For tests that stop transactions at a certain moment: waits until so many of this database wait for a lock.
import type { Kysely } from 'kysely';
import type { Client } from 'pg';
import type { Tables } from '../../src/generated/tables.ts';
import type { Database } from '../../src/server/platform/db/database.ts';

/** Holds what `lock` takes, in a transaction of its own, as long as `work` lasts. Only where others have connections of their own. */
export async function whileLocked<T>(db: Database, lock: (trx: Kysely<Tables>) => Promise<unknown>, work: () => Promise<T>): Promise<T> {
  let release = (): void => undefined;
  const released = new Promise<void>(resolve => {
    release = resolve;
  });
  let isOver: Promise<unknown> = Promise.resolve();
  await new Promise<void>((locked, failed) => {
    isOver = db.asOwner(async trx => {
      await lock(trx);
      locked();
      await released;
    });
    isOver.catch(failed);
  });
  try {
    return await work();
  } finally {
    release();
    await isOver;
  }
}

/** Resolves when `least` sessions of the client's database wait for a lock, or `until` has settled meanwhile. */
export async function waitingForLocks(client: Client, least: number, until?: Promise<unknown>): Promise<void> {
  let settled = false;
  void until?.then(
    () => {
      settled = true;
    },
    () => {
      settled = true;
    },
  );
  for (;;) {
    const { rows } = await client.query<{ n: number }>(
      "select count(*)::integer as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and pid <> pg_backend_pid()",
    );
    if (settled || (rows[0]?.n ?? 0) >= least) return;
    await new Promise(resolve => {
      setTimeout(resolve, 10);
    });
  }
}
