// The job queue, kept in the same database: pg-boss on top of our port, so that it runs on both engines.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { CompiledQuery, type Kysely } from 'kysely';
import PgBoss from 'pg-boss';
import type { Database } from '../db/database.ts';
import { silent, type StoreLog } from '../db/engine.ts';
import { DatabaseMisuse, DatabaseUnavailable } from '../db/errors.ts';
import { appRole } from '../db/migrate.ts';
import { isTransient } from './transient-error.ts';
import type { Tables } from '../../../generated/tables.ts';

/** A job as its handler gets it. A job may run more than once (crash, hand-back, retry): every step must be safe to repeat. */
export interface Job<D extends object = Record<string, unknown>> {
  readonly id: string;
  readonly name: string;
  readonly data: D;
  /** 1 the first time, counted up by failures and crashes, not by hand-backs. */
  readonly attempt: number;
  /** Aborts when the process shuts down: finish the current step, then `signal.throwIfAborted()` hands the job back. */
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
  /** Registers what runs the jobs of a queue (and declares it, if nobody did). Before `start`. */
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
  readonly log?: StoreLog;
  /** Is called with the queue of every job that was sent by a process without workers. */
  readonly sent?: (name: string) => void;
}

type Running = Readonly<Record<'name' | 'id', string>>;

/**
 * Without a sign that something waits, a worker looks for itself no oftener than this; what waits is
 * looked for by one statement for all of them.
 */
const loopSeconds = 60;
const beatMs = 1000;
const sweepMs = 1000;
/**
 * A running job shows a sign of life every second; after this many seconds without, its process is gone:
 * within five seconds another one goes on.
 */
const silentSeconds = 3.5;
/**
 * So long (ms) must looks have followed each other before jobs are taken over: after a pause of all, the
 * others need time to show that they live.
 */
const steadyMs = 2500;
/** A job whose process died this often is the likely reason, and is given up. */
const mostCrashes = 10;

