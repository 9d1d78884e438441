// Checks about how the store is set up: selling plans that can't be bought, collections that could not be copied, and the limit of the
// plan.
import { sql } from 'kysely';
import { CLEAN, NONE, counted, counting, type Check, type Scope } from '../alert-check.ts';
import { later } from '../../../../domain/text/t.ts';

/** Published groups that are offered on no product. A draft is still being made, so that it is no news. */
const unmapped = ({ store }: Scope) => sql`
  from records r where r.store_id = ${store.id}::integer and r.entity = 'selling-plan-group' and r.deleted_at is null
    and r.data ->> 'status' = 'ACTIVE'
    and not exists (select 1 from plan_products p where p.store_id = r.store_id and p.group_id = r.id)`;

export const unmappedPlan: Check = {
  key: 'UNMAPPED_PLAN',
  title: later`Selling plan group without products`,
  category: 'Selling plans',
  severity: 'LOW',
  every: 'DAY',
  entityType: 'selling-plan-group',
  watches: later`Published selling plan groups that are not offered on any product.`,
  action: {
    label: later`Open selling plans`,
    kind: 'LINK',
    target: '/selling-plans?tab=active',
    text: later`Add products or collections to the groups below, or unpublish them.`,
  },
  ...counting<{ id: number; name: string; code: string; at: Date }>({
    from: unmapped,
    columns: sql`r.id, r.data ->> 'name' as name, r.data ->> 'merchantCode' as code, r.updated_at as at`,
    order: sql`r.id`,
    says: count => `${counted(count, 'published selling plan group')} ${count === 1 ? 'is' : 'are'} not offered on any product.`,
    row: ({ id, name: label, code, at }) => ({ id: String(id), groupId: id, label, code, at: at.toISOString() }),
  }),
};

const failedSync = ({
  store,
}: Scope) => sql`from collections c where c.store_id = ${store.id}::integer and (c.sync_status = 'FAILED' or c.seed_status = 'FAILED')
  and exists (select 1 from plan_collections m where m.store_id = c.store_id and m.collection_id = c.id)`;

export const collectionSync: Check = {
  key: 'COLLECTION_SYNC_FAILED',
  title: later`Collections that could not be copied`,
  category: 'Selling plans',
  severity: 'MEDIUM',
  every: 'DAY',
  entityType: 'collection',
  watches: later`Collections mapped to selling plans whose products could not be brought in step.`,
  action: {
    label: later`Copy again`,
    kind: 'IN_PLACE',
    target: 'startResolution',
    text: later`The products of each collection below are copied once more into the selling plan groups it is mapped to.`,
  },
  ...counting<{ id: number; title: string; error: string | null; at: Date | null }>({
    from: failedSync,
    columns: sql`c.id, c.title, c.sync_error as error, c.last_synced_at as at`,
    order: sql`c.id`,
    says: count => `The products of ${counted(count, 'collection')} could not be brought in step with their selling plans.`,
    row: ({ id, title: label, error: detail, at }) => ({
      id: String(id),
      collectionId: id,
      label,
      detail,
      at: at?.toISOString() ?? null,
    }),
  }),
};

/** From here on the limit is near: 45 of 50. */
const NEAR = 0.9;

export const planLimit: Check = {
  key: 'PLAN_LIMIT',
  title: later`Plan limit near or over`,
  category: 'Billing',
  severity: 'HIGH',
  every: 'DAY',
  entityType: 'store',
  watches: later`How close active and paused subscriptions are to what your plan allows.`,
  action: {
    label: later`Look at plans`,
    kind: 'LINK',
    target: '/settings/billing',
    text: later`Over the limit no new subscriptions are taken. A higher plan has no limit.`,
  },
  async find({ trx, store, plans }) {
    const limit = plans.find(plan => plan.id === store.billing_plan_id)?.subscriptionLimit;
    if (limit === undefined) return CLEAN;
    const { rows } = await sql<{
      n: number;
    }>`select coalesce(sum(n), 0)::bigint as n from counters where store_id = ${store.id}::integer and name = 'contracts'
        and key in ('ACTIVE', 'PAUSED')`.execute(trx);
    const running = rows[0]?.n ?? 0;
    if (running < limit * NEAR) return CLEAN;
    const over = running - limit;
    return {
      count: running,
      summary:
        over > 0
          ? `You have ${counted(running, 'subscription')}, ${over.toLocaleString('en-US')} more than your plan allows.`
          : `You have ${running.toLocaleString('en-US')} of the ${counted(limit, 'subscription')} that your plan allows.`,
      impact: { mrr: null, orders: null },
    };
  },
  rows: async () => NONE,
};
