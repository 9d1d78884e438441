// Sends the deliveries of a store that are due; sent by the look for events (events/sweep.ts), which looks for them too.
import { SEND_DELIVERIES } from '../deliveries/deliveries.ts';
import { sendDueDeliveries } from '../deliveries/send-due.ts';
import type { JobModule } from '../queue/job.ts';

export const sendDeliveries: JobModule = {
  name: SEND_DELIVERIES,
  async run(services, { storeId }: { storeId: number }, job) {
    await sendDueDeliveries(services, storeId, job.signal);
  },
};
