// Subscriptions follow the prices of products where the store wants that.
import { startRun } from '../../platform/queue/system-run.ts';
import { Refusal, type Context } from '../../platform/context.ts';
import { readSetting } from '../../platform/records/settings.ts';
import { CONTRACT_UPDATE } from '../bulk-actions/jobs/contract-update.ts';
import { productPrices } from '../bulk-actions/updates/store-updates.ts';

/** Starts a run over the subscriptions whose products have other prices now, if the setting is on. It is a part of the transaction. */
export async function followPrices({
  trx,
  storeId,
  queue,
  definitions,
}: Pick<Context, 'trx' | 'storeId' | 'queue' | 'definitions'>): Promise<void> {
  if ((await readSetting({ trx, storeId, definitions }, 'auto-updates')).data.autoUpdateProductPrice !== true) return;
  await startRun({ trx, storeId, queue, now: () => new Date(), user: null }, { kind: productPrices.kind, queue: CONTRACT_UPDATE }).catch(
    (error: unknown) => {
      if (!(error instanceof Refusal)) throw error; // one is under way; the daily run takes the rest
    },
  );
}
