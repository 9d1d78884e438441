// Purchases whose process ended between the charge and its answer: they are finished as the press on "Pay" meant it.
import { transactIn } from '../../../engine/index.ts';
import type { JobModule } from '../../../platform/queue/job.ts';
import { giveUp, settleHosted } from '../pay-hosted.ts';
import { OPEN_PURCHASE, settle, type OpenPurchase } from '../pay.ts';

/** A press takes seconds; what is older was left. */
const LEFT_MINUTES = 5;

export const unfinishedPurchases: JobModule = {
  name: 'unfinished-purchases',
  cron: '*/5 * * * *',
  async run(services) {
    const { rows } = await services.db.ownerQuery<OpenPurchase & { storeId: number }>(
      `select store_id as "storeId", ${OPEN_PURCHASE}, (extract(epoch from now() - made_at) * 1000)::float8 as "sinceMs"
      from shop_purchases where status = 'CHARGING' and made_at < now() - interval '${LEFT_MINUTES} minutes' order by random() limit 100`,
    );
    for (const { storeId, ...open } of rows) await finishOne(services, storeId, open);
  },
};

async function finishOne(services: Parameters<JobModule['run']>[0], storeId: number, open: OpenPurchase): Promise<void> {
  try {
    if (open.gateway === 'TEST') await settle(transactIn(services, storeId), services.gateway, storeId, open);
    else if (open.page === null) await giveUp(services, storeId, open);
    else await settleHosted(services, storeId, open);
  } catch (error) {
    services.log.error({ err: error, storeId, purchaseId: open.id }, 'A purchase could not be finished; it is tried again later.');
  }
}
