// Imports a product file that a person looked at before.
import type { RunData } from '../../../platform/queue/system-run.ts';
import type { JobModule } from '../../../platform/queue/job.ts';
import { followPrices } from '../follow-prices.ts';
import { failImport, IMPORT_JOB, runImport } from '../import/product-import.ts';

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
          if (progress.priceChanges > 0) await followPrices({ trx, storeId, queue, definitions });
        },
        job.signal,
      );
    } catch (error) {
      if (!job.signal.aborted && job.attempt > RETRIES) await failImport(db, data);
      throw error;
    }
  },
};
