// The alerts of a freshly seeded store, each from what is true in its rows.
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../generated/tables.ts';

const CHECKS = [
  { key: 'INACTIVE_PRODUCTS', title: 'Subscriptions with inactive products', category: 'Subscriptions', severity: 'HIGH', words: (n: number) => `${n} active subscriptions contain a product that is archived or deleted.`,
    count: (store: number) => sql<{ n: number }>`select count(distinct l.contract_id)::int as n from contract_lines l join contracts c on (c.store_id, c.id) = (l.store_id, l.contract_id) join products p on (p.store_id, p.id) = (l.store_id, l.product_id) where l.store_id = ${store} and c.status = 'ACTIVE' and p.status <> 'ACTIVE'` },
  { key: 'EXPIRED_METHODS', title: 'Active subscriptions with an expired payment method', category: 'Payments', severity: 'HIGH', words: (n: number) => `${n} active subscriptions will fail at their next charge because the card has expired.`,
    count: (store: number, now: Date) => sql<{ n: number }>`select count(*)::int as n from contracts c join payment_methods m on (m.store_id, m.id) = (c.store_id, c.payment_method_id) where c.store_id = ${store} and c.status = 'ACTIVE' and m.expiry_year is not null and make_date(m.expiry_year, m.expiry_month, 1) + interval '1 month' <= ${now}` },
  { key: 'OUT_OF_STOCK', title: 'Upcoming orders without stock', category: 'Inventory', severity: 'MEDIUM', words: (n: number) => `${n} orders of the next 7 days contain a product with too little stock.`,
    count: (store: number, now: Date) => sql<{ n: number }>`select count(distinct c.id)::int as n from contracts c join contract_lines l on (l.store_id, l.contract_id) = (c.store_id, c.id) join variants v on (v.store_id, v.id) = (l.store_id, l.variant_id) where c.store_id = ${store} and c.status = 'ACTIVE' and c.next_billing_at < ${now}::timestamptz + interval '7 days' and v.inventory_management is not null and v.inventory_policy = 'deny' and v.inventory_quantity < 10` },
  { key: 'UNMAPPED_PLAN', title: 'Selling plan group without products', category: 'Selling plans', severity: 'LOW', words: (n: number) => `${n} selling plan ${n === 1 ? 'group is' : 'groups are'} not offered on any product.`,
    count: (store: number) => sql<{ n: number }>`select count(*)::int as n from records r where r.store_id = ${store} and r.entity = 'selling-plan-group' and r.deleted_at is null and not exists (select 1 from plan_products p where p.store_id = r.store_id and p.group_id = r.id)` },
] as const;

export async function raiseAlerts(trx: Kysely<Tables>, store: number, now: number): Promise<void> {
  for (const check of CHECKS) {
    const { rows } = await check.count(store, new Date(now)).execute(trx);
    const n = rows[0]!.n;
    if (n > 0) await trx.insertInto('alerts').values({ store_id: store, type_key: check.key, title: check.title, summary: check.words(n), category: check.category, severity: check.severity, affected_count: n, created_at: new Date(now), last_checked_at: new Date(now) }).execute();
  }
}
