// The clock of a store: real time, or in a demo store real time plus what its owner has moved it forward.
import type { JsonValue } from '../../../../contract/types.ts';
import { invalidState, Refusal, type Context } from '../../../platform/context.ts';
import { clockRun, type ClockInput } from '../jobs/move-clock.ts';
import { t } from '../../../../domain/text/t.ts';

/** What time it is in the store. */
export async function now(context: Context): Promise<JsonValue> {
  const { store } = context;
  return {
    now: context.now().toISOString(),
    nowEpoch: Math.floor(context.now().getTime() / 1000),
    offsetDays: Math.round(store.clock_offset_ms / 86_400_000),
    timezone: store.timezone,
    isDemo: store.is_demo,
    run: await latest(context),
  };
}

async function latest({ trx, storeId }: Context): Promise<JsonValue> {
  const row = await trx
    .selectFrom('runs')
    .selectAll()
    .where('store_id', '=', storeId)
    .where('kind', '=', 'CLOCK')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ? wire(row) : null;
}

interface RunRow {
  id: number;
  status: string;
  input: unknown;
  cursor: unknown;
  total: number;
  processed: number;
  succeeded: number;
  failed: number;
  error: string | null;
  created_by: string;
  created_at: Date;
  started_at: Date | null;
  finished_at: Date | null;
}
const wire = (row: RunRow): JsonValue => ({
  id: row.id,
  status: row.status,
  total: row.total,
  processed: row.processed,
  percent: row.total ? Math.floor((row.processed / row.total) * 100) : 0,
  ordersPaid: row.succeeded,
  chargesFailed: row.failed,
  error: row.error,
  to: new Date((row.input as ClockInput).to).toISOString(),
  reached: (row.cursor as { at?: string } | null)?.at ?? null,
  createdBy: row.created_by,
  createdAt: row.created_at.toISOString(),
  startedAt: row.started_at?.toISOString() ?? null,
  finishedAt: row.finished_at?.toISOString() ?? null,
});

/**
 * Moves the clock forward and lets everything happen that is due on the way; only the owner of a demo store may.
 * Answers the run, which goes on by itself.
 */
export async function advance(context: Context, { days }: { days: number }): Promise<JsonValue> {
  const { trx, storeId, store, user } = context;
  if (!store.is_demo) throw new Refusal(403, 'FORBIDDEN', t`Only the clock of a demo store can be moved.`);
  if (user.type !== 'OWNER') throw new Refusal(403, 'FORBIDDEN', t`Only the owner of the demo store can move its clock.`);
  const running = await trx
    .selectFrom('runs')
    .select('id')
    .where('store_id', '=', storeId)
    .where('kind', '=', 'CLOCK')
    .where('status', 'in', ['QUEUED', 'IN_PROGRESS'])
    .executeTakeFirst();
  if (running) throw invalidState(t`The clock is being moved already. Wait until it has got there.`);
  const from = context.now();
  const input: ClockInput = {
    days,
    from: from.toISOString(),
    to: new Date(from.getTime() + days * 86_400_000).toISOString(),
    offsetMs: store.clock_offset_ms,
  };
  const row = await trx
    .insertInto('runs')
    .values({
      store_id: storeId,
      kind: 'CLOCK',
      input: JSON.stringify(input),
      total: days * 24,
      created_by: user.email,
      acting_user_id: user.id,
      created_at: from,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await context.queue.send(clockRun, { storeId, runId: row.id }, { trx });
  await context.log({
    action: 'clock.advanced',
    category: 'Store',
    description: `Clock moved forward by ${days === 1 ? 'a day' : `${days} days`}`,
    entity: 'store',
    entityId: storeId,
    before: { now: input.from },
    after: { now: input.to },
  });
  return wire(row);
}
