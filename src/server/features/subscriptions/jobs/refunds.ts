// Every minute: refunds without an outcome, whose process ended or which the provider is still processing, are looked up.
import { takeRefund, transactIn, unsettledRefunds } from '../../../engine/index.ts';
import type { JobModule } from '../../../platform/queue/job.ts';

/** One without an answer for this long has lost its process. */
const LOST_MS = 120_000;

export const refunds: JobModule = {
  name: 'refunds',
  cron: '* * * * *',
  retries: 0,
  async run(services, _data, { signal }) {
    const { rows } = await services.db.ownerQuery<{ store_id: number }>("select distinct store_id from refunds where status = 'PENDING'");
    for (const { store_id: storeId } of rows) {
      const transact = transactIn(services, storeId);
      for (const pending of await transact(context => unsettledRefunds(context, { olderThanMs: LOST_MS }))) {
        signal.throwIfAborted();
        try {
          await takeRefund(transact, services.gateway, pending);
        } catch (error) {
          services.log.error(
            { err: error, storeId, refundId: pending.refundId },
            'A refund has no outcome yet; it is looked up again later.',
          );
        }
      }
    }
  },
};
