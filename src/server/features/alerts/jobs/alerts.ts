// Every hour: looks for what needs attention in each store. Payments and orders each time, the rest once a day of the store's clock.
import { dueChecks, runCheck, scopeOf } from '../raise.ts';
import type { JobModule } from '../../../platform/queue/job.ts';
import type { Services } from '../../../platform/services.ts';

const ALERT_STORE = 'alert-store';
export const ALERT_RESOLUTION = 'alert-resolution';

/** Hands each store to a worker. A store whose clock is being moved is looked at by that run. */
export const alertChecks: JobModule = {
  name: 'alert-checks',
  cron: '7 * * * *',
  async run({ db, queue }, _data: object, job) {
    const { rows } = await db.ownerQuery<{ id: number }>(
      `select s.id from stores s where not exists (select 1 from runs r where r.store_id = s.id and r.kind = 'CLOCK'
        and r.status in ('QUEUED', 'IN_PROGRESS')) order by s.id`,
    );
    for (const { id } of rows) {
      job.signal.throwIfAborted();
      await queue.send(ALERT_STORE, { storeId: id }, { singletonKey: `${ALERT_STORE}-${id}` });
    }
  },
};

/** The checks of one store that are due, each in a transaction of its own; one that fails keeps no other from being made. */
export async function checkStore(
  { db, definitions, log }: Pick<Services, 'db' | 'definitions' | 'log'>,
  storeId: number,
  signal?: AbortSignal,
): Promise<void> {
  const inStore = <T>(work: (scope: ReturnType<typeof scopeOf>) => Promise<T>): Promise<T | undefined> =>
    db.inStore(
      storeId,
      async trx => {
        const store = await trx.selectFrom('stores').selectAll().where('id', '=', storeId).executeTakeFirst();
        return store && work(scopeOf(trx, store, new Date(Date.now() + store.clock_offset_ms), definitions.plans));
      },
      { timeoutMs: 60_000 },
    );
  for (const check of (await inStore(({ trx, now }) => dueChecks(trx, storeId, now))) ?? []) {
    signal?.throwIfAborted();
    try {
      await inStore(scope => runCheck(scope, check, { ifDue: true }));
    } catch (error) {
      if (signal?.aborted) throw error;
      log.error({ err: error, storeId, check: check.key }, 'A check of the alert center could not be made; it is made again in an hour.');
    }
  }
}

export const alertStore: JobModule = {
  name: ALERT_STORE,
  run: (services, { storeId }: { storeId: number }, job) => checkStore(services, storeId, job.signal),
};

/** How soon what was started to resolve an alert is looked at: often at first, once a minute later. */
const FIRST_SECONDS = 3;
const LAST_SECONDS = 60;

/** Follows what was started to resolve an alert, until it is over and the alert is closed or open again. */
export const alertResolution: JobModule = {
  name: ALERT_RESOLUTION,
  async run(services, data: { storeId: number; alertId: number; waited?: number }, job) {
    const { storeId, alertId, waited = FIRST_SECONDS } = data;
    await checkStore(services, storeId, job.signal);
    const left = await services.db.inStore(
      storeId,
      trx =>
        trx
          .selectFrom('alerts')
          .select('id')
          .where('store_id', '=', storeId)
          .where('id', '=', alertId)
          .where('status', '=', 'RESOLVING')
          .executeTakeFirst(),
      { readOnly: true },
    );
    if (left)
      await services.queue.send(
        ALERT_RESOLUTION,
        { storeId, alertId, waited: Math.min(waited * 1.5, LAST_SECONDS) },
        { startAfter: Math.ceil(waited), singletonKey: `${ALERT_RESOLUTION}-${storeId}-${alertId}` },
      );
  },
};
