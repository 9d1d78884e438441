// What writing down its events costs some work on PostgreSQL: the same work is done once more with every event written twice, and what that takes
// longer is what writing them once costs. (The time of the statements alone would count what stands before them on the same connection.)
import { Client } from 'pg';

const ADDS_EVENTS = /insert into events\b/;
/** Goal: emitting takes at most this part of a charge and of a bulk pause. */
const MOST_SHARE = 0.1;

type Query = (this: Client, ...args: unknown[]) => unknown;

/** Runs work of this process in which every statement that adds events is sent twice. */
export async function withEventsTwice<T>(work: () => Promise<T>): Promise<T> {
  const prototype = Client.prototype as { query: Query };
  const original = prototype.query;
  prototype.query = function (...args) {
    const [what] = args as [string | { text?: string } | undefined];
    const text = typeof what === 'string' ? what : (what?.text ?? '');
    if (ADDS_EVENTS.test(text) && typeof args.at(-1) === 'function') original.apply(this, [...args.slice(0, -1), () => undefined]);
    return original.apply(this, args);
  };
  try {
    return await work();
  } finally {
    prototype.query = original;
  }
}

const ADDS_MOVEMENTS = /insert into movements\b/;
/** Goal: the ledger of movements takes at most this part of a charge and of a bulk pause. */
const MOST_OF_LEDGER = 0.05;

/** Runs work of this process in which no movement is sent to the database: what it takes less is what the ledger costs. */
export async function withoutLedger<T>(work: () => Promise<T>): Promise<T> {
  const prototype = Client.prototype as { query: Query };
  const original = prototype.query;
  prototype.query = function (...args) {
    const [what] = args as [string | { text?: string } | undefined];
    const text = typeof what === 'string' ? what : (what?.text ?? '');
    const done = args.at(-1);
    if (!ADDS_MOVEMENTS.test(text) || typeof done !== 'function') return original.apply(this, args);
    queueMicrotask(() => (done as (error: null, result: object) => void)(null, { rows: [], fields: [], rowCount: 0, command: 'INSERT' }));
    return undefined;
  };
  try {
    return await work();
  } finally {
    prototype.query = original;
  }
}

/** "ledger: 3.1 % of the time (goal: at most 5 %)", from the seconds with movements written and not. */
export const saidLedger = (written: number, without: number): string =>
  `ledger: ${(((written - without) / written) * 100).toFixed(1)} % of the time (goal: at most ${MOST_OF_LEDGER * 100} %), as ${written.toFixed(2)} s are ${without.toFixed(2)} s without it`;

/** "events: 3.1 % of it (goal: at most 10 %)", from the seconds with events written once and twice. */
export const saidShare = (once: number, twice: number): string =>
  `events: ${(((twice - once) / once) * 100).toFixed(1)} % of the time (goal: at most ${MOST_SHARE * 100} %), as ${once.toFixed(2)} s become ${twice.toFixed(2)} s with each written twice`;
