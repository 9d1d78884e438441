// Every minute: points that have to go back to customers.
import { returnPoints } from '../loyalty.ts';
import type { JobModule } from '../../../platform/queue/job.ts';

export const loyaltyPoints: JobModule = {
  name: 'loyalty-points',
  cron: '* * * * *',
  async run(services, _data: object, job) {
    await returnPoints(services, job.signal);
  },
};
