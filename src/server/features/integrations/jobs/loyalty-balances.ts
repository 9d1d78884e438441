// Every hour: the points of customers who are about to get an e-mail about an order.
import type { JobModule } from '../../../platform/queue/job.ts';
import { readBalances } from '../loyalty-balance.ts';

export const loyaltyBalances: JobModule = {
  name: 'loyalty-balances',
  cron: '17 * * * *',
  async run(services, _data: object, job) {
    await readBalances(services, job.signal);
  },
};
