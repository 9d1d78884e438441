// The run of a bulk action: begins when no other of its kind runs, is worked off in chunks by any number of
// workers, ends once, and lets the next one begin.
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { ACTIONS, type EngineContext, transactIn } from '../../engine/index.ts';
import { tellEnded, withdrawn } from '../../platform/auth/acting.ts';
import type { Store } from '../../platform/context.ts';
import { Refusal } from '../../platform/context.ts';
import type { Services } from '../../platform/services.ts';
import { BatchSize } from '../../platform/queue/batch-size.ts';
import { doChunk, lockBulk, resolveCharges, type BulkRuntime } from './bulk-chunk.ts';
import { mailFinished } from './finished-mail.ts';
import { BULK_JOB } from './queue-names.ts';
import { keepBulk, move, type BulkData, type BulkRow, type BulkStatus } from './bulk-record.ts';
import { enqueue, needsToRun } from './start.ts';
import { titleOf } from './titles.ts';

/**
 * Most rows of a chunk: reading more of them at once holds up this process for longer than a list should wait. A charge waits for the
 * gateway, so that few are under way at once.
 */
const ROWS = 200;
const ROWS_CHARGING = 25;
/** Workers that may share one bulk action, and from how many rows on another one is worth it. */
const MAX_PARTS = 4;
const PER_PART = 2000;

type Host = BulkRuntime & Pick<Services, 'queue'> & { mailer?: Services['mailer'] };
export interface RunOptions {
  /** Rows of a chunk, in tests; then one after the other unless `lanes` says how many at once. */ rows?: number;
  lanes?: number;
  /** Called after every chunk. */ onChunk?: () => Promise<void> | void;
}

/** Runs a bulk action until it is over, or until the process shuts down; then the queue hands it to the next. */
export async function runBulk(host: Host, data: BulkData, signal: AbortSignal, options: RunOptions = {}): Promise<void> {
  const begun = await begin(host, data);
  if (!begun) return;
  const charges = ACTIONS.get(begun.action_key)?.charges === true;
  const most = options.rows ?? (charges ? ROWS_CHARGING : ROWS);
  const lanes =
    host.db.kind !== 'postgres' || charges ? 1 : (options.lanes ?? (options.rows === undefined && begun.total > 4 * most ? LANES : 1));
  for (;;) {
    const round = { isOver: false };
    await inLanes(lanes, lane =>
      pass(host, data, most, signal, options, () => lane > 0 && host.db.isAsked && !round.isOver).finally(() => {
        round.isOver = true;
      }),
    );
    await resolveCharges(host, data, most);
    const state = await end(host, data);
    if (state === 'over') {
      host.mailer?.kick();
      return;
    }
    // Rows that wait for another try, or for the answer to a charge; or others are at them.
    if (state === 'waiting') await sleep(500, undefined, { signal });
  }
}

/**
 * Runs the same work several times at once, each with its number. All have ended when it throws: nothing
 * goes on after the call has ended.
 */
async function inLanes(lanes: number, work: (lane: number) => Promise<void>): Promise<void> {
  const ends = await Promise.allSettled(Array.from({ length: lanes }, (_, lane) => work(lane)));
  const failed = ends.find(end => end.status === 'rejected');
  if (failed) throw failed.reason;
}

/** Goes through the rows once, from the first to the last that can be taken; takes none while it `rests`. */
async function pass(
  host: Host,
  data: BulkData,
  most: number,
  signal: AbortSignal,
  { rows, onChunk }: RunOptions,
  rests: () => boolean,
): Promise<void> {
  const batchSize = new BatchSize(host.db, most, { exactly: rows });
  for (let after = 0; ;) {
    signal.throwIfAborted();
    if (rests()) {
      await sleep(REST_MS, undefined, { signal });
      continue;
    }
    const size = batchSize.next();
    const chunk = await batchSize.timed(begun => doChunk(host, data, after, size, begun));
    await onChunk?.();
    if (chunk.over || chunk.taken === 0) return;
    after = chunk.last;
  }
}

/**
 * Chunks that one worker has under way at once: while the database writes one, the next is worked out. While this process answers calls
 * only the first goes on. The embedded database has one connection, and charges wait for the gateway.
 */
const LANES = 2;
/** How soon (ms) a lane that rests looks again. */
const REST_MS = 50;

