// A chunk of rows: taken locked, done by the engine's own actions, and marked in the same transaction, so
// that each is done once whatever happens.
import { sql, type Kysely } from 'kysely';
import { failureCategory, type FailureKey } from '../../../domain/recovery/failure-codes.ts';
import type { Definitions, JsonObject } from '../../../contract/types.ts';
import type { Tables } from '../../../generated/tables.ts';
import { withdrawn } from '../../platform/auth/acting.ts';
import { yieldToEventLoop } from '../../platform/queue/yield-to-event-loop.ts';
import {
  actionOf,
  type Aggregate,
  applyTo,
  changesOf,
  type EngineContext,
  isOutage,
  namedOrder,
  type PendingCharge,
  prepare,
  type RowValues,
  type Runtime,
  sideOf,
  type SubscriptionAction,
  takeCharges,
  type Transact,
  transactIn,
  UnitOfWork,
  unsettledOf,
} from '../../engine/index.ts';
import { planned, prepared } from '../../platform/db/prepared-statements.ts';
import { rememberedOf, undoOf } from './undo.ts';
import { move, type BulkData, type BulkRow } from './bulk-record.ts';
import { needsToRun } from './start.ts';
import { inBulk } from './in-bulk.ts';

/** How often a row is tried when something fails that may pass. */
const MAX_TRIES = 3;
/** A charge without an answer is asked for again after this long; its key keeps it from being taken twice. */
const ASK_AGAIN_MS = 5_000;
const GONE = 'This subscription does not exist any more.';
const BROKEN = 'This subscription could not be changed because of an error on our side. Try it again.';
const SILENT = 'The payment provider did not answer. The charge is looked up again by itself; see the order.';

export interface Row {
  position: number;
  contract_id: number;
  values: RowValues | null;
  tries: number;
}
interface Outcome {
  position: number;
  status: 'SUCCESS' | 'FAILED' | 'SKIPPED' | 'PENDING';
  reason: string | null;
  before: string | null;
  after: string | null;
  order_id: number | null;
  version?: number;
  undo?: JsonObject;
}

const ofBulk = ({ storeId, bulkId }: BulkData) => sql`store_id = ${storeId}::integer and bulk_action_id = ${bulkId}::bigint`;
const blank = (position: number, order_id: number | null = null) => ({ position, before: null, after: null, order_id });

/**
 * What became of a chunk: `over` when the bulk action isn't running any more, else how many rows were taken and where the last one stood.
 */
export type ChunkResult = { over: true } | { over: false; taken: number; last: number };

/**
 * The lock that chunks share and that ending a bulk action holds alone: no row is begun after the end, and none is under way at it.
 */
export const lockBulk = (trx: Kysely<Tables>, { storeId, bulkId }: BulkData, how: 'shared' | 'alone'): Promise<unknown> => {
  const key = sql`hashtextextended(${`${storeId} bulk ${bulkId}`}, 0)`;
  return (how === 'shared' ? sql`select pg_advisory_xact_lock_shared(${key})` : sql`select pg_advisory_xact_lock(${key})`).execute(trx);
};

/** The rights that a bulk action needs are in the definitions. */
export type BulkRuntime = Runtime & { definitions: Definitions };

const transactOf = (runtime: Runtime, storeId: number): Transact => transactIn(runtime, storeId);

/** The bulk action while it runs, undefined as soon as it doesn't, and its next rows: sent in one batch, the lock first. */
async function takeNext(
  context: EngineContext,
  data: BulkData,
  after: number,
  size: number,
): Promise<{ bulk: BulkRow | undefined; rows: Row[] }> {
  const { trx, storeId } = context;
  const [, bulk, rows] = await Promise.all([
    lockBulk(trx, data, 'shared'),
    trx
      .selectFrom('bulk_actions')
      .modifyFront(planned)
      .selectAll()
      .where('store_id', '=', storeId)
      .where('id', '=', data.bulkId)
      .where('status', '=', 'IN_PROGRESS')
      .executeTakeFirst(),
    take(context, data, after, size),
  ]);
  return { bulk, rows };
}

