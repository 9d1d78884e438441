// How much of some work on PostgreSQL is spent on writing down its events: the time of the statements that add them, beside that of the work.
import { Client } from 'pg';

const ADDS_EVENTS = /insert into events\b/;
/** Goal: emitting takes at most this part of a charge and of a bulk pause. */
export const MOST_SHARE = 0.1;

type Query = (this: Client, ...args: unknown[]) => unknown;

/** Runs the work of this process and answers how long it took and how long statements that add events took (s). */
export async function emitShare<T>(work: () => Promise<T>): Promise<{ result: T; seconds: number; emitting: number; statements: number }> {
  const prototype = Client.prototype as unknown as { query: Query };
  const original = prototype.query;
  let emitting = 0,
    statements = 0;
  prototype.query = function (...args) {
    const [what] = args as [string | { text?: string } | undefined];
    const text = typeof what === 'string' ? what : (what?.text ?? '');
    const answer = original.apply(this, args);
    if (!ADDS_EVENTS.test(text) || !(answer instanceof Promise)) return answer;
    const from = performance.now();
    statements++;
    return answer.finally(() => {
      emitting += (performance.now() - from) / 1000;
    });
  };
  const from = performance.now();
  try {
    const result = await work();
    return { result, seconds: (performance.now() - from) / 1000, emitting, statements };
  } finally {
    prototype.query = original;
  }
}

/** "events: 3.1 % of it (goal: at most 10 %)". */
export const saidShare = ({ seconds, emitting, statements }: { seconds: number; emitting: number; statements: number }): string =>
  `events: ${((emitting / seconds) * 100).toFixed(1)} % of the time in ${statements.toLocaleString('en')} statements (goal: at most ${MOST_SHARE * 100} %)`;
