// Every minute: campaigns whose time has come begin, and those whose time is over end.
import { sql } from 'kysely';
import type { JobModule } from '../../../platform/queue/job.ts';
import { storesWhere } from '../../../platform/queue/stores-now.ts';

export const campaigns: JobModule = {
  name: 'campaigns',
  cron: '* * * * *',
  async run({ db }, _data: object, job) {
    const stores = await storesWhere(
      db,
      `exists (select from records r where r.store_id = s.id and r.entity = 'campaign' and r.deleted_at is null
        and r.data ->> 'status' in ('SCHEDULED', 'ACTIVE'))`,
    );
    for (const { id, now } of stores) {
      job.signal.throwIfAborted();
      await db.inStore(id, trx =>
        sql`update records r set version = version + 1, updated_at = ${now}::timestamptz, data = data || jsonb_build_object('status',
            case when (data ->> 'endAt')::timestamptz <= ${now}::timestamptz then 'COMPLETED' else 'ACTIVE' end)
          where store_id = ${id}::integer and entity = 'campaign' and deleted_at is null
            and (data ->> 'status' in ('SCHEDULED', 'ACTIVE') and (data ->> 'endAt')::timestamptz <= ${now}::timestamptz
              or data ->> 'status' = 'SCHEDULED' and (data ->> 'startAt')::timestamptz <= ${now}::timestamptz)`.execute(trx),
      );
    }
  },
};
