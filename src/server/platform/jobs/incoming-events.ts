// Every minute: events of other servers that wait, as their process ended or what they are about could not be read.
import { type Remembered, work } from '../http/incoming.ts';
import type { JobModule } from '../queue/job.ts';

export const incomingEvents: JobModule = {
  name: 'incoming-events',
  cron: '* * * * *',
  retries: 0,
  async run(services, _data, { signal }) {
    for (;;) {
      const { rows } = await services.db.ownerQuery<Remembered>(
        `select store_id as "storeId", kind, event_id as id from incoming_events
          where status = 'WAITING' and try_at <= now() order by try_at limit 200`,
      );
      if (rows.length === 0) return;
      for (const one of rows) {
        signal.throwIfAborted();
        await work(services, one);
      }
    }
  },
};
