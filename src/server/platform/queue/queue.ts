// The job queue, kept in the same database: pg-boss on top of our port, so that it runs on both engines.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { CompiledQuery, type Kysely } from 'kysely';
import PgBoss from 'pg-boss';
import type { Database } from '../db/database.ts';
import { silent, type StoreLog } from '../db/engine.ts';
import { DatabaseMisuse, DatabaseUnavailable } from '../db/errors.ts';
import { appRole } from '../db/migrate.ts';
import { Bell } from './bell.ts';
import { Holds } from './holds.ts';
import { isTransient } from './transient-error.ts';
import type { Tables } from '../../../generated/tables.ts';

/** A job as its handler gets it. A job may run more than once (crash, hand-back, retry): every step must be safe to repeat. */
export interface Job<D extends object = Record<string, unknown>> {
  readonly id: string;
  readonly name: string;
  readonly data: D;
  /** 1 the first time, counted up by failures and crashes, not by hand-backs. */
  readonly attempt: number;
  /**
   * Aborts when the process shuts down, or when another process runs the job by now: finish the current step, then
   * `signal.throwIfAborted()` hands the job back.
   */
  readonly signal: AbortSignal;
  /** Says that the job has got on: crashes until now are not counted any more, for they did not keep it from its work. */
  progressed(): Promise<void>;
}

export interface QueueDefinition {
  /** How often a failed job is tried again; 5 by default. */
  readonly retries?: number;
  /** Seconds before the first retry, doubled each time; 1 by default. */
  readonly retrySeconds?: number;
}

export interface SendOptions {
  /** While a job with this key waits to start, another one is not added and `send` gives null. */
  readonly singletonKey?: string;
  /** A moment, or seconds from now. */
  readonly startAfter?: Date | number;
  /** Send as part of this transaction: the job exists exactly when the change does. Needed inside a transaction. */
  readonly trx?: Kysely<Tables>;
}

export interface Queue {
  /** Declares a queue; every process that sends to it or works on it does so before `start`. */
  define(name: string, definition?: QueueDefinition): void;
  /** Registers what runs the jobs of a queue (and declares it, if that was not done). Before `start`. */
  work<D extends object = Record<string, unknown>>(name: string, handler: (job: Job<D>) => Promise<void>): void;
  start(): Promise<void>;
  /** Adds a job. @returns its id, or null when one with the same singletonKey waits already */
  send(name: string, data: object, options?: SendOptions): Promise<string | null>;
  /** Adds a job at every match of a cron line (minutes at the finest, in `tz`, UTC by default). Replaces the queue's earlier schedule. */
  schedule(name: string, cron: string, data?: object, options?: { readonly tz?: string }): Promise<void>;
  unschedule(name: string): Promise<void>;
  /** Looks for jobs of a queue at once: another process has sent one. */
  wake(name: string): void;
  /**
   * Stops fetching, lets running jobs finish for `graceMs`, and hands back those that did not:
   * another process, or the next start, runs them.
   */
  stop(): Promise<void>;
}

export interface QueueOptions {
  /** Jobs of each queue run at once; 0: this process only sends. 1 by default. */
  readonly workers?: number;
  /** Seconds between looks for jobs sent by other processes; 2 by default. Jobs of this process start at once. */
  readonly pollSeconds?: number;
  /** How long `stop` waits for running jobs, 8,000 by default. */
  readonly graceMs?: number;
  /** A job that shows no sign of life for so long begins again; 900 by default. A running one shows them, however long it takes. */
  readonly expirySeconds?: number;
  readonly log?: StoreLog;
  /** Is called with the queue of every job that was sent by a process without workers. */
  readonly sent?: (name: string) => void;
}

/**
 * Without a sign that something waits, a worker looks for itself no oftener than this (ms); what waits is
 * looked for by one statement for all of them.
 */
const lookMs = 60_000;

