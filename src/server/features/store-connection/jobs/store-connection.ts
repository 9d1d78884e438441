// What connections of stores have to do.
import type { JobModule } from '../../../platform/queue/job.ts';
import { QUEUE } from '../connection.ts';
import { WAITING, work } from '../work.ts';

export const storeConnection: JobModule = {
  name: QUEUE,
  waiting: WAITING,
  run: (services, { storeId }: { storeId: number }, job) => work(services, storeId, job.signal),
};
