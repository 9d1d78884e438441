// Every hour: changes to a lower plan whose billing period is over.
import { applyDue } from '../apply-changes.ts';
import type { JobModule } from '../../../platform/queue/job.ts';

export const planChanges: JobModule = {
  name: 'plan-changes',
  cron: '3 * * * *',
  async run({ db, definitions, sessions }, _data: object, job) {
    const { rows } = await db.ownerQuery<{ id: number; clock_offset_ms: number }>(
      `select s.id, s.clock_offset_ms from stores s where exists (select 1 from records r where r.store_id = s.id
        and r.entity = 'plan-change' and r.data ->> 'status' = 'APPROVED' and r.data ->> 'appliedAt' is null)`,
    );
    for (const { id, clock_offset_ms: offset } of rows) {
      job.signal.throwIfAborted();
      await db.inStore(id, trx => applyDue(trx, id, new Date(Date.now() + offset), definitions.plans));
      sessions.forget(id);
    }
  },
};
