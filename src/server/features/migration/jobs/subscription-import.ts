// Imports of subscriptions: the work itself, and a look at the start and every minute for those whose worker died.
import type { JobModule } from '../../../platform/queue/job.ts';
import type { ImportData } from '../import/import-record.ts';
import { runImport } from '../import/run-import.ts';
import { undoImport } from '../import/undo-import.ts';
import { IMPORT_JOB, IMPORT_TICK, PAYMENT_JOB } from '../queue-names.ts';

export const subscriptionImport: JobModule = {
  name: IMPORT_JOB,
  retries: 20,
  async run(services, data: ImportData, job) {
    const options = { onStep: () => job.progressed() };
    await runImport(services, data, job.signal, options);
    await undoImport(services, data, job.signal, options);
    // Payment methods that the file names are asked of their provider.
    await services.queue.send(PAYMENT_JOB, { storeId: data.storeId }, { singletonKey: String(data.storeId) });
    services.mailer?.kick();
  },
};

export const subscriptionImportTick: JobModule = {
  name: IMPORT_TICK,
  cron: '* * * * *',
  atStart: true,
  retries: 0,
  async run({ db, queue }, _data: object, job) {
    const { rows } = await db.ownerQuery<{ store_id: number; id: number }>(
      "select store_id, id from subscription_imports where status in ('CHECKING', 'IN_PROGRESS', 'UNDOING') order by store_id, id",
    );
    for (const { store_id: storeId, id: importId } of rows) {
      job.signal.throwIfAborted();
      await queue.send(IMPORT_JOB, { storeId, importId } satisfies ImportData, { singletonKey: `${storeId}-${importId}` });
    }
    const { rows: stores } = await db.ownerQuery<{ store_id: number }>(
      `select store_id from payment_migrations where status = 'PENDING'
        union select store_id from payment_providers where status = 'PENDING'`,
    );
    for (const { store_id: storeId } of stores) await queue.send(PAYMENT_JOB, { storeId }, { singletonKey: String(storeId) });
  },
};
