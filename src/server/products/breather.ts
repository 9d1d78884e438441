// Long work in this process lets others have their turn.
import { setImmediate as turn } from 'node:timers/promises';

const LONGEST_MS = 15;

/** Call it between the steps of long work: it waits a turn of the event loop when the last one is more than 15 ms ago. */
export function breather(): () => Promise<void> | void {
  let since = performance.now();
  return () => {
    if (performance.now() - since < LONGEST_MS) return;
    return turn().then(() => { since = performance.now(); });
  };
}
