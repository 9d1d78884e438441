// Goes over the subscriptions of a store in steps of some hundred: each step is one transaction that also notes how far the run is,
// so that a run that was interrupted goes on where it was and no subscription is changed twice.
import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { JsonObject, JsonValue } from '../../../../contract/types.ts';
import type { Tables } from '../../../../generated/tables.ts';
import {
  type Outcome,
  type Aggregate,
  BEING_PROCESSED,
  type EngineContext,
  engineForJob,
  isBeingCharged,
  UnitOfWork,
} from '../../../engine/index.ts';
import type { Services } from '../../../platform/services.ts';
import { BatchSize } from '../../../platform/queue/batch-size.ts';
import type { Need } from '../../../platform/auth/acting.ts';
import { titleOf } from '../titles.ts';
import { endWithoutRights, lockRun, noteRun, type RunData } from '../../../platform/queue/system-run.ts';

/** Most subscriptions of one step. */
const STEP = 200;
/** Skipped subscriptions that the result names. */
const MAX_NAMED = 1000;

/** What one kind of update does. */
export interface ContractUpdate {
  kind: string;
  /** Ids of contracts to look at, above `after`, in order. */
  candidates(trx: Kysely<Tables>, storeId: number, after: number, limit: number): Promise<number[]>;
  count(trx: Kysely<Tables>, storeId: number): Promise<number>;
  /** Changes what is to be changed; answers for each contract whether it changed, or why not. */
  apply(work: UnitOfWork, aggregates: readonly Aggregate[], input: JsonObject): Promise<Outcome[]>;
}
/** An update in steps over ids of any kind; contracts have their own step below. */
export interface StepwiseUpdate {
  kind: string;
  /** Ids to look at, above `after`, in order. */
  candidates(trx: Kysely<Tables>, storeId: number, after: number, limit: number): Promise<number[]>;
  count(trx: Kysely<Tables>, storeId: number): Promise<number>;
  /** Changes what is to be changed, in the transaction of `context`. */
  step(
    context: EngineContext,
    ids: readonly number[],
    input: JsonObject,
  ): Promise<{ changed: number; skipped: { subscriptionId: number; reason: string }[] }>;
}

/**
 * An update of contracts as one in steps: each step loads its contracts locked, and writes them with their logs. One that
 * is being charged is left out, and named.
 */
export const overContracts = (update: ContractUpdate): StepwiseUpdate => ({
  kind: update.kind,
  candidates: update.candidates,
  count: update.count,
  async step(context, ids, input) {
    const work = await UnitOfWork.open(context);
    const loaded = await work.load(ids);
    const charged = loaded.filter(isBeingCharged);
    const outcomes = [
      ...charged.map((subscription): Outcome => ({ contractId: subscription.contract.id, changed: false, skipped: BEING_PROCESSED })),
      ...(await update.apply(
        work,
        loaded.filter(subscription => !charged.includes(subscription)),
        input,
      )),
    ];
    await work.flush();
    return {
      changed: outcomes.filter(one => one.changed).length,
      skipped: outcomes
        .filter(one => one.skipped !== undefined)
        .map(one => ({ subscriptionId: one.contractId, reason: one.skipped as string })),
    };
  },
});

/**
 * Runs an update to its end, or until the process shuts down; then the queue hands it to the next. Before each step the person it acts for
 * must still meet its `needs`.
 */
export async function runUpdate(
  services: Pick<Services, 'db' | 'definitions' | 'config'>,
  update: StepwiseUpdate,
  data: RunData,
  signal: AbortSignal,
  needs: readonly Need[],
): Promise<void> {
  const { db, definitions } = services;
  const rights = { what: `The update “${titleOf(update.kind)}”`, needs, category: 'Settings' };
  const inStore = <T>(work: (trx: Kysely<Tables>) => Promise<T>, timeoutMs = 60_000): Promise<T> =>
    db.inStore(data.storeId, work, { timeoutMs });
  const isThere = await inStore(async trx => {
    const run = await lockRun(trx, data);
    if (!run) return false;
    if (run.status === 'QUEUED') {
      const { now } = await engineForJob(services, trx, data.storeId);
      await noteRun(trx, data, { status: 'IN_PROGRESS', started_at: now(), total: await update.count(trx, data.storeId) });
    }
    return true;
  }, 600_000);
  if (!isThere) return;
  const batchSize = new BatchSize(db, STEP);
  for (;;) {
    signal.throwIfAborted();
    const size = batchSize.next();
    const isOver = await batchSize.timed(begun =>
      inStore(async trx => {
        begun();
        const run = await lockRun(trx, data);
        if (!run) return true;
        const context = await engineForJob(services, trx, data.storeId);
        if (await endWithoutRights(trx, definitions, data, run, rights, context.now())) return true;
        const after = Number((run.cursor as { after?: number } | null)?.after ?? 0);
        const ids = await update.candidates(trx, data.storeId, after, size);
        const before = (run.result ?? {}) as { skipped?: JsonValue[]; changed?: number };
        if (ids.length === 0) {
          await noteRun(trx, data, {
            status: 'COMPLETED',
            finished_at: context.now(),
            total: run.processed,
            result: { changed: run.succeeded, skipped: before.skipped ?? [] },
          });
          return true;
        }
        const { changed, skipped } = await update.step(context, ids, run.input as JsonObject);
        await noteRun(trx, data, {
          cursor: { after: ids.at(-1) as number },
          processed: run.processed + ids.length,
          succeeded: run.succeeded + changed,
          failed: run.failed + skipped.length,
          total: Math.max(run.total, run.processed + ids.length),
          result: { skipped: [...(before.skipped ?? []), ...skipped].slice(0, MAX_NAMED) },
        });
        return false;
      }),
    );
    if (isOver) return;
  }
}

/** Contracts that go on: active and paused ones. */
export const running = {
  candidates: async (trx: Kysely<Tables>, storeId: number, after: number, limit: number): Promise<number[]> => {
    const { rows } = await sql<{
      id: number;
    }>`select id from contracts where store_id = ${storeId} and status in ('ACTIVE', 'PAUSED') and id > ${after} order by id
        limit ${limit}`.execute(trx);
    return rows.map(row => row.id);
  },
  count: async (trx: Kysely<Tables>, storeId: number): Promise<number> => {
    const { rows } = await sql<{
      n: number;
    }>`select coalesce(sum(n), 0)::bigint as n from counters where store_id = ${storeId} and name = 'contracts'
        and key in ('ACTIVE', 'PAUSED')`.execute(trx);
    return rows[0]?.n ?? 0;
  },
};
