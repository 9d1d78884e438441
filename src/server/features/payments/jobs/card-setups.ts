// Every minute: cards that were entered on a provider's page by customers who did not come back, where no event told of it either.
import { takeCharges, transactIn } from '../../../engine/index.ts';
import type { JobModule } from '../../../platform/queue/job.ts';
import { settleSetup, type Setup } from '../card-setups.ts';

/** A page of a provider is open for a day; what is older and unknown is over. */
const OPEN_HOURS = 25;

export const cardSetups: JobModule = {
  name: 'card-setups',
  cron: '* * * * *',
  retries: 0,
  async run(services, _data, { signal }) {
    const { rows } = await services.db.ownerQuery<Setup & { storeId: number; isOld: boolean }>(
      `update card_setups set look_up_at = now() + case when created_at > now() - interval '1 hour' then interval '10 minutes'
          else interval '1 hour' end
        where ctid = any(array(select ctid from card_setups where status = 'OPEN' and look_up_at <= now() order by look_up_at limit 100))
        returning store_id as "storeId", id, gateway, contract_id as "contractId", customer_id as "customerId", others, reference, status,
          created_at < now() - interval '${OPEN_HOURS} hours' as "isOld"`,
    );
    for (const { storeId, isOld, ...setup } of rows) {
      signal.throwIfAborted();
      const transact = transactIn(services, storeId);
      try {
        const settled = setup.reference === null ? { is: 'OPEN' as const } : await settleSetup(services, storeId, setup);
        if (settled.is === 'DONE') await takeCharges(transact, services.gateway, settled.charges, 'NOW', services.log);
        if (settled.is !== 'OPEN') continue;
      } catch (error) {
        services.log.error(
          { err: error, storeId, setupId: setup.id },
          'What became of a page for a card is not known; it is looked up later.',
        );
      }
      if (isOld)
        await services.db.ownerQuery(
          "update card_setups set status = 'ENDED', settled_at = now() where store_id = $1 and id = $2 and status = 'OPEN'",
          [storeId, setup.id],
        );
    }
  },
};
