// Reading the whole shop, a page a step: at first, when the shop was away, and from time to time, since what it tells may get lost.
import { sql } from 'kysely';
import { incomingPath } from '../../platform/http/incoming.ts';
import { ShopError } from '../../platform/store-platform/shop-fault.ts';
import { followPrices } from '../products/follow-prices.ts';
import { note, ofOrders, type Connection, type ConnectionServices } from './connection.ts';
import { followOrders } from './follow-orders.ts';
import { mirrorCustomers } from './mirror-customers.ts';
import { mirrorProducts, takeAway } from './mirror-products.ts';
import { scopeOf } from './scope.ts';

const MINUTE = 60_000;
/** Between two readings (ms): where the shop tells of changes, and where it doesn't. */
const HEARS_MS = 60 * MINUTE;
const DEAF_MS = 5 * MINUTE;
/** Products that were not found are looked for by their ids, so many at once. */
const MISSING = 25;
/** When more than half of the products are gone, and at least so many, it is no reading but the wrong shop, or an empty one. */
const FEW = 5;

/** Orders are looked at again that changed so long (ms) before the last one that was seen. */
const LOOK_BACK_MS = 60 * MINUTE;

/** Where a reading is: what it reads, and from where on. */
type Place = { what: 'products' | 'missing' | 'customers' | 'orders'; from: string | null };
const placeOf = (reading: string | null): Place => {
  const [what, from] = (reading ?? 'products').split(' ');
  return { what: what as Place['what'], from: from ?? null };
};
const written = (what: Place['what'], from: string | null = null): string => (from === null ? what : `${what} ${from}`);

/** Reads the next page and writes it. */
export async function readPage(services: ConnectionServices, connection: Connection): Promise<void> {
  const { what, from } = placeOf(connection.row.reading);
  if (what === 'products') await readProducts(services, connection, from);
  else if (what === 'missing') await readMissing(services, connection);
  else if (what === 'customers') await readCustomers(services, connection, from);
  else await readOrders(services, connection, from);
}

/** Where the shop tells of changes is said at the beginning of each reading: it may have forgotten. Whether it tells. */
async function listen({ config, address }: ConnectionServices, { row, platform, link, signing }: Connection): Promise<boolean> {
  if (signing === undefined) throw new ShopError('REFUSED', 'KEY_SEALED');
  const base = (config.publicUrl ?? address).replace(/\/$/, '');
  return platform.listen(link, { address: base + incomingPath(row.kind.toLowerCase(), row.store_id), secret: signing });
}

async function readProducts(services: ConnectionServices, connection: Connection, from: string | null): Promise<void> {
  const { row, platform, link } = connection;
  const hears = from === null ? await listen(services, connection) : row.hears;
  const { items, next } = await platform.products(link, from);
  await services.db.inStore(row.store_id, async trx => {
    const scope = await scopeOf(trx, connection);
    if (!scope) return;
    // By the clock of the database, which also says when a product was seen.
    if (from === null)
      await sql`update store_connections set reading_since = now()
        where store_id = ${row.store_id}::integer and id = ${row.id}::bigint`.execute(trx);
    const priceChanges = await mirrorProducts(scope, items);
    if (priceChanges > 0) await followPrices({ ...services, trx, storeId: row.store_id });
    await note(trx, connection, { hears, reading: next === null ? written('missing') : written('products', next) });
  });
}

/** What was there and was not found on any page: it is gone, or was on the move between two pages. */
async function readMissing({ db }: ConnectionServices, connection: Connection): Promise<void> {
  const { row, platform, link } = connection;
  const found = await db.inStore(row.store_id, async trx => {
    const { rows } = await sql<{
      id: string;
      missing: number;
      total: number;
    }>`select platform_id as id, count(*) over ()::integer as missing,
        (select count(*)::integer from platform_ids a where a.store_id = ${row.store_id}::integer and a.kind = 'PRODUCT') as total
      from platform_ids where store_id = ${row.store_id}::integer and kind = 'PRODUCT' and seen_at < ${row.reading_since}::timestamptz
      order by id limit ${MISSING}`.execute(trx);
    return rows;
  });
  const { missing = 0, total = 0 } = found[0] ?? {};
  if (missing >= FEW && missing * 2 > total) throw new ShopError('REFUSED', 'PRODUCTS_GONE', { missing, total });
  const ids = found.map(one => one.id);
  const there = await platform.productsById(link, ids);
  await db.inStore(row.store_id, async trx => {
    const scope = await scopeOf(trx, connection);
    if (!scope) return;
    await mirrorProducts(scope, there);
    await takeAway(
      scope,
      ids.filter(id => !there.some(product => product.id === id)),
    );
    if (missing <= ids.length) await note(trx, connection, { reading: written('customers') });
  });
}

async function readCustomers({ db }: ConnectionServices, connection: Connection, from: string | null): Promise<void> {
  const { row, platform, link } = connection;
  const { items, next } = await platform.customers(link, from);
  await db.inStore(row.store_id, async trx => {
    const scope = await scopeOf(trx, connection);
    if (!scope) return;
    await mirrorCustomers(scope, items);
    if (next !== null) await note(trx, connection, { reading: written('customers', next) });
    else if (row.sells) await note(trx, connection, { reading: written('orders') });
    else await note(trx, connection, done(row, scope.at));
  });
}

/** The shop was read to its end; the plans on its products are shown again, as a shop may have forgotten them. */
const done = (row: Connection['row'], at: Date) => ({
  reading: null,
  status: 'CONNECTED',
  error: null,
  failures: 0,
  last_read_at: at,
  offered_at: null,
  due_at: new Date(Date.now() + (row.hears ? HEARS_MS : DEAF_MS)),
});

/** Orders that changed since the last reading: those of which nothing was heard. */
async function readOrders(services: ConnectionServices, connection: Connection, from: string | null): Promise<void> {
  const { row, platform, link } = connection;
  const since = row.orders_read_at ?? new Date(row.connected_at.getTime() - LOOK_BACK_MS);
  const { items, next } = (await ofOrders(services, connection, platform.orders(link, since, from))) ?? { items: [], next: null };
  const last = items.at(-1)?.changedAt ?? since;
  await followOrders(services, connection, items);
  await services.db.inStore(row.store_id, async trx => {
    const scope = await scopeOf(trx, connection);
    if (!scope) return;
    await note(
      trx,
      connection,
      next !== null
        ? { reading: written('orders', next) }
        : // What changes while pages are read may slip through between two of them.
          { ...done(row, scope.at), orders_read_at: new Date(Math.max(since.getTime(), last.getTime() - LOOK_BACK_MS)) },
    );
  });
}
