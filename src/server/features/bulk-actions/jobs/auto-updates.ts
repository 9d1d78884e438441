// Once a day, stores that want it take over the product prices that have changed (settings, auto updates).
import { sql } from 'kysely';
import { startRun } from '../../../platform/queue/system-run.ts';
import { productPrices } from '../updates/store-updates.ts';
import { Refusal } from '../../../platform/context.ts';
import type { JobModule } from '../../../platform/queue/job.ts';
import { CONTRACT_UPDATE } from './contract-update.ts';

const DAY_MS = 86_400_000;

export const autoUpdates: JobModule = {
  name: 'auto-updates',
  cron: '23 * * * *',
  async run({ db, queue }, _data: object, job) {
    const stores = await db.asOwner(trx =>
      trx
        .selectFrom('settings')
        .innerJoin('stores', 'stores.id', 'settings.store_id')
        .select(['stores.id', 'stores.clock_offset_ms'])
        .where('settings.name', '=', 'auto-updates')
        .where(sql<boolean>`settings.data->>'autoUpdateProductPrice' = 'true'`)
        .execute(),
    );
    for (const store of stores) {
      job.signal.throwIfAborted();
      const now = (): Date => new Date(Date.now() + store.clock_offset_ms);
      await db.inStore(
        store.id,
        async trx => {
          const since = new Date(now().getTime() - DAY_MS);
          const recent = await trx
            .selectFrom('runs')
            .select('id')
            .where('store_id', '=', store.id)
            .where('kind', '=', productPrices.kind)
            .where('created_at', '>', since)
            .limit(1)
            .executeTakeFirst();
          if (recent || (await productPrices.candidates(trx, store.id, 0, 1).then(ids => ids.length === 0))) return;
          await startRun({ trx, storeId: store.id, queue, now, user: null }, { kind: productPrices.kind, queue: CONTRACT_UPDATE }).catch(
            (error: unknown) => {
              if (!(error instanceof Refusal)) throw error; // another was started this moment
            },
          );
        },
        { timeoutMs: 60_000 },
      );
    }
  },
};
