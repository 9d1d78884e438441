// Moves the clock of a demo store forward, as far as its owner asked for; goes on where it was after a crash.
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../../../generated/tables.ts';
import { moveClock } from '../../../engine/index.ts';
import { daysBetween, simulateDay } from '../../demo/simulated-days.ts';
import { runDueChecks, scopeOf } from '../../alerts/raise.ts';
import { needsOfCall } from '../../../platform/auth/acting.ts';
import { endWithoutRights, lockRun, type RunData } from '../../../platform/queue/system-run.ts';
import { deliverEvents } from '../../../platform/events/deliver.ts';
import type { Services } from '../../../platform/services.ts';
import type { JobModule } from '../../../platform/queue/job.ts';
import { summaryOf } from '../summary.ts';

export const clockRun = 'move-clock';

/** What a clock run was asked for; instants are ISO, `offsetMs` is the store's offset when it began. */
export interface ClockInput {
  days: number;
  from: string;
  to: string;
  offsetMs: number;
}
interface Cursor {
  at: string;
}

/** Another process goes on with the move: what this process did since the last stop is undone with its transaction. */
class MovedElsewhere extends Error {}

/**
 * Waits for its turn with the run, in the transaction of a stop. What the customers do is no safe step to repeat, so it is done from where
 * the run is or not at all.
 * @throws MovedElsewhere
 */
async function lockAt(trx: Kysely<Tables>, data: RunData, input: ClockInput, since: Date): Promise<void> {
  const run = await lockRun(trx, data);
  if (((run?.cursor as Cursor | null)?.at ?? (run && input.from)) !== since.toISOString()) throw new MovedElsewhere();
}

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** Whether something that changes subscriptions follows their events. */
const isFollowed = ({ db }: Services, storeId: number): Promise<boolean> =>
  db.inStore(storeId, async trx => {
    const { rows } = await sql`select 1 from records where store_id = ${storeId}::integer and entity in ('flow', 'streak')
      and deleted_at is null and data ->> 'status' = 'ACTIVE' limit 1`.execute(trx);
    return rows.length > 0;
  });

export const moveClockJob: JobModule = {
  name: clockRun,
  retries: 3,
  async run(services, { storeId, runId }: { storeId: number; runId: number }, job) {
    const row = await services.db.inStore(storeId, trx =>
      trx
        .updateTable('runs')
        .set({ status: 'IN_PROGRESS', started_at: sql<Date>`coalesce(started_at, now())` })
        .where('store_id', '=', storeId)
        .where('id', '=', runId)
        .where('status', 'in', ['QUEUED', 'IN_PROGRESS'])
        .returningAll()
        .executeTakeFirst(),
    );
    if (!row) return;
    const input = row.input as ClockInput;
    const rights = {
      what: 'The move of the clock',
      needs: [{ owner: true as const }, ...needsOfCall(services.definitions, 'clock.advance')],
      category: 'Store',
    };
    const isEnded = (trx: Kysely<Tables>): Promise<boolean> =>
      endWithoutRights(trx, services.definitions, { storeId, runId }, row, rights, new Date());
    if (await services.db.inStore(storeId, isEnded)) return;
    const from = new Date((row.cursor as Cursor | null)?.at ?? input.from);
    const before = { paid: row.succeeded, failed: row.failed };
    // A transaction may run again: the stop before it is then the same.
    let last = { at: from, since: from };
    const changing = services.consumers.filter(consumer => consumer.changesSubscriptions);
    try {
      const reached = await moveClock(
        services,
        storeId,
        from,
        new Date(input.to),
        async (context, { at, paid, failed }) => {
          const { trx } = context;
          if (at > last.at) last = { at, since: last.at };
          await lockAt(trx, { storeId, runId }, input, last.since);
          const days = daysBetween(last.since, at);
          for (const day of days) await simulateDay(context, day);
          // What needs attention is looked for by the day that the clock passes, and at the end: by the hour it took a sixth of the time,
          // and no one sees it before the end.
          if (days.length > 0 || at.getTime() >= Date.parse(input.to)) {
            const store = await trx.selectFrom('stores').selectAll().where('id', '=', storeId).executeTakeFirstOrThrow();
            await runDueChecks(scopeOf(trx, store, at, services.definitions.plans));
          }
          const processed = Math.floor((at.getTime() - Date.parse(input.from)) / HOUR_MS);
          await trx
            .updateTable('runs')
            .set({
              cursor: JSON.stringify({ at: at.toISOString() } satisfies Cursor),
              processed,
              succeeded: before.paid + paid,
              failed: before.failed + failed,
            })
            .where('store_id', '=', storeId)
            .where('id', '=', runId)
            .execute();
          return (await isEnded(trx)) ? 'over' : undefined;
        },
        job.signal,
        // Flows and streaks change subscriptions before what is due next happens to them, as they would have on the day.
        // The job that always does it sends e-mails and tells other apps meanwhile, as it would on the day.
        (await isFollowed(services, storeId)) ? () => deliverEvents(services, storeId, job.signal, changing) : undefined,
      );
      services.sessions.forget(storeId);
      if (reached === 'over') return;
      await services.db.inStore(storeId, async trx => {
        // The clock runs on: real time that went by while it was moved counts on top.
        await trx
          .updateTable('stores')
          .set({ clock_offset_ms: input.offsetMs + input.days * DAY_MS })
          .where('id', '=', storeId)
          .execute();
        const summary = await summaryOf(trx, storeId, new Date(input.from), new Date(input.to));
        await trx
          .updateTable('runs')
          .set({ status: 'COMPLETED', processed: row.total, result: JSON.stringify(summary), finished_at: sql<Date>`now()` })
          .where('store_id', '=', storeId)
          .where('id', '=', runId)
          .execute();
      });
      services.sessions.forget(storeId);
      services.mailer.kick();
    } catch (error) {
      if (error instanceof MovedElsewhere) return;
      if (job.signal.aborted) throw error;
      const message = error instanceof Error ? error.message : String(error);
      if (job.attempt > 3)
        await services.db.inStore(storeId, trx =>
          trx
            .updateTable('runs')
            .set({ status: 'FAILED', error: message, finished_at: sql<Date>`now()` })
            .where('store_id', '=', storeId)
            .where('id', '=', runId)
            .execute(),
        );
      throw error;
    }
  },
};