/** What the queue needs besides pg-boss's own tables: calls may add jobs within their transactions, and no more than that. */
const additions = `
  BEGIN;
  SELECT pg_advisory_xact_lock(7303015);
  GRANT USAGE ON SCHEMA pgboss TO ${appRole}; GRANT SELECT ON pgboss.queue TO ${appRole};
  GRANT INSERT, SELECT (id) ON pgboss.job TO ${appRole};
  CREATE INDEX IF NOT EXISTS job_running ON pgboss.job (started_on) WHERE state = 'active';
  COMMIT`;

/** As the process that holds the job: it has run, however others marked it. */
const completed =
  "UPDATE pgboss.job SET state = 'completed', completed_on = now(), output = NULL " +
  "WHERE name = $1 AND id = $2 AND state IN ('active', 'retry', 'failed')";

/** The statements that create the queue's tables in an empty database; `start` does the same where they are missing. */
export const queueTables = (): string => `${PgBoss.getConstructionPlans()};${additions}`;

export const createQueue = (db: Database, options: QueueOptions = {}): Queue => new BossQueue(db, options);

class BossQueue implements Queue {
  readonly #db: Database;
  readonly #log: StoreLog;
  readonly #workers: number;
  readonly #graceMs: number;
  readonly #pollSeconds: number;
  readonly #sent: (name: string) => void;
  readonly #boss: PgBoss;
  readonly #queues = new Map<string, QueueDefinition>();
  readonly #handlers = new Map<string, (job: Job) => Promise<void>>();
  readonly #bells = new Map<string, Bell[]>();
  readonly #holds: Holds;
  readonly #expirySeconds: number;
  readonly #statements = new Set<Promise<unknown>>();
  readonly #stopping = new AbortController();
  readonly #timers: NodeJS.Timeout[] = [];
  #state: 'new' | 'started' | 'stopped' = 'new';

