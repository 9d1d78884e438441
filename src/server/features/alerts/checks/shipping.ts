// Checks about shipping profiles: those that count for no selling plan, and subscriptions that none of them ships to.
import { sql } from 'kysely';
import { contractRows, counted, counting, weigh, type Check, type Hits, type Scope } from '../alert-check.ts';
import { later } from '../../../../domain/text/t.ts';

/** Profiles of selling plan groups that are all gone. */
const withoutPlan = ({ store }: Scope) => sql`
  from records r where r.store_id = ${store.id}::integer and r.entity = 'shipping-profile' and r.deleted_at is null
    and not coalesce((r.data ->> 'isDefault')::boolean, false)
    and not exists (select 1 from jsonb_array_elements_text(coalesce(r.data -> 'sellingPlanGroupIds', '[]')) n
      join records g on g.store_id = r.store_id and g.entity = 'selling-plan-group' and g.id = n::bigint and g.deleted_at is null
        and coalesce(g.data ->> 'status', '') <> 'DELETED')`;

export const profileWithoutPlan: Check = {
  key: 'SHIPPING_PROFILE_NO_PLAN',
  title: later`Shipping profile without selling plan`,
  category: 'Shipping',
  severity: 'MEDIUM',
  every: 'DAY',
  entityType: 'shipping-profile',
  watches: later`Shipping profiles whose selling plan groups were all deleted.`,
  action: {
    label: later`Open shipping profiles`,
    kind: 'LINK',
    target: '/settings/shipping-profile',
    text: later`Select selling plan groups for the profiles below, or delete those that are not needed any more.`,
  },
  ...counting<{ id: number; name: string; at: Date }>({
    from: withoutPlan,
    columns: sql`r.id, r.data ->> 'name' as name, r.updated_at as at`,
    order: sql`r.id`,
    says: count => `${counted(count, 'shipping profile')} ${count === 1 ? 'counts' : 'count'} for no selling plan.`,
    row: ({ id, name: label, at }) => ({ id: String(id), label, at: at.toISOString() }),
  }),
};

/** Running subscriptions that are shipped to a place which no zone of their profile names. */
const unreached = ({ store }: Scope): Hits => sql`
  with profile as (
    select r.id, r.data, coalesce((r.data ->> 'isDefault')::boolean, false) as is_default from records r
      where r.store_id = ${store.id}::integer and r.entity = 'shipping-profile' and r.deleted_at is null
  ), attached as (
    select n::bigint as group_id, min(p.id) as profile_id from profile p
      cross join jsonb_array_elements_text(coalesce(p.data -> 'sellingPlanGroupIds', '[]')) n where not p.is_default group by 1
  ), place as (
    select p.id as profile_id, upper(c ->> 'code') as country,
      (select array_agg(upper(x)) from jsonb_array_elements_text(coalesce(c -> 'provinces', '[]')) x) as provinces
    from profile p cross join jsonb_array_elements(p.data -> 'zones') z cross join jsonb_array_elements(z -> 'countries') c
  ), shipped as (
    select c.id, c.country_code, upper(coalesce(c.shipping_address ->> 'provinceCode', '')) as province,
      coalesce((select min(t.profile_id) from attached t where t.group_id = any(c.plan_group_ids)), (select min(id) from profile
        where is_default)) as profile_id
    from contracts c where c.store_id = ${store.id}::integer and c.status in ('ACTIVE', 'PAUSED') and c.delivery_type = 'SHIPPING'
      and exists (select 1 from profile)
  )
  select s.id as contract_id, s.country_code as label, null::text as reason, null::timestamptz as at, null::bigint as amount
  from shipped s where s.profile_id is not null and not exists (select 1 from place l where l.profile_id = s.profile_id
    and l.country = upper(s.country_code) and (l.provinces is null or s.province = any(l.provinces)))`;

export const plansNoShipping: Check = {
  key: 'PLANS_NO_SHIPPING',
  title: later`Subscriptions that no shipping rate reaches`,
  category: 'Shipping',
  severity: 'HIGH',
  every: 'DAY',
  entityType: 'subscription',
  watches: later`Active and paused subscriptions that are shipped to a country which their shipping profile does not name.`,
  action: {
    label: later`Open shipping profiles`,
    kind: 'LINK',
    target: '/settings/shipping-profile',
    text: later`Add the countries of the subscriptions below to a zone of their profile. Until then they keep the shipping price they
      have.`,
  },
  async find(scope) {
    const { count, mrr, orders } = await weigh(scope, unreached(scope));
    return {
      count,
      summary: `${counted(count, 'subscription')} ${count === 1 ? 'goes' : 'go'} to a place that no zone of the shipping profile names.`,
      impact: { mrr, orders },
    };
  },
  rows: (scope, window) => contractRows(scope, unreached(scope), window),
};
