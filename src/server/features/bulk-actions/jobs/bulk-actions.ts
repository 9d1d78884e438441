// Bulk actions: the work itself, shared by any number of processes, and a look at the start and every minute for those
// whose time has come or whose worker died.
import { runBulk, wakeBulks } from '../bulk-run.ts';
import { BULK_JOB, BULK_TICK } from '../queue-names.ts';
import type { BulkData } from '../bulk-record.ts';
import type { JobModule } from '../../../platform/queue/job.ts';

export const bulkActions: JobModule = {
  name: BULK_JOB,
  retries: 20,
  run: (services, data: BulkData, job) => runBulk(services, data, job.signal, { onChunk: () => job.progressed() }),
};

export const bulkTick: JobModule = {
  name: BULK_TICK,
  cron: '* * * * *',
  atStart: true,
  retries: 0,
  run: (services, _data: object, job) => wakeBulks(services, job.signal),
};
