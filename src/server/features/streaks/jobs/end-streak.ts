// Ends a streak that was deleted for everybody in it.
import { engineForJob } from '../../../engine/index.ts';
import type { JobModule } from '../../../platform/queue/job.ts';
import { inSteps } from '../../../platform/queue/in-steps.ts';
import { endSome } from '../enrollment.ts';

export const END = 'end-streak';

export const endStreak: JobModule = {
  name: END,
  run: (services, { storeId, streakId }: { storeId: number; streakId: number }, job) =>
    inSteps(services.db, storeId, job, async (trx, most, begun) => {
      begun();
      return (await endSome(await engineForJob(services, trx, storeId), streakId, most)) >= most;
    }),
};
