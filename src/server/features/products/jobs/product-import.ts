// Imports a product file that a person looked at before.
import { startRun, type RunData } from '../../../platform/queue/system-run.ts';
import { productPrices } from '../../bulk-actions/updates/store-updates.ts';
import { Refusal } from '../../../platform/context.ts';
import type { JobModule } from '../../../platform/queue/job.ts';
import { failImport, IMPORT_JOB, runImport } from '../import/product-import.ts';
import { readSetting } from '../../../platform/records/settings.ts';
import { CONTRACT_UPDATE } from '../../bulk-actions/jobs/contract-update.ts';

const RETRIES = 3;

export const productImport: JobModule = {
  name: IMPORT_JOB,
  retries: RETRIES,
  async run(services, data: RunData, job) {
    const { db, queue, definitions } = services;
    const { storeId } = data;
    try {
      await runImport(
        services,
        data,
        async (trx, progress) => {
          if (
            progress.priceChanges === 0 ||
            (await readSetting({ trx, storeId, definitions }, 'auto-updates')).data.autoUpdateProductPrice !== true
          )
            return;
          await startRun(
            { trx, storeId, queue, now: () => new Date(), user: null },
            { kind: productPrices.kind, queue: CONTRACT_UPDATE },
          ).catch((error: unknown) => {
            if (!(error instanceof Refusal)) throw error; // one is under way; the daily run takes the rest
          });
        },
        job.signal,
      );
    } catch (error) {
      if (!job.signal.aborted && job.attempt > RETRIES) await failImport(db, data);
      throw error;
    }
  },
};
