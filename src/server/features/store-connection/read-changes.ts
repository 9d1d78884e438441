// What the shop told of is read again there.
import { sql } from 'kysely';
import { followPrices } from '../products/follow-prices.ts';
import { ofOrders, type Connection, type ConnectionServices } from './connection.ts';
import { followOrders } from './follow-orders.ts';
import { mirrorCustomers } from './mirror-customers.ts';
import { mirrorProducts, takeAway } from './mirror-products.ts';
import { scopeOf } from './scope.ts';

/** Changes of one step. */
const CHANGES = 500;
/** Read with one question. */
const AT_ONCE = 25;

interface Named {
  /** What is read, each with when it was last named. */
  told: { kind: string; id: string; at: string }[];
  products: Set<string>;
  /** Variants that are not known here. */
  variants: string[];
  customers: string[];
  orders: string[];
}

async function waiting({ db }: ConnectionServices, { row }: Connection): Promise<Named> {
  return db.inStore(row.store_id, async trx => {
    // As text: an instant of JavaScript is not as fine as one of the database.
    const { rows } = await sql<{ kind: string; id: string; at: string; product: string | null }>`
      select c.kind, c.platform_id as id, c.told_at::text as at, p.platform_id as product from platform_changes c
      left join platform_ids i on c.kind = 'VARIANT' and i.store_id = c.store_id and i.kind = c.kind and i.platform_id = c.platform_id
      left join variants v on v.store_id = i.store_id and v.id = i.id
      left join platform_ids p on p.store_id = v.store_id and p.kind = 'PRODUCT' and p.id = v.product_id
      where c.store_id = ${row.store_id}::integer order by c.told_at limit ${CHANGES}`.execute(trx);
    const of = (kind: string) => rows.filter(one => one.kind === kind);
    return {
      told: rows.map(({ kind, id, at }) => ({ kind, id, at })),
      products: new Set([...of('PRODUCT').map(one => one.id), ...of('VARIANT').flatMap(one => one.product ?? [])]),
      variants: of('VARIANT').flatMap(one => (one.product === null ? [one.id] : [])),
      customers: of('CUSTOMER').map(one => one.id),
      orders: of('ORDER').map(one => one.id),
    };
  });
}

function* chunks<T>(all: readonly T[]): Generator<T[]> {
  for (let at = 0; at < all.length; at += AT_ONCE) yield all.slice(at, at + AT_ONCE);
}

/** Reads what the shop told of. What it tells of again meanwhile is read once more. */
export async function readChanges(services: ConnectionServices, connection: Connection): Promise<void> {
  const { row, platform, link } = connection;
  const storeId = row.store_id;
  const { told, products, variants, customers, orders } = await waiting(services, connection);
  for (const some of chunks(variants)) for (const id of await platform.productsOf(link, some)) products.add(id);
  for (const some of chunks([...products])) {
    const there = await platform.productsById(link, some);
    await services.db.inStore(storeId, async trx => {
      const scope = await scopeOf(trx, connection);
      if (!scope) return;
      const priceChanges = await mirrorProducts(scope, there);
      await takeAway(
        scope,
        some.filter(id => !there.some(product => product.id === id)),
      );
      if (priceChanges > 0) await followPrices({ ...services, trx, storeId });
    });
  }
  for (const some of chunks(customers)) {
    const there = await platform.customersById(link, some);
    await services.db.inStore(storeId, async trx => {
      const scope = await scopeOf(trx, connection);
      if (scope) await mirrorCustomers(scope, there);
    });
  }
  if (row.sells)
    for (const some of chunks(orders)) {
      const there = (await ofOrders(services, connection, platform.ordersById(link, some))) ?? [];
      await followOrders(services, connection, there);
    }
  await services.db.inStore(storeId, trx =>
    sql`delete from platform_changes c using jsonb_to_recordset(${JSON.stringify(told)}::jsonb) as r(kind text, id text, at timestamptz)
      where c.store_id = ${storeId}::integer and c.kind = r.kind and c.platform_id = r.id and c.told_at = r.at`.execute(trx),
  );
}
