// Every five minutes: what referrals have earned since.
import { giveRewards } from '../reward.ts';
import type { JobModule } from '../../../platform/queue/job.ts';

export const referralRewards: JobModule = {
  name: 'referral-rewards',
  cron: '*/5 * * * *',
  run: (services, _data: object, job) => giveRewards(services, job.signal),
};
