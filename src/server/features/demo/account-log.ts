// The account log of the demo store from its first day: what its team did, as it stands in the selling plan groups, the settings and the
// subscriptions.
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../../generated/tables.ts';
import type { SeedStore } from './store.ts';

/** Writes the log of one store, the oldest entry first, once everything else of it is there. */
export async function writeAccountLog(trx: Kysely<Tables>, store: SeedStore): Promise<void> {
  const opened = new Date(store.openedAt);
  await sql`insert into account_log (store_id, action, category, description, entity, entity_id, user_id, user_email, after, created_at)
    select ${store.id}::integer, e.action, e.category, e.description, e.entity, e.entity_id, u.id, u.email, e.after, e.at
    from (
      select 'onboarding.saved' as action, 'Onboarding' as category, 'Onboarding form saved' as description, 'store' as entity,
        s.id::text as entity_id,
        s.onboarding as after, ${opened}::timestamptz as at, null::text as email
      from stores s where s.id = ${store.id}::integer
      union all
      select 'settings.' || s.name || '.updated', 'Settings', initcap(s.name) || ' settings updated', 'settings', s.name, s.data,
        ${opened}::timestamptz + interval '1 day', null
      from settings s where s.store_id = ${store.id}::integer
      union all
      select 'selling_plan_group.' || verb, 'Selling plans', 'Selling plan group "' || (g.data->>'name') || '" ' || verb, g.entity,
        g.id::text,
        jsonb_build_object('lspgId', g.id, 'name', g.data->>'name', 'status', case verb when 'created' then 'DRAFT'
          else g.data->>'status' end),
        g.created_at + case verb when 'created' then interval '0' else interval '40 minutes' end, g.updated_by
      from records g cross join unnest(array['created', 'published']) as verb
      where g.store_id = ${store.id}::integer and g.entity = 'selling-plan-group' and (verb = 'created' or g.data->>'status' = 'ACTIVE')
      union all
      select 'subscription.cancel', 'Subscriptions', '#' || c.id || ' ' || c.customer_name || ': Subscription cancelled', 'subscription',
        c.id::text,
        jsonb_build_object('status', 'CANCELLED', 'cancellationReason', a.data->>'reason'), a.created_at, a.entity
      from events a join contracts c on c.store_id = a.store_id and c.id = a.contract_id
      where a.store_id = ${store.id}::integer and a.source = 'Admin portal' and a.key = 'subscription_cancelled'
    ) as e
    join users u on u.store_id = ${store.id}::integer and u.email = coalesce(e.email, (select o.email from users o
      where o.store_id = ${store.id}::integer and o.type = 'OWNER'))
    order by e.at, e.entity_id`.execute(trx);
}