/**
 * Does up to `size` rows beyond the position `after`. Rows that others hold are left to them. When a chunk fails as a whole, its rows are
 * done one by one, so that one that can't be done holds up no other. `begun` is called when the work has its turn at the database.
 * @throws errors of the database as a whole; nothing of the chunk is written then
 */
export async function doChunk(runtime: BulkRuntime, data: BulkData, after: number, size: number, begun?: () => void): Promise<ChunkResult> {
  try {
    return await tryChunk(runtime, data, after, size, begun);
  } catch (error) {
    if (isOutage(error)) throw error;
    let last = after;
    let taken = 0;
    for (; taken < size; taken++) {
      const one = await doOne(runtime, data, last);
      if (one.over) return one;
      if (one.taken === 0) break;
      last = one.last;
    }
    return { over: false, taken, last };
  }
}

/** The next row alone; an error of its own is noted at the row, which is tried again later, three times in all. */
async function doOne(runtime: BulkRuntime, data: BulkData, after: number): Promise<ChunkResult> {
  try {
    return await tryChunk(runtime, data, after, 1);
  } catch (error) {
    if (isOutage(error)) throw error;
    return transactOf(
      runtime,
      data.storeId,
    )(async context => {
      const {
        bulk,
        rows: [row],
      } = await takeNext(context, data, after, 1);
      if (!bulk) return { over: true };
      if (!row) return { over: false, taken: 0, last: after };
      runtime.log?.error(
        { err: error, storeId: data.storeId, bulkId: data.bulkId, contractId: row.contract_id },
        'A row of a bulk action failed.',
      );
      if (row.tries + 1 >= MAX_TRIES) await mark(context, data, [{ ...blank(row.position), status: 'FAILED', reason: BROKEN }]);
      else {
        const later = new Date(context.now().getTime() + 1000 * 4 ** row.tries);
        await sql`update bulk_action_rows set tries = tries + 1, not_before = ${later}
          where ${ofBulk(data)} and position = ${row.position}`.execute(context.trx);
      }
      return { over: false, taken: 1, last: row.position };
    });
  }
}

/** Lets a bulk action end once the rows at work are done, with the reason, when the person it acts for may not do it any more. */
async function stopWithoutRights(context: EngineContext, definitions: Definitions, bulk: BulkRow): Promise<boolean> {
  const reason = await withdrawn(context, definitions, bulk.acting_user_id, needsToRun(definitions, bulk));
  if (reason !== undefined && bulk.error === null)
    await context.trx
      .updateTable('bulk_actions')
      .set({ status: move(bulk, 'withdraw'), error: reason, version: sql<number>`version + 1`, updated_at: context.now() })
      .where('store_id', '=', context.storeId)
      .where('id', '=', bulk.id)
      .where('status', '=', 'IN_PROGRESS')
      .execute();
  return reason !== undefined;
}

/** Rows to be done, locked; those that wait for another try or for the answer to a charge are not among them. */
async function take({ trx, now }: EngineContext, data: BulkData, after: number, size: number): Promise<Row[]> {
  const { rows } = await sql<Row>`select position, contract_id, "values", tries from bulk_action_rows
    where ${ofBulk(data)} and position > ${after} and status = 'PENDING'
      and order_id is null and (not_before is null or not_before <= ${now()})
    order by position limit ${size} for update skip locked`.execute(trx);
  return rows;
}

