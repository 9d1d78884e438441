// The port: one interface for the embedded database and for PostgreSQL. All access to rows comes through here.
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { CompiledQuery, Kysely } from 'kysely';
import type { Client } from 'pg';
import type { Config } from '../config.ts';
import { portDialect } from './dialect.ts';
import { openEmbedded } from './embedded/embedded-engine.ts';
import { askedMs, quoteName, silent, type Engine, type Lease, type Role, type StoreLog, type WorkLock } from './engine.ts';
import { DatabaseError, DatabaseMisuse, SerializationFailure } from './errors.ts';
import { appRole, migrate, readMigrations, type Migration } from './migrate.ts';
import { openPostgres } from './postgres-engine.ts';
import { findSnapshot } from './embedded/snapshot.ts';
import type { Tables } from '../../../generated/tables.ts';
import { Deadline, run, giveUp, Expired, type Rows, ignore } from './statement.ts';

export interface TransactionOptions {
  /**
   * Refuses writes; saves a round trip, so give it for every read. Nothing but its statements: `set local` and locks
   * don't outlast the batch they were sent in.
   */
  readonly readOnly?: boolean;
  /**
   * Longest the whole transaction may take, waiting included (ms). 4,500 by default; jobs may ask for more, and let calls
   * go before them on the embedded database.
   */
  readonly timeoutMs?: number;
  readonly isolation?: 'repeatable read' | 'serializable';
}

/**
 * A database. Every method throws the classes of `errors.ts`. Values: int8 number, numeric and date text, timestamptz Date, json parsed.
 * Work given to a transaction may run up to four times (deadlocks, serialisation), so it must do nothing but database work.
 * Inside a transaction everything goes through its `trx`; using the port again there is refused, because it would wait for itself.
 */
