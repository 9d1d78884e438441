// The jobs that this process runs: it shows that they live, no other process begins one of them, and those of dead processes are taken
// over.
import type { StoreLog, WorkLock } from '../db/engine.ts';

/** Which job. */
export interface JobName {
  readonly id: string;
  readonly name: string;
}

/** What a process holds of a job that it runs. `lost` aborts when another process runs the job by now: its line to the database broke. */
export interface Hold extends JobName {
  readonly lost: AbortSignal;
}

export interface HoldsOptions {
  /** A job without a sign of life for so long begins again, whatever became of its process. */
  readonly expirySeconds: number;
  readonly log: StoreLog;
  /** Is called when jobs wait again whose process died. */
  readonly tookOver: () => void;
}

const beatMs = 1000;
const sweepMs = 1000;
/**
 * Where other processes share the database, a running job shows a sign of life every second; after this many seconds without, its
 * process is gone: within five seconds another one goes on.
 */
const silentSeconds = 3.5;
/**
 * So long (ms) must looks have followed each other before jobs are taken over: after a pause of all, the
 * others need time to show that they live.
 */
const steadyMs = 2500;
/** A job whose process died this often is the likely reason, and is given up. */
const mostCrashes = 10;

/** What it needs of the database. */
interface HoldsDatabase {
  readonly kind: 'embedded' | 'postgres';
  lockWork(key: string): Promise<WorkLock | null>;
  ownerQuery<R = Record<string, unknown>>(text: string, params?: readonly unknown[]): Promise<{ rows: R[]; affected: number }>;
}

/**
 * A running job is `active` in its table, renewed by its process while it lives, and locked by it. The mark alone is not enough: a process
 * that pauses looks dead to others for a while. They put its job back, and the process that begins it then is refused by the lock.
 */
export class Holds {
  readonly #db: HoldsDatabase;
  readonly #options: HoldsOptions;
  readonly #held = new Map<string, Hold>();
  /** Jobs that ended because the process shuts down. */
  readonly #interrupted: Hold[] = [];
  readonly #locks = new Map<string, WorkLock>();
  readonly #timers: NodeJS.Timeout[] = [];
  #beating: Promise<void> = Promise.resolve();
  #sweptAt = 0;
  #steadySince = 0;

  constructor(db: HoldsDatabase, options: HoldsOptions) {
    this.#db = db;
    this.#options = options;
  }

  /** How many jobs run. */
  get size(): number {
    return this.#held.size;
  }

  /** Begins to show signs of life, and to look for jobs without. */
  async start(): Promise<void> {
    const isAlone = this.#db.kind === 'embedded';
    // The process that has the folder is alone: what is marked as running was running when the last one ended.
    if (isAlone) await this.#recover(0);
    const everyMs = Math.min(isAlone ? 60_000 : beatMs, (this.#options.expirySeconds * 1000) / 4);
    this.#timers.push(setInterval(() => void this.#beat(), everyMs).unref());
    if (!isAlone) this.#timers.push(setInterval(() => void this.#sweep(), sweepMs).unref());
  }

  /** Takes hold of a job that was fetched. Null: it runs elsewhere and is left to that process, or it has ended meanwhile. */
  async take({ id, name }: JobName, retryCount: number): Promise<Hold | null> {
    const lock = await this.#db.lockWork(`job ${id}`);
    if (!lock) {
      this.#options.log.warn({ job: id, queue: name }, 'A job that seemed to have stopped still runs; it is not begun again.');
      if (retryCount > 0)
        await this.#db.ownerQuery("UPDATE pgboss.job SET retry_count = retry_count - 1 WHERE name = $1 AND id = $2 AND state = 'active'", [
          name,
          id,
        ]);
      return null;
    }
    try {
      const { affected } = await this.#db.ownerQuery("SELECT FROM pgboss.job WHERE name = $1 AND id = $2 AND state = 'active'", [name, id]);
      if (affected > 0) {
        const hold: Hold = { id, name, lost: lock.lost };
        this.#locks.set(id, lock);
        this.#held.set(id, hold);
        return hold;
      }
    } catch (error) {
      await lock.release();
      throw error;
    }
    await lock.release();
    return null;
  }

  /** Writes down how a job ended and lets go of it; what is written is left to the process that runs it by now when the hold was lost. */
  async end(hold: Hold, write: () => Promise<unknown>): Promise<void> {
    this.#held.delete(hold.id);
    // A sign of life on its way would bring the job to life again.
    await this.#beating;
    try {
      if (!hold.lost.aborted) await write();
    } finally {
      await this.#free(hold.id);
    }
  }

  /** A job ended because the process shuts down: it is handed back with the others. */
  interrupt(hold: Hold): void {
    this.#held.delete(hold.id);
    this.#interrupted.push(hold);
  }

  /** Shuts down: jobs that were interrupted and those that still run wait again as if they had never been fetched. */
  async handBack(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    const back = [...this.#interrupted, ...this.#held.values()].filter(({ lost }) => !lost.aborted);
    this.#held.clear();
    await this.#beating;
    for (const [name, ids] of byQueue(back)) {
      await this.#db
        .ownerQuery(
          "UPDATE pgboss.job SET state = 'retry', started_on = NULL, completed_on = NULL, output = NULL, start_after = now() " +
            "WHERE name = $1 AND id = ANY($2::uuid[]) AND state IN ('active', 'retry', 'failed')",
          [name, ids],
        )
        .catch((error: unknown) =>
          this.#options.log.warn(
            { queue: name, error: String(error) },
            'Running jobs could not be handed back; they are found when their signs of life stop.',
          ),
        );
    }
    for (const id of [...this.#locks.keys()]) await this.#free(id);
  }

  async #free(id: string): Promise<void> {
    const lock = this.#locks.get(id);
    this.#locks.delete(id);
    await lock?.release();
  }

  /** A job that was put back although it runs is marked as running again. */
  #beat(): Promise<void> {
    const work = async (): Promise<void> => {
      for (const [name, ids] of byQueue([...this.#held.values()].filter(({ lost }) => !lost.aborted))) {
        await this.#db
          .ownerQuery(
            "UPDATE pgboss.job SET state = 'active', started_on = now(), completed_on = NULL, output = NULL " +
              "WHERE name = $1 AND id = ANY($2::uuid[]) AND state IN ('active', 'retry', 'failed')",
            [name, ids],
          )
          .catch(() => undefined);
      }
    };
    this.#beating = this.#beating.then(work);
    return this.#beating;
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
    if (affected === 0) return;
    this.#options.log.warn({ jobs: affected }, 'Took over jobs whose process ended.');
    this.#options.tookOver();
  }
}

function byQueue(jobs: readonly JobName[]): Map<string, string[]> {
  const queues = new Map<string, string[]>();
  for (const { name, id } of jobs) queues.set(name, [...(queues.get(name) ?? []), id]);
  return queues;
}
