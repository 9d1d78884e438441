// Entries of the indexes of words and tags wait in a list until they are merged: a PostgreSQL server does that beside everything else, the
// embedded one within whatever statement makes the list too long, and then for far longer than the statement itself takes. While calls
// come in, work in the background gets it done often, a little each time and in turns of its own, so that calls come in between.
import { askedMs, type Lease, type StoreLog } from '../engine.ts';

export interface IndexMaintenanceOptions {
  /** The owner's connection, when its turn comes. */
  borrow(): Promise<Lease>;
  readonly log: StoreLog;
}

/** After this much work in the background (ms with the connection) the lists are merged. */
const WORK_MS = 80;
/** A turn begins no other index after this long (ms). */
const TURN_MS = 4;

const indexes =
  "SELECT format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace " +
  "JOIN pg_am a ON a.oid = c.relam WHERE a.amname = 'gin' AND c.relkind = 'i' ORDER BY 1";

export class IndexMaintenance {
  readonly #options: IndexMaintenanceOptions;
  #askedAt = Number.NEGATIVE_INFINITY;
  #workedMs = 0;
  #isMerging = false;
  #isStopped = false;

  constructor(options: IndexMaintenanceOptions) {
    this.#options = options;
  }

  /** Tells that a call asks for the connection. */
  asked(): void {
    this.#askedAt = performance.now();
  }

  /**
   * Tells how long (ms) work in the background had the connection. Call it before the turn is given on: what is due asks for the next one
   * before whatever else the work wants.
   */
  worked(ms: number): void {
    if (this.#isMerging) return;
    this.#workedMs += ms;
    if (this.#workedMs < WORK_MS || this.#isStopped || performance.now() - this.#askedAt > askedMs) return;
    this.#isMerging = true;
    this.#merge()
      .catch((error: unknown) => {
        if (!this.#isStopped)
          this.#options.log.warn({ error: String(error) }, 'Entries of indexes could not be merged; it is tried again.');
      })
      .finally(() => {
        this.#isMerging = false;
        this.#workedMs = 0;
      });
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #merge(): Promise<void> {
    let names: string[] | undefined;
    while (!this.#isStopped && names?.length !== 0) {
      const { client, release } = await this.#options.borrow();
      try {
        const from = performance.now();
        names ??= (await client.query<{ name: string }>(indexes)).rows.map(row => row.name);
        while (names.length > 0 && performance.now() - from < TURN_MS)
          await client.query('SELECT gin_clean_pending_list($1::regclass)', [names.shift()]);
      } finally {
        release();
      }
    }
  }
}