  constructor(db: Database, options: QueueOptions) {
    this.#db = db;
    this.#log = options.log ?? silent;
    this.#workers = options.workers ?? 1;
    this.#graceMs = options.graceMs ?? 8000;
    this.#pollSeconds = options.pollSeconds ?? 2;
    this.#expirySeconds = options.expirySeconds ?? 900;
    this.#holds = new Holds(db, {
      expirySeconds: this.#expirySeconds,
      log: this.#log,
      tookOver: () => {
        for (const name of this.#bells.keys()) this.wake(name);
      },
    });
    this.#sent = this.#workers > 0 ? name => this.wake(name) : (options.sent ?? (() => undefined));
    this.#boss = new PgBoss({
      db: { executeSql: (text, values) => this.#patiently(text, values) },
      schedule: this.#workers > 0,
      supervise: this.#workers > 0,
      maintenanceIntervalSeconds: Math.min(300, this.#expirySeconds),
      archiveCompletedAfterSeconds: 3600,
      archiveFailedAfterSeconds: 7 * 86_400,
      deleteAfterDays: 7,
    });
    this.#boss.on('error', error => this.#log.error({ error: error.message }, 'The job queue met an error.'));
  }

  define(name: string, definition: QueueDefinition = {}): void {
    if (this.#state !== 'new') throw new DatabaseMisuse(`The queue ${name} must be defined before the start.`);
    if (!/^[a-z0-9-]+$/.test(name)) throw new DatabaseMisuse(`"${name}" is not a name for a queue: use small letters, digits and hyphens.`);
    this.#queues.set(name, definition);
  }

  work<D extends object = Record<string, unknown>>(name: string, handler: (job: Job<D>) => Promise<void>): void {
    if (!this.#queues.has(name)) this.define(name);
    this.#handlers.set(name, handler as (job: Job) => Promise<void>);
  }

  async start(): Promise<void> {
    if (this.#state !== 'new') throw new DatabaseMisuse('The queue was started before.');
    this.#state = 'started';
    await this.#boss.start();
    // Checked first because granting locks the tables.
    const {
      rows: [done],
    } = await this.#db.ownerQuery<{ granted: boolean; indexed: boolean }>(
      "SELECT has_table_privilege($1, 'pgboss.job', 'INSERT') AS granted, to_regclass('pgboss.job_running') IS NOT NULL AS indexed",
      [appRole],
    );
    if (!done?.granted || !done.indexed) await this.#db.exec(additions);
    // Creating a queue locks the table of jobs: only what is missing is created.
    const there = new Map((await this.#boss.getQueues()).map(queue => [queue.name, queue]));
    for (const [name, { retries = 5, retrySeconds = 1 }] of this.#queues) {
      const settings = {
        name,
        policy: 'short' as const,
        retryLimit: retries,
        retryDelay: retrySeconds,
        retryBackoff: true,
        // In seconds: pg-boss takes no other unit for a queue, and its default of 15 minutes in silence.
        expireInSeconds: this.#expirySeconds,
      };
      const queue = there.get(name);
      if (!queue) await this.#boss.createQueue(name, settings);
      else if (queue.retryLimit !== retries || queue.retryDelay !== retrySeconds || queue.expireInSeconds !== this.#expirySeconds)
        await this.#boss.updateQueue(name, settings);
    }
    if (this.#workers === 0) return;
    await this.#holds.start();
    for (const [name, handler] of this.#handlers) {
      const bells = Array.from({ length: this.#workers }, () => new Bell());
      this.#bells.set(name, bells);
      for (const bell of bells) void this.#loop(name, handler, bell);
    }
    this.#timers.push(setInterval(() => this.#look(), this.#pollSeconds * 1000).unref());
  }

  async send(name: string, data: object, options: SendOptions = {}): Promise<string | null> {
    if (!this.#queues.has(name)) throw new DatabaseMisuse(`There is no queue ${name}; define it before the start.`);
    if (this.#state !== 'started') throw new DatabaseUnavailable('The job queue is not running.');
    const { trx } = options;
    const executeSql = trx
      ? async (text: string, values: unknown[]) => ({ rows: (await trx.executeQuery(CompiledQuery.raw(text, values))).rows })
      : (text: string, values: unknown[]) =>
          this.#db.asOwner(async own => ({ rows: (await own.executeQuery(CompiledQuery.raw(text, values))).rows }), {
            timeoutMs: this.#db.timeoutMs,
          });
    // Queues hold one waiting job per key; a job without a key gets one of its own.
    const id = await this.#boss.send(name, data, {
      singletonKey: options.singletonKey ?? randomUUID(),
      ...(options.startAfter === undefined ? {} : { startAfter: options.startAfter }),
      db: { executeSql },
    });
    if (id !== null) setTimeout(() => this.#sent(name), trx ? 50 : 0).unref();
    return id;
  }

  async schedule(name: string, cron: string, data: object = {}, options: { readonly tz?: string } = {}): Promise<void> {
    if (!this.#queues.has(name)) throw new DatabaseMisuse(`There is no queue ${name}; define it before the start.`);
    await this.#boss.schedule(name, cron, data, { tz: options.tz ?? 'UTC', singletonKey: 'schedule' });
  }

  async unschedule(name: string): Promise<void> {
    await this.#boss.unschedule(name);
  }

  async stop(): Promise<void> {
    if (this.#state !== 'started') {
      this.#state = 'stopped';
      return;
    }
    this.#state = 'stopped';
    for (const timer of this.#timers) clearInterval(timer);
    this.#stopping.abort(new Error('The server is shutting down.'));
    for (const bell of [...this.#bells.values()].flat()) bell.ring();
    const until = Date.now() + this.#graceMs;
    const stopped = this.#boss.stop({ graceful: false });
    while (this.#holds.size > 0 && Date.now() < until) await sleep(20);
    await stopped;
    // A fetch on its way may still bring a job, which then ends at once.
    do {
      await Promise.allSettled(this.#statements);
      await new Promise(resolve => setImmediate(resolve));
    } while (this.#statements.size > 0);
    await this.#holds.handBack();
  }

  /** One worker: runs the jobs of a queue, one after the other. Time limits are not its matter: a job takes as long as it takes. */
  async #loop(name: string, handler: (job: Job) => Promise<void>, bell: Bell): Promise<void> {
    while (this.#state === 'started') {
      const [job] = await this.#boss.fetch<Record<string, unknown>>(name, { includeMetadata: true });
      try {
        if (job) await this.#run(job, handler);
        else await bell.wait(lookMs);
      } catch (error) {
        this.#log.error({ queue: name, error: String(error) }, 'The job queue met an error.');
        await sleep(1000);
      }
    }
  }

  async #run(job: PgBoss.JobWithMetadata<Record<string, unknown>>, handler: (job: Job) => Promise<void>): Promise<void> {
    const { id, name } = job;
    const hold = await this.#patient(() => this.#holds.take(job, job.retryCount));
    if (!hold) return;
    const signal = AbortSignal.any([this.#stopping.signal, hold.lost]);
    let hasCrashes = job.retryCount > 0;
    try {
      signal.throwIfAborted();
      await handler({
        id,
        name,
        data: job.data,
        attempt: job.retryCount + 1,
        signal,
        progressed: async () => {
          if (!hasCrashes) return;
          hasCrashes = false;
          await this.#db.ownerQuery("UPDATE pgboss.job SET retry_count = 0 WHERE name = $1 AND id = $2 AND state = 'active'", [name, id]);
        },
      });
    } catch (error) {
      if (this.#stopping.signal.aborted) return this.#holds.interrupt(hold);
      this.#log.warn(
        { job: id, queue: name, attempt: job.retryCount + 1, error: error instanceof Error ? error.message : String(error) },
        'A job failed.',
      );
      return this.#tracked(
        this.#holds.end(hold, () => this.#boss.fail(name, id, error instanceof Error ? error : { message: String(error) })),
      );
    }
    await this.#tracked(this.#holds.end(hold, () => this.#patiently(completed, [name, id])));
  }

  /** Work that `stop` waits for. */
  #tracked<T>(work: Promise<T>): Promise<T> {
    this.#statements.add(work);
    void work.catch(() => undefined).finally(() => this.#statements.delete(work));
    return work;
  }

  #isLooking = false;
  /**
   * Wakes the workers of every queue in which a job waits whose time has come: sent by another process, by the clock, or to be tried again.
   */
  #look(): void {
    if (this.#isLooking) return;
    this.#isLooking = true;
    const work = this.#db
      .ownerQuery<{ name: string }>(
        'SELECT n.name FROM unnest($1::text[]) AS n (name) WHERE EXISTS (' +
          "SELECT FROM pgboss.job j WHERE j.name = n.name AND j.state < 'active' AND j.start_after < now())",
        [[...this.#bells.keys()]],
      )
      .then(
        ({ rows }) => {
          for (const { name } of rows) this.wake(name);
        },
        () => undefined /* it looks again */,
      )
      .finally(() => {
        this.#isLooking = false;
        this.#statements.delete(work);
      });
    this.#statements.add(work);
  }

  wake(name: string): void {
    for (const bell of this.#bells.get(name) ?? []) bell.ring();
  }

  /**
   * pg-boss does not wait for some of its own statements, so their failure would end the process: they wait for the database
   * instead, and are repeated when a process that creates its queues got in their way.
   */
  async #patiently(text: string, values: unknown[]): Promise<{ rows: unknown[] }> {
    return (await this.#patient(() => this.#db.ownerQuery(text, values))) ?? { rows: [{ count: 0 }] };
  }

  /** Repeats work while the database is not there. Undefined: the queue stopped meanwhile. */
  #patient<T>(work: () => Promise<T>): Promise<T | undefined> {
    const attempts = async (): Promise<T | undefined> => {
      for (;;) {
        try {
          return await work();
        } catch (error) {
          if (!isTransient(error)) throw error;
          if (this.#state === 'stopped') return undefined;
          await sleep(100 + Math.random() * 200);
        }
      }
    };
    return this.#tracked(attempts());
  }
}
