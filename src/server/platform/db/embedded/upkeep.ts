// What a PostgreSQL server does in the background and the embedded one does not, having no background: checkpoints, so that the
// next start is quick, vacuum with fresh statistics, so that lists stay quick, and hourly backups.
import type { Lease, StoreLog } from '../engine.ts';

export interface UpkeepOptions {
  /** Is the database unused? */
  idle(): boolean;
  /** The owner's connection, when its turn comes. */
  borrow(): Promise<Lease>;
  backup(): Promise<void>;
  /** When the last backup was written (ms), 0 for never. */
  readonly backedUpAt: number;
  /** Time between backups while something changes, an hour by default. */
  readonly backupMs?: number;
  readonly log: StoreLog;
}

const tickMs = 1000;
const usualBackupMs = 3_600_000;
const megabyte = 1 << 20;
/**
 * Log written since the last checkpoint that asks for one: at any time, and when no call waits. A start after a kill repeats this
 * log, about 40 MB of it a second.
 */
const checkpointAt = { busy: 24 * megabyte, idle: 1 * megabyte };
/**
 * Work in the background writes as much within two seconds. Everybody waits for a checkpoint, and each makes the log grow faster, for it
 * then repeats every page that is touched; so the next one keeps this distance (ms), or waits until so much was written.
 */
const checkpointMs = 6000;
const checkpointMost = 80 * megabyte;
/** Under constant use a table is vacuumed this often all the same. */
const vacuumMs = 60_000;

/** The table that gains most from a vacuum; the thresholds are those of PostgreSQL's autovacuum. */
const neediest = `
  SELECT format('%I.%I', schemaname, relname) AS name FROM pg_stat_user_tables
  WHERE n_dead_tup > 50 + 0.2 * n_live_tup OR n_mod_since_analyze > 50 + 0.1 * n_live_tup OR n_ins_since_vacuum > 1000 + 0.2 * n_live_tup
  ORDER BY n_dead_tup + n_mod_since_analyze DESC LIMIT 1`;

export class Upkeep {
  readonly #options: UpkeepOptions;
  #timer: NodeJS.Timeout | undefined;
  #working: Promise<void> | undefined;
  #usedAt = 0;
  #vacuumedAt = Date.now();
  #checkpointAt = 0;
  #backedUpAt: number;
  #due = false;
  /** True until the first look: the last process may have written after its last backup. */
  #changed = true;
  #rows = -1;

  constructor(options: UpkeepOptions) {
    this.#options = options;
    // A folder without a backup gets its first one an hour after its first change.
    this.#backedUpAt = options.backedUpAt || Date.now();
  }

  start(): void {
    this.#timer ??= setInterval(() => this.#tick(), tickMs).unref();
  }
  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
  /** Tells that a connection was used. */
  touched(): void {
    if (this.#working) return;
    this.#usedAt = Date.now();
    this.#due = true;
  }

  #tick(): void {
    const now = Date.now();
    const idle = this.#options.idle() && now - this.#usedAt >= tickMs;
    if (this.#working || !this.#due) return;
    this.#working = this.#work(idle)
      .catch((error: unknown) =>
        this.#options.log.warn({ error: String(error) }, 'Upkeep of the embedded database failed; it is tried again.'),
      )
      .finally(() => {
        this.#working = undefined;
      });
  }

  async #work(idle: boolean): Promise<void> {
    const lease = await this.#options.borrow();
    try {
      const query = <R extends object>(text: string) => lease.client.query<R>(text).then(({ rows }) => rows[0]);
      await query('SELECT pg_stat_force_next_flush()');
      // Rows ever written tell whether there is something new to back up; the queue's own bookkeeping is not worth a backup.
      const log = await query<{ bytes: number; rows: number }>(`
        SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), redo_lsn)::int8 AS bytes,
          (SELECT coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0)::int8 FROM pg_stat_user_tables WHERE schemaname = 'public') AS rows
        FROM pg_control_checkpoint()`);
      if (!log) return;
      if (this.#rows >= 0 && log.rows !== this.#rows) this.#changed = true;
      this.#rows = log.rows;
      let more = false;
      const isDue = idle
        ? log.bytes > checkpointAt.idle
        : log.bytes > checkpointMost || (log.bytes > checkpointAt.busy && Date.now() - this.#checkpointAt >= checkpointMs);
      if (isDue) {
        await query('CHECKPOINT');
        this.#checkpointAt = Date.now();
      } else if (idle || Date.now() - this.#vacuumedAt > vacuumMs) {
        this.#vacuumedAt = Date.now();
        const table = await query<{ name: string }>(neediest);
        if (table) {
          await query(`VACUUM (ANALYZE) ${table.name}`);
          more = true;
        }
      }
      this.#due = more || !idle;
    } finally {
      lease.release();
    }
    if (this.#changed && Date.now() - this.#backedUpAt >= (this.#options.backupMs ?? usualBackupMs)) {
      this.#backedUpAt = Date.now();
      this.#changed = false;
      await this.#options.backup();
    }
  }
}