export interface Database {
  readonly kind: 'embedded' | 'postgres';
  /** Longest a statement or transaction of a call may take by default, waiting included (ms). */
  readonly timeoutMs: number;
  /** People wait for answers these seconds: a call used the database. Work in the background takes shorter steps then. */
  readonly isAsked: boolean;
  /**
   * The same database by few connections of its own, for long reads such as files and charts: they never wait for those of calls, nor calls
   * for theirs. The embedded database has one connection for all, on which calls go before these.
   */
  readonly aside: Database;
  /** Single statements as the app role without a store: tables of stores look empty. */
  readonly kysely: Kysely<Tables>;
  /** One statement, like `kysely`. */
  query<R = Record<string, unknown>>(text: string, params?: readonly unknown[]): Promise<Rows<R>>;
  /** Several statements as the owner, outside of a transaction and without time limit: schema, vacuum, scripts. */
  exec(sql: string): Promise<void>;
  /** One statement (or several without parameters) as the owner, without time limit. For the queue; never for calls. */
  ownerQuery<R = Record<string, unknown>>(text: string, params?: readonly unknown[]): Promise<Rows<R>>;
  /** A transaction that sees and writes the rows of this store only; the database enforces it. */
  inStore<T>(storeId: number, work: (trx: Kysely<Tables>) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** A transaction without a store, still bound by row-level security: what policies allow before a store is known. */
  asSystem<T>(work: (trx: Kysely<Tables>) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /** A transaction as the owner of the tables, not bound by row-level security, without time limit: migrations, seeding. */
  asOwner<T>(work: (trx: Kysely<Tables>) => Promise<T>, options?: TransactionOptions): Promise<T>;
  /**
   * Takes the lock of a piece of work (a job), for as long as this process lives or until it is released. Null: it is done elsewhere, in
   * this process or in another. For what outlives a transaction; within one use `for update` or `pg_advisory_xact_lock`.
   */
  lockWork(key: string): Promise<WorkLock | null>;
  /** Resolves when the database answers calls within a second and they may read; for readiness. */
  ping(): Promise<void>;
  /** Writes a backup and gives its path. Only the embedded database does so itself; for PostgreSQL use its own tools. */
  backup(): Promise<string>;
  /** Tells a second process that wants the data folder where this one listens. No effect on PostgreSQL. */
  announce(address: string): void;
  close(): Promise<void>;
}

export interface OpenOptions {
  /** Which database; `Config` gives both parts. */
  readonly database: Config['database'];
  /** Needed for the embedded database. */
  readonly dataFolder?: string;
  /** The schema; the product's own by default. */
  readonly migrations?: readonly Migration[];
  /** Connections for calls (PostgreSQL), 10 by default. */
  readonly connections?: number;
  /** Default of `TransactionOptions.timeoutMs`. */
  readonly timeoutMs?: number;
  /** How long to wait at start for a PostgreSQL server that is not there yet, 10,000 by default. */
  readonly connectMs?: number;
  /** Background work of the embedded database, on by default. */
  readonly upkeep?: boolean;
  /** A packed database (.tar.gz) that a new embedded one begins with; an empty one by default. */
  readonly begin?: string | undefined;
  readonly log?: StoreLog;
}

/** Opens the database and brings it to the newest schema. @throws FolderLocked, MigrationError, DatabaseError */
export async function openDatabase(options: OpenOptions): Promise<Database> {
  const log = options.log ?? silent;
  const migrations = options.migrations ?? readMigrations();
  const timeoutMs = options.timeoutMs ?? 4500;
  const { database } = options;
  if (database.kind === 'embedded' && options.dataFolder === undefined)
    throw new DatabaseMisuse('The embedded database needs a data folder.');
  const engine =
    database.kind === 'postgres'
      ? await openPostgres({
          url: database.url,
          directUrl: database.directUrl,
          connections: options.connections,
          statementMs: timeoutMs,
          connectMs: options.connectMs,
          log,
        })
      : await openEmbedded({
          folder: options.dataFolder!,
          seed: async () => options.begin ?? findSnapshot(migrations),
          upkeep: options.upkeep,
          log,
        });
  try {
    await engine.session(client => migrate(client, { migrations, log, mayStart: async () => engine.mayBind?.(appRole) }));
    await engine.bind(appRole);
    return new Store(engine, timeoutMs);
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/**
 * The part of its time that a call waits for a connection before it gives up: the rest is for the work. Behind the embedded database's one
 * connection calls wait for each other, and once it is their turn no other call slows them down.
 */
const waitShare = { embedded: 0.7, postgres: 0.45 };
const attempts = 10;

/** Fails where calls may not read the table that all others hang on: a restored database may have lost the rights. */
const MAY_READ = "SELECT 1 / coalesce(has_table_privilege(to_regclass('public.stores')::oid, 'SELECT'), true)::int";

class Store implements Database {
  readonly kind: 'embedded' | 'postgres';
  readonly timeoutMs: number;
  readonly kysely: Kysely<Tables>;
  readonly #engine: Engine;
  readonly aside: Database;
  /** By which connections stores are reached. */
  readonly #role: Exclude<Role, 'owner'>;
  #pinging: Promise<unknown> | undefined;
  #askedAt = Number.NEGATIVE_INFINITY;
  /** Set while the code that runs was started by an open transaction. */
  readonly #inside: AsyncLocalStorage<{ open: boolean }>;

  constructor(engine: Engine, timeoutMs: number, beside?: AsyncLocalStorage<{ open: boolean }>) {
    this.#engine = engine;
    this.#inside = beside ?? new AsyncLocalStorage<{ open: boolean }>();
    this.#role = beside ? 'aside' : 'app';
    this.aside = beside ? this : new Store(engine, timeoutMs, this.#inside);
    this.kind = engine.kind;
    this.timeoutMs = timeoutMs;
    this.kysely = new Kysely<Tables>({ dialect: portDialect((text, params) => this.query(text, params)) });
  }

  get isAsked(): boolean {
    return performance.now() - this.#askedAt < askedMs;
  }

  async query<R>(text: string, params?: readonly unknown[]): Promise<Rows<R>> {
    return this.#ofCall<R>(text, params, this.timeoutMs);
  }

  async ownerQuery<R>(text: string, params?: readonly unknown[]): Promise<Rows<R>> {
    return this.#single<R>('owner', text, params, Number.POSITIVE_INFINITY);
  }

  async exec(sql: string): Promise<void> {
    await this.#single('owner', sql, undefined, Number.POSITIVE_INFINITY);
  }

  async ping(): Promise<void> {
    // However many look at the same time, the database is asked once.
    this.#pinging ??= this.#ofCall(MAY_READ, undefined, 1000).finally(() => {
      this.#pinging = undefined;
    });
    await this.#pinging;
  }

  async inStore<T>(storeId: number, work: (trx: Kysely<Tables>) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    if (!Number.isSafeInteger(storeId) || storeId < 1)
      throw new DatabaseMisuse(`${String(storeId)} is not the id of a store; it must be a whole number above 0.`);
    return this.#transaction(this.#role, this.#binding(String(storeId)), work, options, this.timeoutMs);
  }

  async asSystem<T>(work: (trx: Kysely<Tables>) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    return this.#transaction(this.#role, this.#binding(''), work, options, this.timeoutMs);
  }

  async asOwner<T>(work: (trx: Kysely<Tables>) => Promise<T>, options: TransactionOptions = {}): Promise<T> {
    return this.#transaction('owner', '', work, options, Number.POSITIVE_INFINITY);
  }

  lockWork(key: string): Promise<WorkLock | null> {
    return this.#engine.lockWork(key);
  }

  async backup(): Promise<string> {
    if (!this.#engine.backup) throw new DatabaseMisuse('Backups of a PostgreSQL server are made with its own tools, e.g. pg_dump.');
    return this.#engine.backup();
  }

  announce(address: string): void {
    this.#engine.announce?.(address);
  }

  async close(): Promise<void> {
    await this.#engine.close();
    // Every promise of the process notifies each one that was ever used: many databases in one process would make it slower and slower.
    this.#inside.disable();
  }

  /** What makes a transaction that of a store, or with '' that of none. */
  #binding(storeId: string): string {
    const { eachTransaction } = this.#engine;
    return `SET LOCAL ROLE ${quoteName(appRole)};SET LOCAL app.store='${storeId}'${eachTransaction ? `;${eachTransaction}` : ''}`;
  }

  /** A single statement as the app role without a store; a transaction of its own where connections remember no role. */
  async #ofCall<R>(text: string, params: readonly unknown[] | undefined, timeoutMs: number): Promise<Rows<R>> {
    if (this.#engine.eachTransaction === undefined) return this.#single<R>(this.#role, text, params, timeoutMs);
    const { rows, numAffectedRows } = await this.asSystem(trx => trx.executeQuery<R>(CompiledQuery.raw(text, [...(params ?? [])])), {
      timeoutMs,
    });
    return { rows, affected: Number(numAffectedRows ?? 0) };
  }

  #refuseInside(): void {
    if (this.#inside.getStore()?.open) {
      throw new DatabaseMisuse(
        'A transaction is open here: use its trx instead of the database, which would wait for the transaction to end.',
      );
    }
  }

  async #lease(role: Role, limit: Deadline, isPatient: boolean): Promise<Lease> {
    if (!isPatient) this.#askedAt = performance.now();
    isPatient ||= role === 'aside';
    return this.#engine.acquire(role, Number.isFinite(limit.left) ? limit.left * waitShare[this.kind] : limit.left, isPatient);
  }

  async #single<R>(role: Role, text: string, params: readonly unknown[] | undefined, timeoutMs: number): Promise<Rows<R>> {
    this.#refuseInside();
    const limit = new Deadline(timeoutMs);
    const lease = await this.#lease(role, limit, timeoutMs > this.timeoutMs);
    try {
      const result = await limit.race(run<R>(lease.client, text, params));
      // Several statements may have opened a transaction and left it open.
      if ((lease.client as Client).getTransactionStatus() !== 'I') run(lease.client, 'ROLLBACK').catch(ignore);
      lease.release();
      return result;
    } catch (error) {
      return giveUp(lease, error, { mayBeOpen: params === undefined });
    } finally {
      limit.stop();
    }
  }