/** QUEUED to IN_PROGRESS, unless another of its kind runs; a running one is joined. Undefined: there is nothing to do. */
async function begin(host: Host, data: BulkData): Promise<BulkRow | undefined> {
  const transact = transactIn(host, data.storeId);
  return transact(async context => {
    const { trx, storeId, now } = context;
    const found = await trx
      .selectFrom('bulk_actions')
      .selectAll()
      .where('store_id', '=', storeId)
      .where('id', '=', data.bulkId)
      .executeTakeFirst();
    if (!found) return undefined;
    // One after the other, so that two of a kind can't both find the place free.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`${storeId} bulk kind ${found.action_key}`}, 0))`.execute(trx);
    const row = await trx
      .selectFrom('bulk_actions')
      .selectAll()
      .where('store_id', '=', storeId)
      .where('id', '=', data.bulkId)
      .forUpdate()
      .executeTakeFirst();
    if (row?.status === 'IN_PROGRESS' || row?.status === 'CANCELLING') return row;
    if (row?.status !== 'QUEUED') return undefined;
    const other = await trx
      .selectFrom('bulk_actions')
      .select('id')
      .where('store_id', '=', storeId)
      .where('action_key', '=', row.action_key)
      .where('id', '<>', row.id)
      .where(eb =>
        eb.or([
          eb('status', 'in', ['IN_PROGRESS', 'CANCELLING']),
          eb.and([eb('is_system', '=', true), eb('status', '=', 'QUEUED')]),
          eb.and([eb('status', '=', 'QUEUED'), eb('queued_at', '<', row.queued_at), eb('is_system', '=', false)]),
        ]),
      )
      .limit(1)
      .executeTakeFirst();
    if (other) return undefined;
    const reason = await withdrawn(context, host.definitions, row.acting_user_id, needsToRun(host.definitions, row));
    if (reason !== undefined) {
      await failWithoutRights(context, row, reason);
      await beginNext(host, context, row.action_key);
      return undefined;
    }
    const begun = await keepBulk(context, row.id, { status: move(row, 'begin'), started_at: now() }, now());
    const parts = Math.min(MAX_PARTS, Math.ceil(row.total / PER_PART));
    for (let part = 2; part <= parts; part++)
      await host.queue.send(BULK_JOB, { ...data, part }, { trx, singletonKey: `${storeId}-${row.id}-${part}` });
    return begun;
  });
}

/** Ends a bulk action when nothing of it is left to do. 'more': rows are there to be taken; 'waiting': later. */
async function end(host: Host, data: BulkData): Promise<'over' | 'more' | 'waiting'> {
  return transactIn(
    host,
    data.storeId,
  )(async context => {
    const { trx, storeId, now } = context;
    // Waits for chunks that others are at.
    await lockBulk(trx, data, 'alone');
    const row = await trx
      .selectFrom('bulk_actions')
      .selectAll()
      .where('store_id', '=', storeId)
      .where('id', '=', data.bulkId)
      .forUpdate()
      .executeTakeFirst();
    if (!row || (row.status !== 'IN_PROGRESS' && row.status !== 'CANCELLING')) return 'over';
    const { rows } = await sql<{ ready: number; waiting: number; charging: number }>`select
        count(*) filter (where order_id is null and (not_before is null or not_before <= ${now()})) as ready,
        count(*) filter (where order_id is null and not_before > ${now()}) as waiting, count(*) filter (where order_id is not null) as
          charging
      from bulk_action_rows where store_id = ${storeId}::integer and bulk_action_id = ${data.bulkId}::bigint
        and status = 'PENDING'`.execute(trx);
    const left = { ready: Number(rows[0]?.ready ?? 0), waiting: Number(rows[0]?.waiting ?? 0), charging: Number(rows[0]?.charging ?? 0) };
    const isStopping = row.status === 'CANCELLING';
    if (left.charging > 0) return 'waiting';
    if (!isStopping && left.ready > 0) return 'more';
    if (!isStopping && left.waiting > 0) return 'waiting';
    if (isStopping && row.error !== null) {
      await failWithoutRights(context, row, row.error);
      await beginNext(host, context, row.action_key);
      return 'over';
    }
    const event = isStopping
      ? 'stopped'
      : row.total > 0 && row.failed >= row.total
        ? 'fail'
        : row.failed > 0
          ? 'completeWithErrors'
          : 'complete';
    const ended = await keepBulk(context, row.id, { status: move(row, event), finished_at: now() }, now());
    await mailFinished(context, ended);
    await beginNext(host, context, row.action_key);
    return 'over';
  });
}

