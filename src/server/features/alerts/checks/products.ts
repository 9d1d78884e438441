// Checks about what subscriptions hold: products that are gone or hidden, and stock for the orders of the next days.
import { sql } from 'kysely';
import { soldName } from '../../../../domain/text/variant-name.ts';
import { totalOf } from '../../../platform/db/page-total.ts';
import { CLEAN, contractRows, counted, countOf, weigh, type Check, type Hits, type Scope } from '../alert-check.ts';
import { later } from '../../../../domain/text/t.ts';

/**
 * Active subscriptions with a product or variant that was deleted, archived or made a draft; begins at the few
 * such products, not at the subscriptions.
 */
const withInactive = ({ store }: Scope): Hits => sql`
  with gone as (
    select v.store_id, v.id, case when v.deleted_at is not null or p.deleted_at is not null then 'DELETED' else p.status end as reason
      from products p join variants v on v.store_id = p.store_id and v.product_id = p.id
      where p.store_id = ${store.id}::integer and (p.status <> 'ACTIVE' or p.deleted_at is not null)
    union select store_id, id, 'DELETED' from variants where store_id = ${store.id}::integer and deleted_at is not null
  ), hit as (
    select l.contract_id, l.product_title, l.variant_title, l.position, min(g.reason) as reason from gone g
      join contract_lines l on l.store_id = g.store_id and l.variant_id = g.id group by 1, 2, 3, 4
    union all select l.contract_id, l.product_title, l.variant_title, l.position, 'DELETED' from contract_lines l
      where l.store_id = ${store.id}::integer and l.variant_id is null
  )
  select h.contract_id, string_agg(h.product_title || case when lower(h.variant_title) in ('', 'default', 'default title') then ''
    else ' · ' || h.variant_title end, ', ' order by h.position) as label, min(h.reason) as reason, null::timestamptz as at,
        null::bigint as amount
  from hit h join contracts c on c.store_id = ${store.id}::integer and c.id = h.contract_id and c.status = 'ACTIVE' group by h.contract_id`;

export const inactiveProducts: Check = {
  key: 'INACTIVE_PRODUCTS',
  title: later`Subscriptions with inactive products`,
  category: 'Subscriptions',
  severity: 'HIGH',
  every: 'DAY',
  entityType: 'subscription',
  watches: later`Active subscriptions that hold a product or variant which was deleted, archived or made a draft.`,
  action: {
    label: later`Swap products`,
    kind: 'BULK_ACTION',
    target: 'SWAP_PRODUCT',
    text: later`Choose what takes the place of each inactive product: all affected subscriptions get it from their next order on. Or make
      the products active again in your store.`,
  },
  async find(scope) {
    const { count, mrr, orders } = await weigh(scope, withInactive(scope));
    return {
      count,
      summary:
        `${counted(count, 'active subscription')} ${count === 1 ? 'holds' : 'hold'} a product that was deleted, archived or ` +
        `made a draft.`,
      impact: { mrr, orders },
    };
  },
  rows: (scope, window) => contractRows(scope, withInactive(scope), window),
};

/** An inactive variant that subscriptions still hold, with how many of them. */
export interface InactiveVariant {
  variantId: number;
  title: string;
  subscriptions: number;
}

/**
 * The inactive variants that active subscriptions hold, the most common first; for choosing what takes their place. Lines without a variant
 * have nothing left to name them by and are left out.
 */
export async function inactiveVariants({ trx, store }: Pick<Scope, 'trx' | 'store'>, limit = 50): Promise<InactiveVariant[]> {
  const { rows } = await sql<{ id: number; product: string; variant: string; n: number }>`
    with gone as (
      select v.id from products p join variants v on v.store_id = p.store_id and v.product_id = p.id
        where p.store_id = ${store.id}::integer and (p.status <> 'ACTIVE' or p.deleted_at is not null)
      union select id from variants where store_id = ${store.id}::integer and deleted_at is not null
    )
    select g.id, min(l.product_title) as product, min(l.variant_title) as variant, count(distinct l.contract_id) as n
    from gone g join contract_lines l on l.store_id = ${store.id}::integer and l.variant_id = g.id
      join contracts c on c.store_id = l.store_id and c.id = l.contract_id and c.status = 'ACTIVE'
    group by g.id order by n desc, g.id limit ${limit}`.execute(trx);
  return rows.map(row => ({ variantId: row.id, title: soldName(row.product, row.variant), subscriptions: row.n }));
}

const DAYS = 7;

/** Variants of which the next seven days need more than there is, with the subscriptions that wait for them. */
const short = ({ store, now }: Scope) => sql`
  select v.id, v.product_id, v.title, v.sku, v.inventory_quantity, d.needed, d.orders from (
    select l.variant_id, sum(l.quantity)::bigint as needed, count(distinct l.contract_id) as orders
    from contracts c join contract_lines l on l.store_id = c.store_id and l.contract_id = c.id and (l.one_time_removed_cycle is null
      or l.one_time_removed_cycle <> c.next_cycle)
    where c.store_id = ${store.id}::integer and c.status = 'ACTIVE'
      and c.next_billing_at < ${now}::timestamptz + make_interval(days => ${DAYS}::integer) and l.variant_id is not null group by 1
  ) d join variants v on v.store_id = ${store.id}::integer and v.id = d.variant_id
  where v.deleted_at is null and v.inventory_management is not null and v.inventory_policy = 'deny' and v.inventory_quantity < d.needed`;

export const outOfStock: Check = {
  key: 'OUT_OF_STOCK',
  title: later`Upcoming orders without stock`,
  category: 'Inventory',
  severity: 'MEDIUM',
  every: 'DAY',
  entityType: 'variant',
  watches: later`Products of which the orders of the next 7 days need more than there is in stock.`,
  action: {
    label: later`Decide what happens without stock`,
    kind: 'LINK',
    target: '/settings/inventory-settings',
    text: later`Restock the products below, or decide whether such orders wait, are skipped, or go out without them.`,
  },
  async find(scope) {
    const { rows } = await sql<{
      n: number;
      orders: number;
    }>`select count(*) as n, coalesce(sum(orders), 0)::bigint as orders from (${short(scope)}) s`.execute(scope.trx);
    const { n = 0, orders = 0 } = rows[0] ?? {};
    if (n === 0) return CLEAN;
    return {
      count: n,
      summary: `The orders of the next 7 days need more of ${counted(n, 'product')} than there is in stock.`,
      impact: { mrr: null, orders },
    };
  },
  async rows(scope, { limit, offset }) {
    const from = sql`from (${short(scope)}) s join products p on p.store_id = ${scope.store.id}::integer and p.id = s.product_id`;
    const { rows } = await sql<{
      id: number;
      product: string;
      title: string;
      sku: string;
      inventory_quantity: number;
      needed: number;
      orders: number;
      all: number;
    }>`
      select s.id, p.title as product, s.title, s.sku, s.inventory_quantity, s.needed, s.orders, count(*) over () as all ${from}
      order by s.orders desc, s.id limit ${limit} offset ${offset}`.execute(scope.trx);
    return {
      total: await totalOf(rows[0]?.all, offset, () => countOf(scope, from)),
      rows: rows.map(row => ({
        id: String(row.id),
        label: soldName(row.product, row.title),
        product: row.product,
        sku: row.sku,
        inStock: row.inventory_quantity,
        needed: row.needed,
        orders: row.orders,
      })),
    };
  },
};
