// How much work in the background takes on in one transaction. The embedded database has one connection and serves nobody else meanwhile: on a slow or busy
// machine steps become smaller, so that pages never wait long for their turn.
import type { Database } from './database.ts';

const LONGEST_MS = 120;
const FEWEST = 20;

/** Rows of the next step by how long (ms) the last one took: twice as many while steps are short, half as many when they are long. */
export const nextSize = (size: number, most: number, tookMs: number, fewest = FEWEST): number =>
  tookMs > LONGEST_MS ? Math.max(Math.min(most, fewest), Math.floor(size / 2)) : tookMs < LONGEST_MS / 3 ? Math.min(most, size * 2) : size;

export interface PaceOptions {
  /** Rows of every step, whatever it takes: for tests. */
  exactly?: number | undefined;
  /** Rows of the first step, and of any however long it takes; 20 by default. */
  fewest?: number;
}

/** The pace of one piece of work: ask `next` how many rows a step may take, and let its transactions run in `timed`. On PostgreSQL steps are as large as they may be. */
export class Pace {
  readonly #most: number;
  readonly #fewest: number;
  readonly #isFixed: boolean;
  #size: number;
  #longest: number | undefined;

  constructor(kind: Database['kind'], most: number, { exactly, fewest = FEWEST }: PaceOptions = {}) {
    this.#most = exactly ?? most;
    this.#fewest = fewest;
    this.#isFixed = kind !== 'embedded' || exactly !== undefined;
    this.#size = this.#isFixed ? this.#most : Math.min(most, fewest);
  }

  /** How many rows the next step may take, by the longest transaction since the last one. */
  next(): number {
    if (!this.#isFixed && this.#longest !== undefined) this.#size = nextSize(this.#size, this.#most, this.#longest, this.#fewest);
    this.#longest = undefined;
    return this.#size;
  }

  /** Runs a transaction of a step; how long it takes, waiting included, counts for the steps after it. */
  async timed<T>(work: () => Promise<T>): Promise<T> {
    const from = performance.now();
    try {
      return await work();
    } finally {
      this.#longest = Math.max(this.#longest ?? 0, performance.now() - from);
    }
  }
}