/**
 * Ends a bulk action whose person may not do it any more: with the reason on its page and in the account log,
 * and letters to the admins and to the owner.
 */
async function failWithoutRights(context: EngineContext, row: BulkRow, reason: string): Promise<void> {
  const failed = await keepBulk(context, row.id, { status: move(row, 'fail'), error: reason, finished_at: context.now() }, context.now());
  const told = await tellEnded(context, context.now(), {
    what: `The bulk action “${row.label || titleOf(row.action_key)}”`,
    reason,
    action: 'bulk_action.ended',
    category: 'Bulk actions',
    entity: 'bulk-action',
    entityId: row.id,
  });
  await mailFinished(context, failed, told);
}

/** Calls a worker for the one of this kind that has waited longest. */
async function beginNext({ queue }: Pick<Host, 'queue'>, { trx, storeId }: EngineContext, key: string): Promise<void> {
  const next = await trx
    .selectFrom('bulk_actions')
    .select('id')
    .where('store_id', '=', storeId)
    .where('action_key', '=', key)
    .where('is_system', '=', false)
    .where('status', '=', 'QUEUED')
    .orderBy('queued_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  if (next) await queue.send(BULK_JOB, { storeId, bulkId: next.id } satisfies BulkData, { trx, singletonKey: `${storeId}-${next.id}-1` });
}

interface Open {
  store_id: number;
  id: number;
  status: BulkStatus;
}

/** Queues what is scheduled for now, and calls a worker for everything that waits or runs: nothing stays lying because a process died. */
export async function wakeBulks(
  services: Pick<Services, 'db' | 'definitions' | 'config' | 'queue' | 'gateway' | 'log' | 'shape'>,
  signal?: AbortSignal,
): Promise<void> {
  const { rows } = await services.db
    .ownerQuery<Open>(`select b.store_id, b.id, b.status from bulk_actions b join stores s on s.id = b.store_id
    where not b.is_system and (b.status in ('QUEUED', 'IN_PROGRESS', 'CANCELLING') or (b.status = 'SCHEDULED'
      and b.scheduled_at <= now() + s.clock_offset_ms * interval '1 millisecond')) order by b.store_id, b.id`);
  for (const { store_id: storeId, id, status } of rows) {
    signal?.throwIfAborted();
    if (status === 'SCHEDULED') await fallDue(services, storeId, id);
    else await services.queue.send(BULK_JOB, { storeId, bulkId: id } satisfies BulkData, { singletonKey: `${storeId}-${id}-1` });
  }
}

/** SCHEDULED to QUEUED at its time; to FAILED when its filter finds nothing, or too much, by then. */
async function fallDue(
  services: Pick<Services, 'db' | 'definitions' | 'config' | 'queue' | 'gateway' | 'log' | 'shape'>,
  storeId: number,
  bulkId: number,
): Promise<void> {
  const transact = transactIn(services, storeId);
  const due = (context: EngineContext) =>
    context.trx
      .selectFrom('bulk_actions')
      .selectAll()
      .where('store_id', '=', storeId)
      .where('id', '=', bulkId)
      .where('status', '=', 'SCHEDULED')
      .forUpdate()
      .executeTakeFirst();
  try {
    await transact(async context => {
      const row = await due(context);
      const reason = row && (await withdrawn(context, services.definitions, row.acting_user_id, needsToRun(services.definitions, row)));
      if (row && reason !== undefined) await failWithoutRights(context, row, reason);
      else if (row)
        await enqueue(
          {
            ...context,
            db: services.db,
            store: context.store as Store,
            queue: services.queue,
            shape: name => services.shape(name),
            session: undefined,
          },
          row,
          'fallDue',
        );
    });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    await transact(async context => {
      const row = await due(context);
      if (!row) return;
      const failed = await keepBulk(
        context,
        row.id,
        { status: move(row, 'fail'), error: error.message, finished_at: context.now() },
        context.now(),
      );
      await mailFinished(context, failed);
    });
  }
}
