// Every hour: the days on which apps that plan deliveries have room.
import type { JobModule } from '../../../platform/queue/job.ts';
import { readDeliveryDays } from '../delivery-days.ts';

export const deliveryDays: JobModule = {
  name: 'delivery-days',
  cron: '37 * * * *',
  async run(services, _data: object, job) {
    await readDeliveryDays(services, undefined, job.signal);
  },
};