async function tryChunk(runtime: BulkRuntime, data: BulkData, after: number, size: number, begun?: () => void): Promise<ChunkResult> {
  const charges: PendingCharge[] = [];
  const result = await transactOf(
    runtime,
    data.storeId,
  )(async (context): Promise<ChunkResult> => {
    begun?.();
    charges.length = 0;
    const { bulk, rows } = await takeNext(context, data, after, size);
    if (!bulk) return { over: true };
    if (rows.length === 0) return { over: false, taken: 0, last: after };
    if (await stopWithoutRights(context, runtime.definitions, bulk)) return { over: true };
    const own = actionOf(bulk.action_key);
    const action = bulk.undo_of === null ? own : undoOf(own);
    charges.push(
      ...(await change(
        { ...inBulk(context, action, bulk.id, bulk.input as JsonObject), askedAt: bulk.created_at },
        action,
        bulk,
        data,
        rows,
      )),
    );
    return { over: false, taken: rows.length, last: rows.at(-1)?.position ?? after };
  });
  if (charges.length) {
    await takeCharges(transactOf(runtime, data.storeId), runtime.gateway, charges, 'NOW', runtime.log);
    await settleRows(
      runtime,
      data,
      charges.map(charge => charge.orderId),
    );
  }
  return result;
}

/**
 * Runs the action on the subscriptions of rows, writes what changed and marks the rows in a few statements. Gives the charges to be made.
 */
async function change(
  engine: EngineContext,
  action: SubscriptionAction,
  bulk: BulkRow,
  data: BulkData,
  rows: readonly Row[],
): Promise<PendingCharge[]> {
  const input = bulk.input as JsonObject;
  const work = await UnitOfWork.open(engine);
  const ids = rows.map(row => row.contract_id);
  const named = rows.flatMap(row => namedOrder(row.values) ?? []);
  const loaded = await work.load(ids, [...named, ...((await action.orderIds?.(engine, ids, input)) ?? [])]);
  const refusals = await prepare(work, action, loaded, input);
  const pending: PendingCharge[] = [];
  const done: { row: Row; outcome: Outcome; was: Aggregate['before'] | null }[] = [];
  const yieldTurn = yieldToEventLoop();
  for (const row of rows) {
    await yieldTurn();
    const subscription = work.aggregates.get(row.contract_id);
    if (!subscription) {
      done.push({ row, was: null, outcome: { ...blank(row.position), status: 'FAILED', reason: GONE } });
      continue;
    }
    if (action.charges) work.chargesAsked.set(subscription.contract.id, { key: `bulk-${bulk.id}-${row.position}` });
    const was = subscription.before;
    const applied = await applyTo(work, subscription, action, input, row.values ?? {}, refusals);
    if (applied.pending) pending.push(applied.pending);
    done.push({
      row,
      was: applied.status === 'SUCCESS' ? was : null,
      outcome: {
        ...blank(row.position, applied.pending?.orderId),
        status: applied.pending ? 'PENDING' : applied.status,
        reason: applied.reason,
      },
    });
  }
  const changed = await work.conclude();
  for (const { row, was, outcome } of done) {
    await yieldTurn();
    const subscription = work.aggregates.get(row.contract_id);
    if (!was || !subscription) continue;
    const changes = changesOf(work, was, subscription);
    const undo = bulk.undo_of === null ? rememberedOf(work, action, was, subscription) : undefined;
    if (undo) Object.assign(outcome, { undo, version: subscription.contract.version });
    outcome.before = sideOf(changes, 'before');
    outcome.after = sideOf(changes, 'after');
  }
  await Promise.all([
    work.write(changed),
    mark(
      engine,
      data,
      done.map(one => one.outcome),
    ),
  ]);
  return pending;
}