/** What the queue needs besides pg-boss's own tables: calls may add jobs within their transactions, and no more than that. */
const additions = `
  BEGIN;
  SELECT pg_advisory_xact_lock(7303015);
  GRANT USAGE ON SCHEMA pgboss TO ${appRole}; GRANT SELECT ON pgboss.queue TO ${appRole};
  GRANT INSERT, SELECT (id) ON pgboss.job TO ${appRole};
  CREATE INDEX IF NOT EXISTS job_running ON pgboss.job (started_on) WHERE state = 'active';
  COMMIT`;

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
  readonly #loops = new Map<string, string[]>();
  readonly #running = new Map<string, Running>();
  readonly #statements = new Set<Promise<unknown>>();
  readonly #stopping = new AbortController();
  readonly #timers: NodeJS.Timeout[] = [];
  #state: 'new' | 'started' | 'stopped' = 'new';
  #sweptAt = 0;
  #steadySince = 0;

  constructor(db: Database, options: QueueOptions) {
    this.#db = db;
    this.#log = options.log ?? silent;
    this.#workers = options.workers ?? 1;
    this.#graceMs = options.graceMs ?? 8000;
    this.#pollSeconds = options.pollSeconds ?? 2;
    this.#sent = this.#workers > 0 ? name => this.wake(name) : (options.sent ?? (() => undefined));
    this.#boss = new PgBoss({
      db: { executeSql: (text, values) => this.#patiently(text, values) },
      schedule: this.#workers > 0,
      supervise: this.#workers > 0,
      maintenanceIntervalSeconds: 300,
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
        expireInHours: 23,
      };
      const queue = there.get(name);
      if (!queue) await this.#boss.createQueue(name, settings);
      else if (queue.retryLimit !== retries || queue.retryDelay !== retrySeconds) await this.#boss.updateQueue(name, settings);
    }
    if (this.#workers === 0) return;
    // Whoever has the folder is alone: what is marked as running was running when the last process ended.
    if (this.#db.kind === 'embedded') await this.#recover(0);
    for (const [name, handler] of this.#handlers) {
      const ids: string[] = [];
      this.#loops.set(name, ids);
      for (let i = 0; i < this.#workers; i++) {
        ids.push(
          await this.#boss.work<Record<string, unknown>>(name, { includeMetadata: true, pollingIntervalSeconds: loopSeconds }, jobs =>
            this.#run(jobs[0]!, handler),
          ),
        );
      }
    }
    this.#timers.push(setInterval(() => this.#look(), this.#pollSeconds * 1000).unref());
    if (this.#db.kind === 'postgres') {
      this.#timers.push(setInterval(() => void this.#beat(), beatMs).unref(), setInterval(() => void this.#sweep(), sweepMs).unref());
    }
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
    const until = Date.now() + this.#graceMs;
    const stopped = this.#boss.stop({ graceful: this.#running.size > 0, timeout: Math.max(1000, this.#graceMs) });
    while (this.#running.size > 0 && Date.now() < until) await sleep(20);
    await stopped;
    // A fetch on its way may still bring a job, which then ends at once.
    do {
      await Promise.allSettled(this.#statements);
      await new Promise(resolve => setImmediate(resolve));
    } while (this.#statements.size > 0);
    for (const [name, ids] of this.#runningByQueue(this.#interrupted)) await this.#handBack(name, ids);
    for (const [name, ids] of this.#runningByQueue([...this.#running.values()])) await this.#handBack(name, ids);
  }

  /** Jobs that ended by the shutdown's signal. */
  readonly #interrupted: Running[] = [];

  async #run(job: PgBoss.JobWithMetadata<Record<string, unknown>>, handler: (job: Job) => Promise<void>): Promise<void> {
    const { id, name } = job;
    this.#running.set(id, { id, name });
    let hasCrashes = job.retryCount > 0;
    try {
      this.#stopping.signal.throwIfAborted();
      await handler({
        id,
        name,
        data: job.data,
        attempt: job.retryCount + 1,
        signal: this.#stopping.signal,
        progressed: async () => {
          if (!hasCrashes) return;
          hasCrashes = false;
          await this.#db.ownerQuery("UPDATE pgboss.job SET retry_count = 0 WHERE name = $1 AND id = $2 AND state = 'active'", [name, id]);
        },
      });
    } catch (error) {
      if (this.#stopping.signal.aborted) this.#interrupted.push({ id, name });
      else
        this.#log.warn(
          { job: id, queue: name, attempt: job.retryCount + 1, error: error instanceof Error ? error.message : String(error) },
          'A job failed.',
        );
      throw error;
    } finally {
      this.#running.delete(id);
      this.wake(name);
    }
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
        [[...this.#loops.keys()]],
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
    if (this.#state === 'started') for (const id of this.#loops.get(name) ?? []) this.#boss.notifyWorker(id);
  }

  /**
   * pg-boss does not wait for some of its own statements, so their failure would end the process: they wait for the database
   * instead, and are repeated when a process that creates its queues got in their way.
   */
  #patiently(text: string, values: unknown[]): Promise<{ rows: unknown[] }> {
    const work = (async () => {
      for (;;) {
        try {
          return await this.#db.ownerQuery(text, values);
        } catch (error) {
          if (!isTransient(error)) throw error;
          if (this.#state === 'stopped') return { rows: [{ count: 0 }] };
          await sleep(100 + Math.random() * 200);
        }
      }
    })();
    this.#statements.add(work);
    work.catch(() => undefined).finally(() => this.#statements.delete(work));
    return work;
  }

  #runningByQueue(jobs: readonly Running[]): Map<string, string[]> {
    const byQueue = new Map<string, string[]>();
    for (const { name, id } of jobs) byQueue.set(name, [...(byQueue.get(name) ?? []), id]);
    return byQueue;
  }

  /** As if the jobs had never been fetched. */
  async #handBack(name: string, ids: string[]): Promise<void> {
    await this.#db
      .ownerQuery(
        "UPDATE pgboss.job SET state = 'retry', started_on = NULL, completed_on = NULL, output = NULL, start_after = now() " +
          "WHERE name = $1 AND id = ANY($2::uuid[]) AND state IN ('active', 'retry', 'failed')",
        [name, ids],
      )
      .catch((error: unknown) =>
        this.#log.warn(
          { queue: name, error: String(error) },
          'Running jobs could not be handed back; they are found when their signs of life stop.',
        ),
      );
  }

  async #beat(): Promise<void> {
    for (const [name, ids] of this.#runningByQueue([...this.#running.values()])) {
      await this.#db
        .ownerQuery("UPDATE pgboss.job SET started_on = now() WHERE name = $1 AND id = ANY($2::uuid[]) AND state = 'active'", [name, ids])
        .catch(() => undefined);
    }
  }

  async #sweep(): Promise<void> {
    // After a pause (database away, machine asleep) others could not show signs of life either: give them time first.
    const now = Date.now();
    if (now - this.#sweptAt > sweepMs * 2) this.#steadySince = now;
    this.#sweptAt = now;
    if (now - this.#steadySince >= steadyMs)
      await this.#recover(silentSeconds).catch(() => {
        this.#sweptAt = 0;
      });
  }

  /** Makes jobs of processes that died wait again. Their data is as their last committed step left it. */
  async #recover(seconds: number): Promise<void> {
    const { affected } = await this.#db.ownerQuery(
      `UPDATE pgboss.job SET
         state = CASE WHEN retry_count < greatest(retry_limit, ${mostCrashes}) THEN 'retry' ELSE 'failed' END::pgboss.job_state,
         completed_on = CASE WHEN retry_count < greatest(retry_limit, ${mostCrashes}) THEN NULL ELSE now() END,
         output = '{"message": "Its process ended while it ran."}', start_after = now()
       WHERE state = 'active' AND started_on <= now() - make_interval(secs => $1)`,
      [seconds],
    );
    if (affected > 0) {
      this.#log.warn({ jobs: affected }, 'Took over jobs whose process ended.');
      for (const name of this.#loops.keys()) this.wake(name);
    }
  }
}
