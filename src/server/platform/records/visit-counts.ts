// Counts of visits that can come faster than one row takes them: they are collected for a moment, then written together, so that however
// many
// people open a link at once, none waits for another. What was collected is written before a server stops; a process that is killed loses
// the visits of that moment.
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '../db/database.ts';

/** A link of a store, and the day at the store (YYYY-MM-DD) on which it was opened. */
export interface Visit {
  storeId: number;
  linkId: number;
  day: string;
}

/** So long (ms) is collected. */
const COLLECTED_MS = 250;

export class VisitCounts {
  readonly #db: Database;
  /** Lets work go on after the answer, and is waited for when the server stops. */
  readonly #background: (work: Promise<unknown>) => void;
  #counts = new Map<string, Visit & { visits: number }>();
  #isWriting = false;

  constructor(db: Database, background: (work: Promise<unknown>) => void) {
    this.#db = db;
    this.#background = background;
  }

  count(visit: Visit): void {
    const key = `${visit.storeId} ${visit.linkId} ${visit.day}`;
    const before = this.#counts.get(key)?.visits ?? 0;
    this.#counts.set(key, { ...visit, visits: before + 1 });
    if (this.#isWriting) return;
    this.#isWriting = true;
    this.#background(this.#writeSoon());
  }

  async #writeSoon(): Promise<void> {
    await sleep(COLLECTED_MS);
    const collected = [...this.#counts.values()];
    this.#counts = new Map();
    this.#isWriting = false;
    const failures: unknown[] = [];
    for (const { storeId, linkId, day, visits } of collected)
      await this.#db
        .inStore(storeId, trx =>
          sql`insert into checkout_visits as v (store_id, link_id, day, visits)
            values (${storeId}::integer, ${linkId}::bigint, ${day}::date, ${visits}::integer)
            on conflict (store_id, link_id, day) do update set visits = v.visits + excluded.visits`.execute(trx),
        )
        .catch((error: unknown) => failures.push(error));
    if (failures.length) throw failures[0];
  }
}
