// Forgets the points of customers once their loyalty app is disconnected.
import { FORGET_JOB, forgetPoints as forget } from '../loyalty-balance.ts';
import type { JobModule } from '../../../platform/queue/job.ts';

export const forgetPoints: JobModule = {
  name: FORGET_JOB,
  run: ({ db }, data: { storeId: number; until: string }, job) => forget(db, data, job),
};
