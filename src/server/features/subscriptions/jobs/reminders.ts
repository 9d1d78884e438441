// Every hour: stores whose clocks have passed the hour of reminders tell their customers of cards that expire
// and of orders ahead. Nothing is sent twice.
import { remind } from '../../../engine/index.ts';
import type { JobModule } from '../../../platform/queue/job.ts';

export const reminders: JobModule = {
  name: 'reminders',
  cron: '11 * * * *',
  async run(services, _data: object, job) {
    // A store whose clock is being moved is reminded by the run that moves it.
    const stores = await services.db.ownerQuery<{ id: number }>(`
      select s.id from stores s where (exists (select 1 from contracts c where c.store_id = s.id and c.status = 'ACTIVE')
          or exists (select 1 from gifts g where g.store_id = s.id and g.received_at is null)
          or exists (select 1 from gifts g where g.store_id = s.id and g.status = 'COMPLETED' and g.farewell_at is null))
        and not exists (select 1 from runs r where r.store_id = s.id and r.kind = 'CLOCK' and r.status in ('QUEUED', 'IN_PROGRESS'))
          order by s.id`);
    for (const { id } of stores.rows) {
      job.signal.throwIfAborted();
      try {
        await remind(services, id, { signal: job.signal });
      } catch (error) {
        if (job.signal.aborted) throw error;
        services.log.error({ err: error, storeId: id }, 'The reminders of a store could not be sent; they are sent in an hour.');
      }
    }
    services.mailer.kick();
  },
};
