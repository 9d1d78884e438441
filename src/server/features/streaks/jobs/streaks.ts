// Every minute: streaks whose next order did not come in time break.
import type { JobModule } from '../../../platform/queue/job.ts';
import { breakStreaks } from '../enrollment.ts';

export const brokenStreaks: JobModule = {
  name: 'broken-streaks',
  cron: '* * * * *',
  async run({ db }, _data: object, job) {
    const { rows } = await db.ownerQuery<{ id: number; now: Date }>(
      `select s.id, now() + s.clock_offset_ms * interval '1 millisecond' as now from stores s
        where exists (select from streak_enrollments e where e.store_id = s.id and e.state = 'ACTIVE'
          and e.lapses_at <= now() + s.clock_offset_ms * interval '1 millisecond') order by s.id`,
    );
    for (const { id, now } of rows)
      for (let broken = 1; broken > 0;) {
        job.signal.throwIfAborted();
        broken = await db.inStore(id, trx => breakStreaks({ trx, storeId: id, now: () => now }, now));
      }
  },
};
