// The machine's time, shared by person, store, address and link. All work that costs much stands in one of a few lines, and each line has
// places for few at once, of which no caller may have all: so one member with sixteen charts, or one link that everybody opens, slows down
// themselves and leaves the rest to others. The reasons of the numbers are in docs/decisions.md ("Overload").
import type { ServerResponse } from 'node:http';
import type { StoreLog } from '../db/engine.ts';
import { Refusal } from '../context.ts';
import { later, translated } from '../../../domain/text/t.ts';
import { LINES, type Line } from './lines.ts';
import { LoadShedder, type Limits, type Slot } from './load-shedder.ts';
import type { Owner } from './tally.ts';

const REFUSED: Record<Line, string> = {
  calls: later`The server has more to do than it can at the moment. Nothing was saved. Try again in a few seconds.`,
  pages: later`Very many people are opening this page at the moment. Wait a few seconds and load it again.`,
  charts: later`The figures that you asked for before are still being worked out. Try again in a few seconds.`,
  exports: later`Other files are still being made. Try again when one of them is finished.`,
  pictures: later`Other pictures are still being prepared. Nothing was saved. Try again in a few seconds.`,
  templates: later`Other previews are still being made. Try again in a few seconds.`,
};
/** Seconds until a refused caller may come back, at least and at most: not all in the same one. */
const AGAIN: Partial<Record<Line, { least: number; most: number }>> = { exports: { least: 10, most: 20 } };
export const againIn = (line: Line): number => {
  const { least, most } = AGAIN[line] ?? { least: 1, most: 3 };
  return least + Math.floor(Math.random() * (most - least + 1));
};
/** The answer to work that found no place in time: 503, with Retry-After. */
const refused = (line: Line): Refusal => new Refusal(503, 'OVERLOADED', translated(REFUSED[line]), undefined, undefined, againIn(line));

export class Shares {
  readonly #lines: Record<Line, LoadShedder>;
  readonly #log: StoreLog;

  constructor(log: StoreLog, other: Partial<Record<Line, Partial<Limits>>> = {}) {
    this.#log = log;
    const lines = Object.entries(LINES).map(([line, limits]) => [line, new LoadShedder(log, { ...limits, ...other[line as Line] })]);
    this.#lines = Object.fromEntries(lines) as Record<Line, LoadShedder>;
  }

  /** A line itself, for the door. */
  line(line: Line): LoadShedder {
    return this.#lines[line];
  }

  /** Other limits than the usual ones, in tests. */
  limit(line: Line, limits: Partial<Limits>): void {
    this.#lines[line].close();
    this.#lines[line] = new LoadShedder(this.#log, { ...LINES[line], ...limits });
  }

  /**
   * Does work once its owner has a place in the line, and gives the place back when it ends. It must hold no transaction while it waits.
   * @throws Refusal 503 with Retry-After when there is none in time; whatever the work throws
   */
  async run<T>(line: Line, owner: Owner, work: () => Promise<T>): Promise<T> {
    const leave = await this.#enter(line, owner, () => undefined);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /** Takes a place until a response is sent or its client goes away. @throws Refusal 503 with Retry-After when there is none in time */
  async hold(line: Line, owner: Owner, response: ServerResponse): Promise<void> {
    if (response.closed) return;
    await this.#enter(line, owner, leave => response.once('finish', leave).once('close', leave));
  }

  #enter(line: Line, owner: Owner, whenIn: (leave: () => void) => void): Promise<() => void> {
    const shedder = this.#lines[line];
    return new Promise((resolve, reject) => {
      // A line may decide before it gives the slot.
      const slot: { is?: Slot } = {};
      const leave = (): void => {
        if (slot.is) shedder.leave(slot.is);
      };
      slot.is = shedder.enter({ owner, admit: () => resolve(leave), refuse: () => reject(refused(line)) });
      whenIn(leave);
    });
  }

  close(): void {
    for (const line of Object.values(this.#lines)) line.close();
  }
}
