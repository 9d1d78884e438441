// Orders of the shop: what was bought by a plan there waits to become a subscription; what the shop did with an order that is known here,
// cancelled it or gave money back, is seen here.
import { sql, type Kysely } from 'kysely';
import { toDecimal } from '../../../domain/money/money.ts';
import type { Tables } from '../../../generated/tables.ts';
import { followRefunds, transactIn } from '../../engine/index.ts';
import { emit } from '../../platform/events/emit.ts';
import type { SoldOrder } from '../../platform/store-platform/store-platform.ts';
import type { Connection, ConnectionServices } from './connection.ts';
import { scopeOf } from './scope.ts';

interface Scope {
  trx: Kysely<Tables>;
  storeId: number;
  at: Date;
}

/** The plans that something in an order was bought by, in the order of its lines. */
export const plansIn = ({ lines }: Pick<SoldOrder, 'lines'>): string[] => [...new Set(lines.flatMap(line => line.plan ?? []))];

/** Follows orders as they are there now. Repeated it changes nothing. */
export async function followOrders(services: ConnectionServices, connection: Connection, orders: readonly SoldOrder[]): Promise<void> {
  const storeId = connection.row.store_id;
  const known = await services.db.inStore(storeId, async trx => {
    const scope = await scopeOf(trx, connection);
    if (!scope) return [];
    await notePurchases(scope, connection, orders);
    const found = await knownOrders(scope, orders);
    for (const one of found) {
      await noteThere(scope, one);
      if (!one.was_bought_there) await noteOwed(scope, one);
    }
    return found;
  });
  for (const one of known) if (one.was_bought_there && refundsOf(one.order).length) await takeRefunds(services, storeId, one);
}

/** Notes what was bought by plans and paid, each once however often it is seen. What was bought before the connection is another's. */
async function notePurchases({ trx, storeId, at }: Scope, { row }: Connection, orders: readonly SoldOrder[]): Promise<void> {
  const bought = orders
    .filter(one => one.key === null && one.state === 'PAID' && one.placedAt !== null && one.placedAt > row.connected_at)
    .flatMap(one => plansIn(one).map(plan => ({ id: one.id, number: one.number, plan })));
  if (bought.length === 0) return;
  await sql`insert into platform_purchases (store_id, platform_id, number, plan, created_at)
    select ${storeId}::integer, b.id, b.number, b.plan, ${at}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(bought)}::jsonb) as b(id text, number text, plan text)
    on conflict do nothing`.execute(trx);
}

interface Known {
  id: number;
  contract_id: number;
  there: string | null;
  refunded_there: number;
  was_bought_there: boolean;
  order: SoldOrder;
}

async function knownOrders({ trx, storeId }: Scope, orders: readonly SoldOrder[]): Promise<Known[]> {
  const { rows } = await sql<Omit<Known, 'order'> & { platform_id: string; number: string }>`select o.id, o.contract_id, o.there,
      o.refunded_there::float8 as refunded_there, o.platform_id, o.number,
      exists (select from platform_purchases p where p.store_id = o.store_id and p.number = o.number and p.platform_id = o.platform_id)
        as was_bought_there
    from platform_orders o where o.store_id = ${storeId}::integer and o.platform_id = any(${orders.map(one => one.id)}::text[])
    order by o.id for update`.execute(trx);
  return rows.flatMap(({ platform_id, number, ...row }) => {
    const order = orders.find(one => one.id === platform_id && one.number === number);
    return order ? [{ ...row, order }] : [];
  });
}

/** Refunds that were made there and not for us. */
const refundsOf = ({ payments }: SoldOrder) =>
  payments.flatMap(({ id, refunds }) => refunds.filter(one => one.key === null).map(one => ({ ...one, payment: id })));

/** What the shop did by itself with an order, in the list and in the story of the subscription. */
async function noteThere(
  { trx, storeId, at }: Scope,
  { id, contract_id, there, refunded_there, was_bought_there, order }: Known,
): Promise<void> {
  const refunded = refundsOf(order).reduce((sum, one) => sum + (one.state === 'DONE' ? one.amount : 0), 0);
  const now = order.state === 'CANCELLED' ? 'CANCELLED' : refunded > 0 ? 'REFUNDED' : null;
  if (now === there && refunded === refunded_there) return;
  await sql`update platform_orders set there = ${now}, refunded_there = ${refunded}::bigint
    where store_id = ${storeId}::integer and id = ${id}::bigint`.execute(trx);
  const about = {
    storeId,
    contractId: contract_id,
    source: 'System',
    entity: '',
    at,
    payload: { orderId: id, shopOrder: order.number },
  } as const;
  if (now === 'CANCELLED' && there !== now) await emit(trx, { ...about, key: 'order_cancelled_in_shop' });
  // Money that the shop took and gave back is a refund here, which says so itself.
  else if (!was_bought_there && refunded > refunded_there) await emit(trx, { ...about, key: 'order_refunded_in_shop' });
}

/**
 * What the shop cancelled or gave back of an order whose payment was taken here is still to be given back here: a person sees both. Where
 * that is done, or on its way there, nothing differs.
 */
async function noteOwed({ trx, storeId, at }: Scope, { id, contract_id, order }: Known): Promise<void> {
  const { rows } = await sql<{ total: number; refunded: number; currency: string; waiting: boolean }>`select total::float8 as total,
      (refunded + refunding)::float8 as refunded, currency_code as currency, exists (select from platform_refunds r
        where r.store_id = o.store_id and r.order_id = o.id and r.state <> 'MADE') as waiting
    from orders o where store_id = ${storeId}::integer and id = ${id}::bigint`.execute(trx);
  const [here] = rows;
  if (!here) return;
  const done = order.payments.flatMap(one => one.refunds).filter(one => one.state === 'DONE');
  const there = done.reduce((sum, one) => sum + one.amount, 0);
  const isCancelled = order.state === 'CANCELLED';
  const owed = here.waiting ? 0 : (isCancelled ? here.total : Math.min(there, here.total)) - here.refunded;
  const fact = isCancelled ? 'CANCELLED' : 'REFUNDED';
  await sql`delete from platform_differences where store_id = ${storeId}::integer and kind = 'ORDER' and subject_id = ${id}::bigint
    and (${owed <= 0}::boolean or fact <> ${fact})`.execute(trx);
  if (owed <= 0) return;
  const money = (minor: number): string => toDecimal(minor, here.currency);
  await sql`insert into platform_differences as d
      (store_id, kind, subject_id, platform_id, contract_id, name, fact, here, there, owed, created_at)
    values (${storeId}::integer, 'ORDER', ${id}::bigint, ${order.id}, ${contract_id}::bigint, ${order.number}, ${fact},
      ${money(here.refunded)}, ${money(isCancelled ? here.total : there)}, ${money(owed)}, ${at}::timestamptz)
    on conflict (store_id, kind, subject_id, fact) do update
      set here = excluded.here, there = excluded.there, owed = excluded.owed`.execute(trx);
}

/** What the shop gave back of a payment that it took itself: our books follow. */
async function takeRefunds(services: ConnectionServices, storeId: number, { id, contract_id, order }: Known): Promise<void> {
  for (const payment of order.payments)
    await transactIn(
      services,
      storeId,
    )(context =>
      followRefunds(context, {
        contractId: contract_id,
        orderId: id,
        gateway: 'SHOP',
        by: 'Vendure',
        charge: `${order.number}-${payment.id}`,
        refunds: payment.refunds.map(one => ({
          reference: `${order.number}-${one.id}`,
          key: null,
          status: one.state,
          amount: one.amount,
          currency: order.currency,
        })),
      }),
    );
}
