// Every minute: experiments that have run their time end, and reports that were asked for are prepared.
import { sql } from 'kysely';
import type { JobModule } from '../../../platform/queue/job.ts';
import { endDue } from '../experiments.ts';
import { prepareReports } from '../reports.ts';

export const experiments: JobModule = {
  name: 'experiments',
  cron: '* * * * *',
  async run({ db }, _data: object, job) {
    const { rows } = await db.ownerQuery<{ id: number; now: Date }>(
      `select s.id, now() + s.clock_offset_ms * interval '1 millisecond' as now from stores s
        where exists (select from records r where r.store_id = s.id and r.entity = 'experiment' and r.deleted_at is null
          and (r.data ->> 'state' = 'EXPERIMENT_IN_PROGRESS' or r.data ->> 'liveVariant' is null))
        or exists (select from records r where r.store_id = s.id and r.entity = 'experiment-report' and r.deleted_at is null
          and r.data ->> 'state' in ('EXPERIMENT_REPORT_QUEUED', 'EXPERIMENT_REPORT_IN_PROGRESS')) order by s.id`,
    );
    for (const { id, now } of rows) {
      job.signal.throwIfAborted();
      await db.inStore(id, async trx => {
        await sql`select 1 from stores where id = ${id}::integer for share`.execute(trx);
        await endDue({ trx, storeId: id }, now);
        await prepareReports({ trx, storeId: id }, now);
      });
    }
  },
};
