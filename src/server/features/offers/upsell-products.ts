// The products of an upsell profile that chooses by itself: what sells best, or what fits the subscriber.
import { sql, type RawBuilder } from 'kysely';
import type { Scope } from './profiles.ts';

export type PopularMetric = 'UNITS_SOLD' | 'REVENUE' | 'SUBSCRIBERS';
export type SmartStrategy = 'BOUGHT_TOGETHER' | 'SAME_COLLECTION' | 'NEVER_BOUGHT' | 'PREVIOUSLY_BOUGHT';

/** Orders and subscriptions that are looked through at most, the latest first: enough to rank products, in well below a second. */
const LOOKED = 20_000;
/** Products that are ranked, more than are shown: some of them can't be. */
const RANKED = 60;

const idsOf = async ({ trx }: Scope['context'], query: RawBuilder<{ id: number }>): Promise<number[]> =>
  (await query.execute(trx)).rows.map(row => row.id);

/** Products by how much of them sold in the last days, or by how many subscriptions have them now. */
export function popularProducts({ context }: Scope, metric: PopularMetric, days: number): Promise<number[]> {
  const { storeId } = context;
  if (metric === 'SUBSCRIBERS')
    return idsOf(
      context,
      sql`select p.id from (select product_ids from contracts where store_id = ${storeId}::integer and status = 'ACTIVE'
          order by created_at desc, id desc limit ${LOOKED}) c cross join lateral unnest(c.product_ids) as p(id)
        group by 1 order by count(*) desc, 1 limit ${RANKED}`,
    );
  const amount = metric === 'UNITS_SOLD' ? sql`(l ->> 'quantity')::bigint` : sql`(l ->> 'total')::numeric`;
  return idsOf(
    context,
    sql`select (l ->> 'productId')::bigint as id from (select lines from orders where store_id = ${storeId}::integer and status = 'PAID'
        and billing_at > ${context.now()}::timestamptz - make_interval(days => ${days}::integer) order by billing_at desc, id desc
        limit ${LOOKED}) o
      cross join lateral jsonb_array_elements(o.lines) as l where l ->> 'productId' is not null
      group by 1 order by sum(${amount}) desc, 1 limit ${RANKED}`,
  );
}

/** Products for one subscriber. */
export async function smartProducts(scope: Scope, strategy: SmartStrategy): Promise<number[]> {
  const { context, subscription } = scope;
  const { storeId } = context;
  const own = [...new Set(subscription.lines.flatMap(line => line.product_id ?? []))];
  const bought = sql`select (l ->> 'productId')::bigint as id, max(o.processed_at) as at from (
      select o.lines, o.processed_at from contracts c
        join orders o on o.store_id = c.store_id and o.contract_id = c.id and o.status = 'PAID'
      where c.store_id = ${storeId}::integer and c.customer_id = ${subscription.contract.customer_id}::bigint
      order by o.id desc limit 500) o
    cross join lateral jsonb_array_elements(o.lines) as l where l ->> 'productId' is not null group by 1`;
  switch (strategy) {
    case 'BOUGHT_TOGETHER':
      return idsOf(
        context,
        sql`select p.id from (select product_ids from contracts where store_id = ${storeId}::integer
            and product_ids && ${own}::bigint[] and id <> ${subscription.contract.id}::bigint limit ${LOOKED}) c
          cross join lateral unnest(c.product_ids) as p(id) where p.id <> all(${own}::bigint[])
          group by 1 order by count(*) desc, 1 limit ${RANKED}`,
      );
    case 'SAME_COLLECTION':
      return idsOf(
        context,
        sql`select p.id from products p where p.store_id = ${storeId}::integer and p.deleted_at is null
          and p.id <> all(${own}::bigint[]) and exists (select 1 from collection_products m join collection_products o
            on o.store_id = m.store_id and o.collection_id = m.collection_id and o.product_id = any(${own}::bigint[])
            where m.store_id = p.store_id and m.product_id = p.id)
          order by p.created_at desc, p.id limit ${RANKED}`,
      );
    case 'PREVIOUSLY_BOUGHT':
      return idsOf(context, sql`select id from (${bought}) b where id <> all(${own}::bigint[]) order by at desc, id limit ${RANKED}`);
    case 'NEVER_BOUGHT': {
      const known = new Set([...own, ...(await idsOf(context, sql`select id from (${bought}) b`))]);
      return (await popularProducts(scope, 'SUBSCRIBERS', 0)).filter(id => !known.has(id));
    }
  }
}
