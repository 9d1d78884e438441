// Every minute: streaks whose next order did not come in time break.
import type { JobModule } from '../../../platform/queue/job.ts';
import { STORE_NOW, storesWhere } from '../../../platform/queue/stores-now.ts';
import { breakStreaks } from '../enrollment.ts';

export const brokenStreaks: JobModule = {
  name: 'broken-streaks',
  cron: '* * * * *',
  async run({ db }, _data: object, job) {
    const stores = await storesWhere(
      db,
      `exists (select from streak_enrollments e where e.store_id = s.id and e.state = 'ACTIVE' and e.lapses_at <= ${STORE_NOW})`,
    );
    for (const { id, now } of stores)
      for (let broken = 1; broken > 0;) {
        job.signal.throwIfAborted();
        broken = await db.inStore(id, trx => breakStreaks({ trx, storeId: id, now: () => now }, now));
      }
  },
};