  async #transaction<T>(
    role: Role,
    binding: string,
    work: (trx: Kysely<Tables>) => Promise<T>,
    options: TransactionOptions,
    usualMs: number,
  ): Promise<T> {
    this.#refuseInside();
    const timeoutMs = options.timeoutMs ?? usualMs;
    const limit = new Deadline(timeoutMs);
    const begin = [
      `BEGIN${options.isolation ? ` ISOLATION LEVEL ${options.isolation.toUpperCase()}` : ''}${options.readOnly ? ' READ ONLY' : ''}`,
      binding,
      timeoutMs !== this.timeoutMs && Number.isFinite(timeoutMs) ? `SET LOCAL statement_timeout=${Math.round(timeoutMs)}` : '',
    ]
      .filter(Boolean)
      .join(';');
    try {
      for (let attempt = 1; ; attempt++) {
        try {
          const isPatient = timeoutMs > this.timeoutMs;
          return await (options.readOnly && !options.isolation
            ? this.#reads(role, begin, work, limit, isPatient)
            : this.#once(role, begin, work, options.readOnly === true, limit, isPatient));
        } catch (error) {
          if (!(error instanceof SerializationFailure) || attempt >= attempts || limit.left < 100) throw error;
          await sleep(Math.random() * Math.min(1000, 10 * 2 ** attempt));
        }
      }
    } finally {
      limit.stop();
    }
  }

  /**
   * Reads at the usual isolation: each statement sees what is committed when it begins, in one transaction or in several. So what is sent
   * in one batch travels as a transaction of its own, from BEGIN to COMMIT in one packet: one way there and back less, and nothing stays
   * open while the work computes.
   */
  async #reads<T>(role: Role, begin: string, work: (trx: Kysely<Tables>) => Promise<T>, limit: Deadline, isPatient: boolean): Promise<T> {
    const lease = await this.#lease(role, limit, isPatient);
    const scope = { open: true };
    const { client } = lease;
    let isPipelining = false;
    let notBegun: unknown;
    const end = (): void => {
      if (!isPipelining) return;
      isPipelining = false;
      run(client, 'COMMIT').catch(ignore);
    };
    const trx = new Kysely<Tables>({
      dialect: portDialect((text, params) => {
        refuseLate(scope);
        if (!isPipelining) {
          isPipelining = true;
          process.nextTick(end);
          run(client, begin).catch((error: unknown) => {
            notBegun ??= error;
          });
        }
        return run(client, text, params);
      }),
    });
    try {
      const result = await limit.race(this.#inside.run(scope, () => work(trx)));
      if (notBegun !== undefined) throw notBegun;
      scope.open = false;
      end();
      lease.release();
      return result;
    } catch (error) {
      scope.open = false;
      // Before anybody else writes to the connection.
      end();
      // When BEGIN failed, its reason is the one that counts; a silent line gives none.
      return giveUp(lease, error instanceof Expired ? error : (notBegun ?? error), { mayBeOpen: false });
    }
  }

  async #once<T>(
    role: Role,
    begin: string,
    work: (trx: Kysely<Tables>) => Promise<T>,
    readOnly: boolean,
    limit: Deadline,
    isPatient: boolean,
  ): Promise<T> {
    const lease = await this.#lease(role, limit, isPatient);
    const scope = { open: true };
    const { client } = lease;
    // BEGIN is not waited for: the first statement travels right behind it. If it failed, so does everything after it.
    const begun = run(client, begin);
    begun.catch(ignore);
    const trx = new Kysely<Tables>({
      dialect: portDialect((text, params) => {
        refuseLate(scope);
        return run(client, text, params);
      }),
    });
    let sentCommit = false;
    try {
      const result = await limit.race(this.#inside.run(scope, () => work(trx)));
      scope.open = false;
      await limit.race(begun);
      sentCommit = true;
      const committed = run(client, 'COMMIT');
      if (readOnly) {
        // Nothing depends on how it ends; the next user of the connection queues up behind it.
        committed.catch(ignore);
        lease.release();
        return result;
      }
      const { command } = await limit.race(committed);
      if (command !== 'COMMIT')
        throw new DatabaseError('A statement of the transaction failed and its error was not passed on, so nothing was changed.', '25P02');
      lease.release();
      return result;
    } catch (thrown) {
      scope.open = false;
      // When BEGIN failed, its reason is the one that counts; a silent line gives none.
      const error =
        thrown instanceof Expired
          ? thrown
          : await limit.race(begun).then(
              () => thrown,
              (first: unknown) => first,
            );
      return giveUp(lease, error, { mayBeOpen: true, sentCommit });
    }
  }
}

function refuseLate(scope: { open: boolean }): void {
  if (!scope.open) throw new DatabaseMisuse('The transaction is over: wait for every statement before its work returns.');
}
