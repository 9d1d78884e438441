// Brings the events of a store to what follows them.
import { deliverEvents } from '../events/deliver.ts';
import type { JobModule } from '../queue/job.ts';

export const deliverEventsJob: JobModule = {
  name: 'deliver-events',
  waiting: `exists (select from event_queue q where q.store_id = s.id)
    or exists (select from event_failures f where f.store_id = s.id and f.retry_at <= now())`,
  async run(services, { storeId }: { storeId: number }, job) {
    if (await deliverEvents(services, storeId, job.signal)) services.mailer.kick();
  },
};
