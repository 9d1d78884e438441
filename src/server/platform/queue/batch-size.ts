// How much work in the background takes on in one transaction. The embedded database has one connection and serves no other call meanwhile:
// on a slow or busy machine steps become smaller, and while calls come in they are short, so that pages never wait long for their turn.
import type { Database } from '../db/database.ts';

/** The longest step (ms) while no call comes in: a page that comes in between waits for the rest of one. */
const LONGEST_MS = 120;
/** What a step should take while calls come in: a list, which takes a few milliseconds itself, waits for one of them. */
const ASKED_MS = 15;
const MIN_ROWS = 20;
/** Where others have connections of their own: what part of a step is taken while calls come in. */
const ASKED_PART = 1 / 4;

/** Rows of the next step by how long (ms) the last one took: twice as many while steps are short, half as many when they are long. */
export const nextBatchSize = (size: number, most: number, tookMs: number, min = MIN_ROWS): number =>
  tookMs > LONGEST_MS ? Math.max(Math.min(most, min), Math.floor(size / 2)) : tookMs < LONGEST_MS / 3 ? Math.min(most, size * 2) : size;

/**
 * The same while calls come in: as many as should take their time, at most half or twice as many, and no fewer than half of the fewest,
 * which would hardly be quicker.
 */
export const nextAskedSize = (size: number, most: number, tookMs: number, min = MIN_ROWS): number =>
  Math.min(most, Math.max(Math.ceil(Math.min(most, min) / 2), Math.round(size * Math.min(2, Math.max(0.5, ASKED_MS / tookMs)))));

export interface BatchSizeOptions {
  /** Rows of every step, whatever it takes: for tests. */
  exactly?: number | undefined;
  /** Rows of the first step, and of any however long it takes while no call comes in; 20 by default. */
  min?: number;
}

/**
 * The batch size of one piece of work: ask `next` how many rows a step may take, and let its transactions run in `timed`. On PostgreSQL
 * others have connections of their own: steps are as large as they may be, and a quarter of that while this process answers calls, which
 * wait while it reads what a step is about. Steps while calls come in and steps while none do are measured apart, so that each begins
 * at once with what was right last time.
 */
export class BatchSize {
  readonly #db: Pick<Database, 'kind' | 'isAsked'>;
  readonly #most: number;
  readonly #fewest: number;
  /** Of every step, whatever it takes; undefined: as the batch size says. */
  readonly #fixed: number | undefined;
  readonly #sizes: { quiet: number; busy: number };
  #kind: 'quiet' | 'busy' = 'quiet';
  #longest: number | undefined;

  constructor(db: Pick<Database, 'kind' | 'isAsked'>, most: number, { exactly, min = MIN_ROWS }: BatchSizeOptions = {}) {
    this.#db = db;
    this.#most = exactly ?? most;
    this.#fewest = Math.min(this.#most, min);
    this.#fixed = exactly;
    this.#sizes = { quiet: this.#fewest, busy: this.#fewest };
  }

  /** How many rows the next step may take, by the longest transaction since the last one. */
  next(): number {
    if (this.#fixed !== undefined) return this.#fixed;
    if (this.#db.kind !== 'embedded') return this.#db.isAsked ? Math.max(this.#fewest, Math.ceil(this.#most * ASKED_PART)) : this.#most;
    const took = this.#longest;
    this.#longest = undefined;
    if (took !== undefined) {
      this.#sizes[this.#kind] =
        this.#kind === 'busy'
          ? nextAskedSize(this.#sizes.busy, this.#most, took, this.#fewest)
          : nextBatchSize(this.#sizes.quiet, this.#most, took, this.#fewest);
    }
    this.#kind = this.#db.isAsked ? 'busy' : 'quiet';
    return this.#sizes[this.#kind];
  }

  /**
   * Runs a transaction of a step; how long it takes counts for the steps after it. The work calls `begun` when it has the connection: what
   * it waited for its turn until then says nothing about it.
   */
  async timed<T>(work: (begun: () => void) => Promise<T>): Promise<T> {
    let from = performance.now();
    try {
      return await work(() => {
        from = performance.now();
      });
    } finally {
      this.#longest = Math.max(this.#longest ?? 0, performance.now() - from);
    }
  }
}
