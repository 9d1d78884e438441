// Statements that the database plans once for each connection instead of at each call.
import { createHash } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';

const MARK = '/* prepared */';
/** So many texts at most: each connection keeps a plan of each. More than a list has ways to be sorted, fewer than hurt. */
const MAX = 200;

/**
 * Marks a statement to be planned once for each connection and kept. Only for statements that are asked all the time, in few texts, and
 * whose best way is the same whatever their parameters are (by key, or in the order of an index): the kept plan knows none of the values. A
 * limit belongs into the text.
 */
export const prepared = <T>(statement: RawBuilder<T>): RawBuilder<T> => sql<T>`${planned} ${statement}`;
/** The same mark for a query that Kysely builds: `query.modifyFront(planned)`. */
export const planned = sql.raw(MARK);

/** Connections behind a pooler: what they plan stays with a connection of the server that the next statement need not get. */
export const withoutPlans = new WeakSet<object>();

/** The names under which connections keep the plans of marked statements. */
export class PreparedNames {
  readonly #names = new Map<string, string>();
  #round = 0;

  /** The name of a statement; undefined for one that is not marked, or when there are too many. */
  of(text: string): string | undefined {
    if (!/^(?:select )?\/\* prepared \*\//.test(text)) return undefined;
    const known = this.#names.get(text);
    if (known !== undefined || this.#names.size >= MAX) return known;
    const name = `p${this.#round}_${createHash('sha256').update(text).digest('base64url').slice(0, 16)}`;
    this.#names.set(text, name);
    return name;
  }

  /** Gives every statement another name, because a table changed and the kept plans with it. */
  renew(): void {
    this.#round++;
    this.#names.clear();
  }
}
