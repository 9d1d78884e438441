// For tests that stop transactions at a certain moment: waits until so many of this database wait for a lock.
import type { Client } from 'pg';

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
