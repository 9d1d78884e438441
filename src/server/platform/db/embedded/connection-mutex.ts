// One at a time: the embedded database has a single connection. In the order of asking, but that work in the background lets calls pass.
import { DatabaseBusy } from '../errors.ts';

interface Waiter {
  go(): void;
  /** When (ms) it counts as having asked. */ since: number;
  isPatient: boolean;
}

/**
 * Calls that ask within this time (ms) after work in the background go before it. Bounded, so that the
 * work gets on however many calls there are.
 */
const INTERACTIVE_HEAD_START_MS = 500;

export class ConnectionMutex {
  #taken = false;
  /** In the order in which they go. */
  readonly #waiting: Waiter[] = [];

  /** No caller is inside and none waits. */
  get idle(): boolean {
    return !this.#taken;
  }

  /**
   * Resolves when it is the caller's turn, which lasts until `leave`. `isPatient`: work in the
   * background, for which no page waits.
   * @throws DatabaseBusy when the turn does not come within `waitMs`
   */
  enter(waitMs: number, isPatient = false): Promise<void> {
    if (!this.#taken) {
      this.#taken = true;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => {
          this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
          reject(new DatabaseBusy(`The embedded database was busy for ${Math.round(waitMs / 100) / 10} s.`));
        },
        Math.min(waitMs, 2 ** 31 - 1),
      );
      const waiter: Waiter = {
        go: () => {
          clearTimeout(timer);
          resolve();
        },
        since: performance.now() + (isPatient ? INTERACTIVE_HEAD_START_MS : 0),
        isPatient,
      };
      this.#waiting.splice(this.#waiting.findLastIndex(other => other.since <= waiter.since) + 1, 0, waiter);
    });
  }

  leave(): void {
    const next = this.#waiting.shift();
    if (next) next.go();
    else this.#taken = false;
  }

  /**
   * As `leave`, for a call. Many calls ask twice, first who it is that calls: where work in the background is next, the rest of what this
   * process is at comes first, so that a call that asks again does not wait for the work once more.
   */
  leaveAfterCall(): void {
    if (this.#waiting[0]?.isPatient)
      setImmediate(() => {
        this.leave();
      });
    else this.leave();
  }
}
