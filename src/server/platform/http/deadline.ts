// By when a call is to be answered: what it waited in the queue is taken from what the database may take for it,
// so that both together keep to one promise.
import type { IncomingMessage } from 'node:http';

/**
 * Until when (ms of the process) the time in the queue counts as if the database had been asked since. Only on requests that had to wait.
 */
const WAITED = Symbol('waited');
interface Waiting {
  [WAITED]?: number;
}

/** So much (ms) is left to a call that was let in, however long it waited: what is left after the longest wait in the queue. */
const MIN_MS = 2000;

/** Notes for how long (ms) a request waited before it was let in. */
export function recordWait(request: IncomingMessage, waited: number): void {
  (request as Waiting)[WAITED] = performance.now() - waited;
}

/** A request that begins its work after another wait has its whole time again. */
export function forgetWait(request: IncomingMessage): void {
  delete (request as Waiting)[WAITED];
}

/**
 * How long (ms) a transaction of the call may take from now on, where `usualMs` is what one may take
 * that did not wait; undefined: the usual.
 */
export function remainingMs(request: IncomingMessage, usualMs: number): number | undefined {
  const since = (request as Waiting)[WAITED];
  return since === undefined ? undefined : Math.max(MIN_MS, Math.round(usualMs - (performance.now() - since)));
}
