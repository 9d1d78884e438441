// Every minute: experiments that have run their time end, and reports that were asked for are prepared.
import { sql } from 'kysely';
import type { JobModule } from '../../../platform/queue/job.ts';
import { storesWhere } from '../../../platform/queue/stores-now.ts';
import { endDue } from '../experiments.ts';
import { prepareReports } from '../reports.ts';

export const experiments: JobModule = {
  name: 'experiments',
  cron: '* * * * *',
  async run({ db }, _data: object, job) {
    const stores = await storesWhere(
      db,
      `exists (select from records r where r.store_id = s.id and r.entity = 'experiment' and r.deleted_at is null
          and (r.data ->> 'state' = 'EXPERIMENT_IN_PROGRESS' or r.data ->> 'liveVariant' is null))
        or exists (select from records r where r.store_id = s.id and r.entity = 'experiment-report' and r.deleted_at is null
          and r.data ->> 'state' in ('EXPERIMENT_REPORT_QUEUED', 'EXPERIMENT_REPORT_IN_PROGRESS'))`,
    );
    for (const { id, now } of stores) {
      job.signal.throwIfAborted();
      await db.inStore(id, async trx => {
        await sql`select 1 from stores where id = ${id}::integer for share`.execute(trx);
        await endDue({ trx, storeId: id }, now);
        await prepareReports({ trx, storeId: id }, now);
      });
    }
  },
};
