// Brings the events of a store to what follows them; sent by the look for events (events/sweep.ts).
import { deliverEvents } from '../events/deliver.ts';
import { DELIVER_EVENTS } from '../events/sweep.ts';
import type { JobModule } from '../queue/job.ts';

export const deliverEventsJob: JobModule = {
  name: DELIVER_EVENTS,
  async run(services, { storeId }: { storeId: number }, job) {
    if (await deliverEvents(services, storeId, job.signal)) services.mailer.kick();
  },
};
