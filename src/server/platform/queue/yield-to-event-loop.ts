// Long work in this process lets others have their turn.

/** A list waits for several turns, one for each of its statements; so a stretch of work has to be short. */
const LONGEST_MS = 2;

/** Work that waits to go on, in its order of arrival. However much there is, one stretch of it is done in a turn of the event loop. */
const waiting: (() => void)[] = [];

function resumeOne(): void {
  const resume = waiting.shift();
  if (waiting.length > 0) setImmediate(resumeOne);
  resume?.();
}

function turn(): Promise<void> {
  return new Promise(resolve => {
    waiting.push(resolve);
    if (waiting.length === 1) setImmediate(resumeOne);
  });
}

/**
 * Call it between the steps of long work: it waits for a turn of the event loop when the last one is more than some milliseconds ago, and
 * behind other long work that waits for one.
 */
export function yieldToEventLoop(): () => Promise<void> | undefined {
  // What is done at once waits for nothing.
  let until = performance.now() + LONGEST_MS;
  return () => {
    if (performance.now() < until) return undefined;
    return turn().then(() => {
      until = performance.now() + LONGEST_MS;
    });
  };
}