/** Writes outcomes and counts them at the bulk action; a row that waits for a charge is not counted yet. */
async function mark(context: EngineContext, { storeId, bulkId }: BulkData, outcomes: readonly Outcome[]): Promise<void> {
  if (outcomes.length === 0) return;
  const at = context.now();
  const count = (status: Outcome['status']): number => outcomes.filter(one => one.status === status).length;
  const processed = outcomes.length - count('PENDING');
  await Promise.all([
    sql`update bulk_action_rows r set status = v.status, reason = v.reason, before = coalesce(v.before, r.before),
        after = coalesce(v.after, r.after), version = v.version, undo = v.undo, order_id = v.order_id, not_before = null,
      processed_at = case when v.status = 'PENDING' then null else ${at}::timestamptz end
    from jsonb_to_recordset(${JSON.stringify(outcomes)}::jsonb) as v(position integer, status text, reason text, before text, after text,
      order_id bigint, version integer, undo jsonb)
    where r.store_id = ${storeId}::integer and r.bulk_action_id = ${bulkId}::bigint and r.position = v.position`.execute(context.trx),
    processed > 0 &&
      prepared(sql`update bulk_actions set processed = processed + ${processed}, succeeded = succeeded + ${count('SUCCESS')},
        failed = failed + ${count('FAILED')}, skipped = skipped + ${count('SKIPPED')}, updated_at = ${at}
    where store_id = ${storeId}::integer and id = ${bulkId}::bigint`).execute(context.trx),
  ]);
}

/** Marks rows whose charge has been answered, by what became of their orders. */
async function settleRows(runtime: Runtime, data: BulkData, orderIds: readonly number[]): Promise<number> {
  return transactOf(
    runtime,
    data.storeId,
  )(async context => {
    const { rows } = await sql<{ position: number; order_id: number; status: string; error_category: string | null; tries: number }>`
      select r.position, r.order_id, o.status, o.error_category, r.tries from bulk_action_rows r join orders o on o.store_id = r.store_id
        and o.id = r.order_id
      where r.store_id = ${data.storeId}::integer and r.bulk_action_id = ${data.bulkId}::bigint and r.status = 'PENDING'
        and r.order_id = any(${orderIds}::bigint[]) order by r.position for update of r`.execute(context.trx);
    const outcomes = rows.flatMap((row): Outcome[] => {
      const base = blank(row.position, row.order_id);
      if (row.status === 'PAID') return [{ ...base, status: 'SUCCESS', reason: null, after: 'Order: paid' }];
      if (row.status !== 'PROCESSING')
        return [
          {
            ...base,
            status: 'FAILED',
            reason: row.error_category ? `Payment failed: ${failureCategory(row.error_category as FailureKey).label}` : 'Payment failed.',
          },
        ];
      return row.tries + 1 >= MAX_TRIES ? [{ ...base, status: 'FAILED', reason: SILENT }] : [];
    });
    await mark(context, data, outcomes);
    const later = new Date(context.now().getTime() + ASK_AGAIN_MS);
    const open = rows.filter(row => !outcomes.some(one => one.position === row.position)).map(row => row.position);
    if (open.length)
      await sql`update bulk_action_rows set tries = tries + 1, not_before = ${later}
          where ${ofBulk(data)} and position = any(${open}::integer[])`.execute(context.trx);
    return outcomes.length;
  });
}

/**
 * Charges of this bulk action without an answer: their process died, or the gateway could not be
 * reached. Asked again under the same key.
 */
export async function resolveCharges(runtime: Runtime, data: BulkData, limit: number): Promise<number> {
  const found = await transactOf(
    runtime,
    data.storeId,
  )(async context => {
    const { rows } = await sql<{
      order_id: number;
    }>`select order_id from bulk_action_rows where ${ofBulk(data)}
        and status = 'PENDING'
      and order_id is not null and (not_before is null or not_before <= ${context.now()}) order by position limit ${limit}`.execute(
      context.trx,
    );
    const orderIds = rows.map(row => row.order_id);
    return { orderIds, pending: orderIds.length ? await unsettledOf(context, orderIds) : [] };
  });
  if (found.orderIds.length === 0) return 0;
  if (found.pending.length) await takeCharges(transactOf(runtime, data.storeId), runtime.gateway, found.pending, 'NOW', runtime.log);
  await settleRows(runtime, data, found.orderIds);
  return found.orderIds.length;
}
