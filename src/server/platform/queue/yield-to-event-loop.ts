// Long work in this process lets others have their turn.
import { setImmediate as turn } from 'node:timers/promises';

/** A list waits for several turns, one for each of its statements; so a stretch of work has to be short. */
const LONGEST_MS = 4;

/** Call it between the steps of long work: it waits a turn of the event loop when the last one is more than some milliseconds ago. */
export function yieldToEventLoop(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < LONGEST_MS) return undefined;
    return turn().then(() => {
      since = performance.now();
    });
  };
}
