// Enrols the subscriptions that were there before a streak, some hundred at a time. Each step takes those that are left, so that it goes on
// after a crash.
import { engineForJob } from '../../../engine/index.ts';
import type { JobModule } from '../../../platform/queue/job.ts';
import { enrol } from '../enrollment.ts';
import { streakById } from '../streak.ts';

export const ENROL = 'enrol-in-streak';
const STEP = 500;

export const enrolExisting: JobModule = {
  name: ENROL,
  async run(services, { storeId, streakId }: { storeId: number; streakId: number }, job) {
    const { db, definitions } = services;
    for (let enrolled = 1; enrolled > 0;) {
      job.signal.throwIfAborted();
      enrolled = await db.inStore(storeId, async trx => {
        const engine = await engineForJob(services, trx, storeId);
        const streak = await streakById(engine, streakId);
        if (streak?.status !== 'ACTIVE') return 0;
        const scope = { ...engine, definitions, shape: (name: string) => services.shape(name) };
        return (await enrol(scope, streak, { limit: STEP })).length;
      });
      await job.progressed();
    }
  },
};
