// What an engine gives the port: connections to borrow. Everything above it is the same for both engines.
import type pg from 'pg';

/** Messages of the storage layer; a pino logger fits. */
export interface StoreLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}
export const silent: StoreLog = { info: () => undefined, warn: () => undefined, error: () => undefined };

/**
 * `app`: bound by row-level security. `aside`: likewise, by few connections of their own, for long reads. `owner`: the role that signed in,
 * owner of the tables.
 */
export type Role = 'app' | 'aside' | 'owner';

/** A borrowed connection. Exactly one of `release` and `abandon` is called, once. */
export interface Lease {
  readonly client: pg.ClientBase;
  /** Gives the connection back; statements sent before may still be running. */
  release(): void;
  /** Gives it up with a transaction perhaps still open: the transaction is undone before anybody else gets the connection. */
  abandon(): void;
}

/** Work that no other process does while this one lives. `lost` aborts when another has it by now: the line to the database broke. */
export interface WorkLock {
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

export interface Engine {
  readonly kind: 'embedded' | 'postgres';
  /**
   * What each transaction of a call begins with, where its connection is another one each time (a pooler): nothing that is set for a
   * session stays, so even single statements of calls are transactions. Absent: connections remember their settings.
   */
  readonly eachTransaction?: string;
  /** The folder of an embedded database. */
  readonly folder?: string;
  /**
   * Borrows a connection.
   * @param waitMs how long to wait for a free one
   * @param isPatient work in the background: where there is one connection for all, calls go before it
   * @throws DatabaseBusy when none gets free in time, DatabaseUnavailable when the database is not there
   */
  acquire(role: Role, waitMs: number, isPatient?: boolean): Promise<Lease>;
  /** A connection of the owner without time limits, for migrations. */
  session<T>(work: (client: pg.ClientBase) => Promise<T>): Promise<T>;
  /**
   * Takes the lock of a piece of work for as long as this process lives; null when it is held, by this process included.
   * @throws DatabaseUnavailable
   */
  lockWork(key: string): Promise<WorkLock | null>;
  /** Refuses what can't take on this role, before migrations begin. @throws DatabaseError that says what an administrator can do */
  mayBind?(appRole: string): Promise<void>;
  /** From now on connections for `app` take on this role; called once after the migrations. */
  bind(appRole: string): Promise<void>;
  /** Writes a backup and gives its path; only the embedded engine keeps backups itself. */
  backup?(): Promise<string>;
  /** Tells a second process that wants the folder where this one listens. */
  announce?(address: string): void;
  close(): Promise<void>;
}

/** Settings that both engines share, so that a value reads the same on both. */
export const sessionSettings = [
  "SET timezone='UTC'",
  "SET datestyle='ISO, MDY'",
  "SET intervalstyle='postgres'",
  'SET search_path=public',
  'SET client_min_messages=warning',
].join(';');

/** After a call (ms) the next is expected: people go from page to page, and pages ask again by themselves. */
export const askedMs = 3000;

export const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`;
export const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`;
