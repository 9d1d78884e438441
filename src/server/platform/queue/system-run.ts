// A run: work on many records that outlives its request. One of a kind per store at a time; its row tells how far it is.
import { sql, type Kysely, type Selectable } from 'kysely';
import type { Definitions, JsonObject, JsonValue } from '../../../contract/types.ts';
import type { RunsTable, Tables } from '../../../generated/tables.ts';
import { tellEnded, withdrawn, type Need } from '../auth/acting.ts';
import type { SessionDefinitions } from '../auth/sessions.ts';
import { Refusal, type Context } from '../context.ts';
import { t } from '../../../domain/text/t.ts';

export type RunRow = Selectable<RunsTable>;
export type RunStatus = 'QUEUED' | 'IN_PROGRESS' | 'COMPLETED' | 'FAILED';
/** What the job of a run is given. */
export interface RunData {
  storeId: number;
  runId: number;
}

const UNDER_WAY = ['QUEUED', 'IN_PROGRESS'];

/** A run as the wire shows it. */
export const runWire = (row: RunRow): JsonObject => ({
  runId: row.id,
  kind: row.kind,
  status: row.status,
  total: row.total,
  processed: row.processed,
  succeeded: row.succeeded,
  failed: row.failed,
  isUnderWay: UNDER_WAY.includes(row.status),
  percent: row.status === 'COMPLETED' ? 100 : row.total === 0 ? 0 : Math.floor((row.processed / row.total) * 100),
  result: (row.result ?? null) as JsonValue,
  error: row.error,
  createdBy: row.created_by,
  createdAt: row.created_at.toISOString(),
  startedAt: row.started_at?.toISOString() ?? null,
  finishedAt: row.finished_at?.toISOString() ?? null,
});

/** What starting a run needs: a request's context, or a job's. `user` null: the system itself, which needs no person's rights. */
export type Starter = Pick<Context, 'trx' | 'storeId' | 'queue' | 'now'> & { user: { id: number; email: string } | null };

/** Queues a run of a kind; the job `queue` does the work. @throws Refusal 409 while another of its kind is under way */
export async function startRun(
  context: Starter,
  {
    kind,
    queue,
    input = {},
    total = 0,
    busy = t`An update is already in progress.`,
  }: { kind: string; queue: string; input?: JsonObject; total?: number; busy?: string },
): Promise<RunRow> {
  const { trx, storeId } = context;
  // Two starts at once wait here for each other, so that the second gets a sentence and not a constraint.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${storeId} run ${kind}`}, 0))`.execute(trx);
  const running = await trx
    .selectFrom('runs')
    .select('id')
    .where('store_id', '=', storeId)
    .where('kind', '=', kind)
    .where('status', 'in', UNDER_WAY)
    .executeTakeFirst();
  if (running) throw new Refusal(409, 'INVALID_STATE', busy, undefined, { runId: running.id });
  const row = await trx
    .insertInto('runs')
    .values({
      store_id: storeId,
      kind,
      input: JSON.stringify(input),
      total,
      created_by: context.user?.email ?? '',
      acting_user_id: context.user?.id ?? null,
      created_at: context.now(),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await context.queue.send(queue, { storeId, runId: row.id } satisfies RunData, { trx });
  return row;
}

/** A run by its id, or the latest of the kinds; undefined when there never was one. */
export async function findRun(
  { trx, storeId }: Pick<Context, 'trx' | 'storeId'>,
  kinds: readonly string[],
  id?: number,
): Promise<RunRow | undefined> {
  let query = trx
    .selectFrom('runs')
    .selectAll()
    .where('store_id', '=', storeId)
    .where('kind', 'in', [...kinds]);
  if (id !== undefined) query = query.where('id', '=', id);
  return query.orderBy('id', 'desc').limit(1).executeTakeFirst();
}

/** Locks a run for its next step; undefined when it is over (or was never there), so that a repeated job does nothing. */
export async function lockRun(trx: Kysely<Tables>, { storeId, runId }: RunData): Promise<RunRow | undefined> {
  return trx
    .selectFrom('runs')
    .selectAll()
    .where('store_id', '=', storeId)
    .where('id', '=', runId)
    .where('status', 'in', UNDER_WAY)
    .forUpdate()
    .executeTakeFirst();
}

export interface RunStep {
  status?: RunStatus;
  cursor?: JsonValue;
  total?: number;
  processed?: number;
  succeeded?: number;
  failed?: number;
  result?: JsonValue;
  error?: string | null;
  started_at?: Date;
  finished_at?: Date;
}

/** Writes how far a run is. */
export async function noteRun(trx: Kysely<Tables>, { storeId, runId }: RunData, { cursor, result, ...step }: RunStep): Promise<void> {
  const values = {
    ...step,
    ...(cursor === undefined ? {} : { cursor: JSON.stringify(cursor) }),
    ...(result === undefined ? {} : { result: JSON.stringify(result) }),
  };
  await trx.updateTable('runs').set(values).where('store_id', '=', storeId).where('id', '=', runId).execute();
}

/** Work of a run that is asked about: what it is in a sentence, what it needs, and its category in the account log. */
export interface RunRights {
  what: string;
  needs: readonly Need[];
  category: string;
}

/**
 * Ends a run whose person may not do it any more: asked when it starts and before each of its steps, in the
 * transaction of the step. True: it is over.
 */
export async function endWithoutRights(
  trx: Kysely<Tables>,
  definitions: SessionDefinitions & Pick<Definitions, 'messages'>,
  data: RunData,
  run: Pick<RunRow, 'acting_user_id' | 'kind'>,
  { what, needs, category }: RunRights,
  now: Date,
): Promise<boolean> {
  const reason = await withdrawn({ trx, storeId: data.storeId }, definitions, run.acting_user_id, needs);
  if (reason === undefined) return false;
  await noteRun(trx, data, { status: 'FAILED', finished_at: now, error: `${reason} What was done before stays.` });
  await tellEnded({ trx, storeId: data.storeId, messages: definitions.messages }, now, {
    what,
    reason,
    category,
    action: `${run.kind.toLowerCase()}.ended`,
    entity: 'run',
    entityId: data.runId,
  });
  return true;
}
