// Builds what pages of a shop read after something of it has changed: within seconds, and no oftener than every second.
import type { JobModule } from '../../../platform/queue/job.ts';
import { publish, readingFor } from '../publish.ts';

export const publishStorefront: JobModule = {
  name: 'publish-storefront',
  waiting: `exists (select from storefront_changes c where c.store_id = s.id)
    and not exists (select from storefronts f where f.store_id = s.id and f.built_at > now() - interval '1 second')`,
  async run({ db, definitions }, { storeId }: { storeId: number }) {
    await db.inStore(
      storeId,
      async trx => {
        const reading = await readingFor(trx, storeId, definitions);
        if (reading) await publish(reading, '');
      },
      { timeoutMs: 60_000 },
    );
  },
};
