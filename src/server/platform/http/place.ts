// The place that a request has at the door, for those who go on to another line.
import type { IncomingMessage } from 'node:http';

const leaving = new WeakMap<IncomingMessage, () => void>();

/** Notes how a request that was let in gives up its place before it is answered. */
export const notePlace = (request: IncomingMessage, leave: () => void): void => {
  leaving.set(request, leave);
};
/** A request that goes on to another line leaves its place to the next. */
export const leavePlace = (request: IncomingMessage): void => leaving.get(request)?.();
