// Payment methods that wait to be moved, and accounts that wait to be checked.
import type { JobModule } from '../../../platform/queue/job.ts';
import { moveWaiting } from '../payments/move-methods.ts';
import { PAYMENT_JOB } from '../queue-names.ts';

export const paymentMigration: JobModule = {
  name: PAYMENT_JOB,
  retries: 5,
  run: (services, { storeId }: { storeId: number }, job) => moveWaiting(services, storeId, job.signal),
};
