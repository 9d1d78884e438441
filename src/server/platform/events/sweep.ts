// Which stores have something that waits for a job, such as events to deliver: looked for every second by the process that runs jobs,
// whichever process wrote it.
import type { Database } from '../db/database.ts';
import type { StoreLog } from '../db/engine.ts';
import type { Queue } from '../queue/queue.ts';

const LOOK_MS = 1000;
/** Older than this (s) something keeps consumers back: a long transaction, or a consumer that does not get on. */
const LATE_SECONDS = 120;
/** Looks between two complaints. */
const COMPLAIN_EVERY = 60;

/** How many events some consumer has not seen, and how long the oldest of them has waited (s, real time). */
export async function eventLag(db: Database): Promise<{ waiting: number; oldestSeconds: number; failed: number }> {
  const { rows } = await db.ownerQuery<{ waiting: number; oldest: number | null; failed: number }>(
    `select (select count(*)::integer from event_queue) as waiting, (select count(*)::integer from event_failures) as failed,
      (select extract(epoch from now() - min(queued_at))::integer from event_queue) as oldest`,
  );
  return { waiting: rows[0]?.waiting ?? 0, oldestSeconds: rows[0]?.oldest ?? 0, failed: rows[0]?.failed ?? 0 };
}

/**
 * After a restore into another database server its numbers of transactions may be lower than those in the queue: a new epoch begins then,
 * and what was queued before it is delivered first.
 */
export async function raiseEpoch(db: Database): Promise<void> {
  await db.exec(`do $$
    declare next integer;
    begin
      lock table event_epoch in exclusive mode;
      select epoch + 1 into next from event_epoch;
      if exists (select 1 from event_queue where epoch = next - 1 and transaction_id >= pg_snapshot_xmax(pg_current_snapshot()))
        or exists (select 1 from event_cursors where epoch = next - 1 and transaction_id >= pg_snapshot_xmax(pg_current_snapshot())) then
        update event_epoch set epoch = next;
        execute format('alter table event_queue alter column epoch set default %s', next);
      end if;
    end $$`);
}

/** What of the services the look needs. */
interface Looking {
  readonly db: Database;
  readonly queue: Queue;
  readonly log: StoreLog;
  readonly state: string;
  background(work: Promise<unknown>): void;
}

/** A job that is looked for. */
/** What is looked for of a job: its name, and the condition in SQL that a store `s` has work for it. */
interface Looked {
  name: string;
  waiting?: string;
}

async function sweepOnce({ db, queue, log }: Looking, jobs: readonly Looked[], looks: number): Promise<void> {
  const columns = jobs.map(({ waiting }, i) => `(${waiting}) as w${i}`);
  const { rows } = await db.ownerQuery<{ id: number } & Record<string, unknown>>(
    `select * from (select s.id, ${columns.join(', ')} from stores s) as found where ${jobs.map((_, i) => `w${i}`).join(' or ')}`,
  );
  for (const row of rows)
    for (const [i, { name }] of jobs.entries())
      if (row[`w${i}`]) await queue.send(name, { storeId: row.id }, { singletonKey: `${name}-${row.id}` });
  if (rows.length === 0 || looks % COMPLAIN_EVERY !== 0) return;
  const lag = await eventLag(db);
  if (lag.oldestSeconds > LATE_SECONDS) log.error(lag, 'Events are delivered late.');
}

/** Looks for what waits until the answer is called. */
export function lookForWaiting(services: Looking, jobs: readonly Looked[]): () => void {
  const looked = jobs.filter(job => job.waiting !== undefined);
  let looks = 0;
  let isBusy = false;
  const timer = setInterval(() => {
    if (isBusy || services.state !== 'ready') return;
    isBusy = true;
    services.background(
      sweepOnce(services, looked, ++looks).finally(() => {
        isBusy = false;
      }),
    );
  }, LOOK_MS);
  return () => clearInterval(timer);
}
