// What the check WEBHOOK_FAILURES finds in the first store.
import { webhookFailures } from '../../../../src/server/features/alerts/checks/webhooks.ts';
import type { TestServer } from '../../../support/server.ts';

export const alertCheckFor = ({ services }: TestServer) =>
  services.db.inStore(1, async trx => {
    const store = await trx.selectFrom('stores').selectAll().where('id', '=', 1).executeTakeFirstOrThrow();
    const scope = { trx, store, now: new Date(), plans: services.definitions.plans };
    const { count } = await webhookFailures.find(scope);
    return { count, rows: (await webhookFailures.rows(scope, { limit: 10, offset: 0 })).rows };
  });
