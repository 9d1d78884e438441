// One statement on a connection, within one time limit, its errors as ours.
import type { ClientBase, Client, QueryResult, QueryResultRow } from 'pg';
import type { Lease } from './engine.ts';
import { DatabaseUnavailable, SerializationFailure, toDatabaseError, DatabaseBusy } from './errors.ts';
import { isInJson, jsonTypes } from './json-rows.ts';
import { PreparedNames, withoutPlans } from './prepared-statements.ts';

/** Undoes the transaction, if one may be open, gives the connection back and throws. */
export function giveUp(lease: Lease, error: unknown, { mayBeOpen, sentCommit }: { mayBeOpen: boolean; sentCommit?: boolean }): never {
  if (error instanceof Expired || error instanceof DatabaseUnavailable) {
    lease.abandon();
    if (sentCommit)
      throw Object.assign(error instanceof DatabaseUnavailable ? error : new DatabaseUnavailable(error.message, error.code), {
        outcomeUnknown: true,
      });
  } else {
    if (mayBeOpen) run(lease.client, 'ROLLBACK').catch(ignore);
    lease.release();
  }
  throw error;
}

const names = new PreparedNames();
/** A kept plan gives other columns than it gave, because the table was changed meanwhile. */
const CHANGED_RESULT = '0A000';

/** One statement on a connection; every error is one of ours. What is asked in the same batch travels in one packet. */
export async function run<R>(client: ClientBase, text: string, params?: readonly unknown[]): Promise<Rows<R> & { command: string }> {
  const { stream } = (client as Client).connection;
  stream.cork();
  process.nextTick(() => stream.uncork());
  const name = params && !withoutPlans.has(client) ? names.of(text) : undefined;
  const statement = isInJson(text) ? { name, text, rowMode: 'array', types: jsonTypes } : name === undefined ? text : { name, text };
  try {
    // With a promise of the driver's own, its queries and all their rows outlive the collection of young objects and pile up among the old
    // ones: a fifth of what is read.
    const result = await new Promise<QueryResult<R & QueryResultRow>>((resolve, reject) => {
      client.query<R & QueryResultRow>(statement as string, params as unknown[], (error, answer) =>
        error ? reject(error) : resolve(answer),
      );
    });
    // Several statements give several results; the last one speaks for them.
    const last = Array.isArray(result) ? (result as QueryResult<R & QueryResultRow>[]).at(-1)! : result;
    return { rows: last.rows, affected: last.rowCount ?? 0, command: last.command };
  } catch (error) {
    if (name !== undefined && (error as { code?: string }).code === CHANGED_RESULT && /cached plan/.test((error as Error).message)) {
      names.renew();
      throw new SerializationFailure('A table was changed while the server ran.', CHANGED_RESULT);
    }
    throw toDatabaseError(error);
  }
}

/** The time was up before the database was done. */
export class Expired extends DatabaseBusy {}

/** One time limit for everything that a call does in the database, waiting included. */
export class Deadline {
  readonly #at: number;
  readonly #timer: NodeJS.Timeout | undefined;
  #expire: ((error: Expired) => void) | undefined;
  readonly #expired: Promise<never> | undefined;

  constructor(timeoutMs: number) {
    this.#at = Date.now() + timeoutMs;
    if (!Number.isFinite(timeoutMs)) return;
    this.#expired = new Promise((_, reject) => {
      this.#expire = reject;
    });
    this.#expired.catch(ignore);
    this.#timer = setTimeout(() => this.#expire?.(new Expired(`The database did not answer within ${timeoutMs / 1000} s.`)), timeoutMs);
  }
  /** Milliseconds left. */
  get left(): number {
    return this.#at - Date.now();
  }
  race<T>(work: Promise<T>): Promise<T> {
    return this.#expired ? Promise.race([work, this.#expired]) : work;
  }
  stop(): void {
    clearTimeout(this.#timer);
  }
}

export interface Rows<R> {
  readonly rows: R[];
  /** Rows inserted, updated, deleted or read. */
  readonly affected: number;
}
export const ignore = (): void => undefined;
