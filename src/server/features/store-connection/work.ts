// What a connection has to do, one step after the other: is it good, read the whole shop in pages, read what the shop told of. Between two
// steps the process may die; the next one goes on where this one was.
import { randomBytes } from 'node:crypto';
import { writeSecret } from '../../platform/outgoing/secrets.ts';
import { ShopError } from '../../platform/store-platform/shop-fault.ts';
import { holds, note, noteFailure, openConnection, signingPlace, type Connection, type ConnectionServices } from './connection.ts';
import { forget } from './forget.ts';
import { offerPlans } from './offer-plans.ts';
import { readChanges } from './read-changes.ts';
import { pushDifference } from './push-differences.ts';
import { pushOrder } from './push-orders.ts';
import { pushRefund } from './push-refunds.ts';
import { readPage } from './read-shop.ts';
import { takePurchase } from './take-purchases.ts';

/** Works off what a store's connection has to do. @throws what is no fault of the shop */
export async function work(services: ConnectionServices, storeId: number, signal: AbortSignal): Promise<void> {
  const lock = await services.db.lockWork(`store-connection ${storeId}`);
  if (!lock) return;
  try {
    for (;;) {
      signal.throwIfAborted();
      lock.lost.throwIfAborted();
      const connection = await openConnection(services, storeId);
      if (!connection || connection.row.forgets) {
        await forget(services, storeId, connection, signal);
        if (!connection) return;
        continue;
      }
      const step = nextStep(connection);
      if (!step) return;
      try {
        await step(services, connection);
      } catch (error) {
        if (error instanceof ShopError) return await noteFailure(services, connection, error);
        // A person sees that nothing goes on, and that it is our fault; the log has the rest.
        if (!signal.aborted && !lock.lost.aborted)
          await noteFailure(services, connection, new ShopError('WRONG', 'OURS', {}, { cause: error })).catch(() => undefined);
        throw error;
      }
    }
  } finally {
    await lock.release();
  }
}

type Step = (services: ConnectionServices, connection: Connection) => Promise<void>;

function nextStep({ row, hasChanges, hasOrders, hasRefunds, hasDifferences, hasPurchases, hasPlans }: Connection): Step | undefined {
  const isDue = row.due_at !== null && row.due_at.getTime() <= Date.now();
  if (row.status === 'NOT_CONNECTED') return undefined;
  if (row.status === 'CHECKING') return check;
  if (row.status === 'UNREACHABLE' && !isDue) return undefined;
  if (row.status === 'CONNECTED') {
    if (hasPurchases) return takePurchase;
    if (hasOrders) return pushOrder;
    if (hasRefunds) return pushRefund;
    if (hasDifferences) return pushDifference;
    if (hasChanges) return readChanges;
    if (hasPlans && row.hears) return offerPlans;
  }
  return isDue ? readPage : undefined;
}

/** The first word with the shop: whether it lets us in, and what will sign what it tells. */
async function check(services: ConnectionServices, connection: Connection): Promise<void> {
  const { db, secrets } = services;
  const { row, platform, link } = connection;
  const { store_id: storeId, id } = row;
  const { currency, precision } = await platform.check(link);
  const store = await db.inStore(storeId, trx =>
    trx.selectFrom('stores').select('currency_code').where('id', '=', storeId).executeTakeFirstOrThrow(),
  );
  if (currency !== store.currency_code) throw new ShopError('REFUSED', 'CURRENCIES', { shop: currency || '–', store: store.currency_code });
  const secret = connection.signing ?? randomBytes(32).toString('base64url');
  await db.inStore(storeId, async trx => {
    if (!(await holds(trx, connection))) return;
    await writeSecret({ trx, secrets }, signingPlace(storeId, id), secret);
    await note(trx, connection, { status: 'LOADING', error: null, failures: 0, due_at: new Date(), reading: null, precision });
  });
}

/** SQL on a store `s`: its connection has something to do, or one that is over has left something. */
export const WAITING = `(exists (select from store_connections c where c.store_id = s.id and (c.due_at <= now()
  or c.status = 'CONNECTED' and (exists (select from platform_changes p where p.store_id = s.id)
    or exists (select from platform_orders o where o.store_id = s.id and o.state = 'WAITING' and o.try_at <= now())
    or exists (select from platform_purchases b where b.store_id = s.id and b.state = 'WAITING' and b.try_at <= now())
    or exists (select from platform_refunds p join platform_orders o on o.store_id = p.store_id and o.id = p.order_id and o.state = 'MADE'
      where p.store_id = s.id and p.state = 'WAITING' and p.try_at <= now())
    or exists (select from platform_differences d where d.store_id = s.id and d.state = 'THERE' and d.try_at <= now())
    or c.hears and exists (select from storefronts f where f.store_id = s.id and (c.offered_at is null or f.built_at > c.offered_at)))))
  or exists (select from platform_ids i where i.store_id = s.id)
    and not exists (select from store_connections c where c.store_id = s.id))`;
