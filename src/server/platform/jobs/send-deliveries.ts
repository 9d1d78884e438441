// Sends the deliveries of a store that are due.
import { SEND_DELIVERIES } from '../deliveries/deliveries.ts';
import { sendDueDeliveries } from '../deliveries/send-due.ts';
import type { JobModule } from '../queue/job.ts';

export const sendDeliveries: JobModule = {
  name: SEND_DELIVERIES,
  waiting: "exists (select from deliveries d where d.store_id = s.id and d.state = 'PENDING' and d.next_at <= now())",
  async run(services, { storeId }: { storeId: number }, job) {
    await sendDueDeliveries(services, storeId, job.signal);
  },
};
