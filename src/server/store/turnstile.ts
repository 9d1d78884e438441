// One at a time, in the order of asking: the embedded database has a single connection.
import { DatabaseBusy } from './errors.ts';

interface Waiter { go(): void; timer: NodeJS.Timeout }

export class Turnstile {
  #taken = false;
  readonly #waiting: Waiter[] = [];

  /** Nobody is inside and nobody waits. */
  get idle(): boolean { return !this.#taken; }

  /**
   * Resolves when it is the caller's turn, which lasts until `leave`.
   * @throws DatabaseBusy when the turn does not come within `waitMs`
   */
  enter(waitMs: number): Promise<void> {
    if (!this.#taken) {
      this.#taken = true;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        go: () => { clearTimeout(waiter.timer); resolve(); },
        timer: setTimeout(() => {
          this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
          reject(new DatabaseBusy(`The embedded database was busy for ${Math.round(waitMs / 100) / 10} s.`));
        }, Math.min(waitMs, 2 ** 31 - 1)),
      };
      this.#waiting.push(waiter);
    });
  }

  leave(): void {
    const next = this.#waiting.shift();
    if (next) next.go();
    else this.#taken = false;
  }
}
