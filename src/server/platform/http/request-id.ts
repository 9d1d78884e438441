// The id that a request has in the log, in its answer and in reports.
import { randomFillSync } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const BYTES = 9;
/** Chance is asked for by the hundred: one by one it would be a good part of what a refusal costs. */
const pool = Buffer.alloc(BYTES * 128);
let used = pool.length;

export function newId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  return pool.toString('base64url', used, (used += BYTES));
}

/** The page sends an id of its own, so that its report and our log meet; anything that doesn't look like one is replaced. */
export function idOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[\w-]{8,64}$/.test(given) ? given : newId();
}
