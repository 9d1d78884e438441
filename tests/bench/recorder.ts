// What the connections of this process ask the database while a call is under way: the reading statements, and how long they were answered for.
import { Client, type QueryConfig } from 'pg';

export interface Statement {
  text: string;
  values: unknown[];
}
/** `ms`: while at least one of the statements was under way; what a call adds in HTTP, rights, transaction and shaping is not in it. */
export interface Heard {
  statements: Statement[];
  ms: number;
}

const isReading = (text: string): boolean =>
  /^\s*(\/\*.*?\*\/\s*)?(select|with)\b/i.test(text) && !/set_config|from sessions\b/i.test(text);

/** Listens to PostgreSQL's driver; the embedded database has another. */
export function recorder(): { during: (work: () => Promise<unknown>) => Promise<Heard> } {
  let heard: Heard | undefined;
  let under = 0,
    since = 0;
  const original = Client.prototype.query as (...args: unknown[]) => unknown;
  Client.prototype.query = function (this: Client, ...args: unknown[]): unknown {
    const [first, second, callback] = args as [string | QueryConfig, unknown, unknown];
    const text = typeof first === 'string' ? first : first.text;
    const into = heard;
    // The port asks with a callback.
    if (!into || !isReading(text) || typeof callback !== 'function') return original.apply(this, args);
    into.statements.push({ text, values: Array.isArray(second) ? second : typeof first === 'string' ? [] : (first.values ?? []) });
    if (under++ === 0) since = performance.now();
    const over = (...answer: unknown[]): unknown => {
      if (--under === 0) into.ms += performance.now() - since;
      return (callback as (...given: unknown[]) => unknown)(...answer);
    };
    return original.call(this, first, second, over);
  } as typeof Client.prototype.query;
  return {
    during: async work => {
      const mine: Heard = (heard = { statements: [], ms: 0 });
      try {
        await work();
        return mine;
      } finally {
        heard = undefined;
      }
    },
  };
}
