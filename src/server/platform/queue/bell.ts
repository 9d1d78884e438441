// What a worker of a queue waits at until there is something to look for.

/** Rung before it is waited at, it lets the next one who waits pass. */
export class Bell {
  #isRung = false;
  #wake: (() => void) | undefined;

  ring(): void {
    this.#isRung = true;
    this.#wake?.();
  }

  /** Resolves at the next ring, or after so long. */
  async wait(ms: number): Promise<void> {
    if (!this.#isRung) {
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, ms).unref();
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#isRung = false;
  }
}
