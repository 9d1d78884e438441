// Which stores have events to deliver: looked for every second by the process that runs jobs, whichever process wrote them.
import { SEND_DELIVERIES } from '../deliveries/deliveries.ts';
import type { Database } from '../db/database.ts';
import type { StoreLog } from '../db/engine.ts';
import type { Queue } from '../queue/queue.ts';

export const DELIVER_EVENTS = 'deliver-events';
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

async function sweepOnce({ db, queue, log }: Looking, looks: number): Promise<void> {
  const { rows } = await db.ownerQuery<{ id: number; events: boolean; deliveries: boolean }>(
    `select * from (select s.id, (exists (select 1 from event_queue q where q.store_id = s.id)
        or exists (select 1 from event_failures f where f.store_id = s.id and f.retry_at <= now())) as events,
      exists (select 1 from deliveries d where d.store_id = s.id and d.state = 'PENDING' and d.next_at <= now()) as deliveries
      from stores s) as waiting where events or deliveries`,
  );
  for (const { id } of rows.filter(({ deliveries }) => deliveries))
    await queue.send(SEND_DELIVERIES, { storeId: id }, { singletonKey: `${SEND_DELIVERIES}-${id}` });
  for (const { id } of rows.filter(({ events }) => events))
    await queue.send(DELIVER_EVENTS, { storeId: id }, { singletonKey: `${DELIVER_EVENTS}-${id}` });
  if (rows.length === 0 || looks % COMPLAIN_EVERY !== 0) return;
  const lag = await eventLag(db);
  if (lag.oldestSeconds > LATE_SECONDS) log.error(lag, 'Events are delivered late.');
}

/** Looks for events until the answer is called. */
export function lookForEvents(services: Looking): () => void {
  let looks = 0;
  let isBusy = false;
  const timer = setInterval(() => {
    if (isBusy || services.state !== 'ready') return;
    isBusy = true;
    services.background(
      sweepOnce(services, ++looks).finally(() => {
        isBusy = false;
      }),
    );
  }, LOOK_MS);
  return () => clearInterval(timer);
}
