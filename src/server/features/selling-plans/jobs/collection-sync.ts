// Copies the members of a collection into the selling plan groups that it is mapped to.
import type { JobModule } from '../../../platform/queue/job.ts';
import { failSync, SYNC_JOB, syncCollection, type InStore, type SyncData } from '../collections.ts';

const RETRIES = 5;

export const collectionSync: JobModule = {
  name: SYNC_JOB,
  retries: RETRIES,
  async run({ db, definitions }, { storeId, collectionId }: SyncData, job) {
    const inStore: InStore = work => db.inStore(storeId, work, { timeoutMs: 60_000 });
    const store = await db.asSystem(
      trx => trx.selectFrom('stores').select('clock_offset_ms').where('id', '=', storeId).executeTakeFirst(),
      { readOnly: true },
    );
    if (!store) return;
    try {
      await syncCollection(inStore, definitions, storeId, collectionId, () => new Date(Date.now() + store.clock_offset_ms), job.signal);
    } catch (error) {
      if (!job.signal.aborted && job.attempt > RETRIES) await failSync(inStore, storeId, collectionId);
      throw error;
    }
  },
};
