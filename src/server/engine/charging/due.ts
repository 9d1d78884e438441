// What time brings: orders that are due, retries, orders that wait for stock, pauses that end, and charges whose
// process died. Safe to repeat and to share.
import { sql, type RawBuilder } from 'kysely';
import { mayTry } from '../../../domain/recovery/dunning.ts';
import type { GatewayName } from '../../platform/gateway/gateway.ts';
import { plannedFrom, type Aggregate } from '../aggregate.ts';
import type { EngineContext } from '../context.ts';
import { isBeingCharged } from '../guards.ts';
import { placeOrder, type PendingCharge } from './place-order.ts';
import type { OrderRow } from '../rows.ts';
import { nextPlanned, syncSchedule } from '../schedule.ts';
import { resume } from '../status.ts';
import { retryOf } from './stock.ts';
import { UnitOfWork } from '../unit-of-work.ts';

/** DUE: everything carries the instant at which it was due, as if time had passed (a run that moves the clock). NOW: the store's clock. */
export type Clock = 'DUE' | 'NOW';
export interface Batch {
  /** Rows found due; fewer than asked for means that nothing more is. */
  claimed: number;
  /** Contracts that something was done with. */
  done: number;
  /** Whether looking again, once the pending charges are answered, may find more. */
  more: boolean;
  pending: PendingCharge[];
}
const NOTHING: Batch = { claimed: 0, done: 0, more: false, pending: [] };

const moment = (clock: Clock, due: Date, now: Date): Date => (clock === 'DUE' && due < now ? due : now);
const isStockMatter = (work: UnitOfWork): boolean =>
  work.settings.inventory.whenNoneAvailable !== 'ALLOW_ORDER' || work.settings.inventory.whenSomeAvailable !== 'ALLOW_ORDER';

async function claim(context: EngineContext, query: ReturnType<typeof sql<{ id: number }>>): Promise<{ ids: number[]; claimed: number }> {
  const { rows } = await query.execute(context.trx);
  return { ids: [...new Set(rows.map(row => row.id))], claimed: rows.length };
}

/**
 * Whether no order of the contract `c` is being charged: until that is answered nothing else of it
 * is placed, and a pause that ends goes on.
 */
const notBeingCharged = (storeId: number): RawBuilder<unknown> =>
  sql`not exists (select 1 from orders o where o.store_id = ${storeId}::integer and o.status = 'PROCESSING' and o.contract_id = c.id)`;

/**
 * Places the orders of contracts that are due (or of one of them). Contracts that another worker holds are left to it;
 * one with a charge under way waits for it.
 */
export async function placeDue(context: EngineContext, limit: number, clock: Clock, only: number | null = null): Promise<Batch> {
  const now = context.now();
  const { ids, claimed } = await claim(
    context,
    sql<{ id: number }>`
    select c.id from contracts c
    where c.store_id = ${context.storeId}::integer and c.status = 'ACTIVE' and c.next_billing_at <= ${now} and (${only}::bigint is null
      or c.id = ${only}::bigint)
      and ${notBeingCharged(context.storeId)}
    order by c.next_billing_at, c.id limit ${limit} for update of c skip locked`,
  );
  if (claimed === 0) return NOTHING;
  const work = await UnitOfWork.open(context);
  const due = await work.load(ids);
  await prepare(work, due);
  const pending: PendingCharge[] = [];
  let done = 0;
  for (const subscription of due.sort(
    (x, y) => (x.contract.next_billing_at?.getTime() ?? 0) - (y.contract.next_billing_at?.getTime() ?? 0),
  )) {
    // Another worker may have placed an order between the look of the statement and its lock; only what is read under the lock counts.
    if (isBeingCharged(subscription)) continue;
    const planned = nextPlanned(subscription, work.zone);
    if (!planned || planned.billingAt > now.getTime()) {
      // The date of its next order was not that of its schedule. Now it is, which counts: those behind it get their turn in the same run.
      syncSchedule(subscription, work.zone);
      if (!isPast(subscription, now)) done++;
      continue;
    }
    done++;
    work.at = moment(clock, new Date(planned.billingAt), now);
    const charge = placeOrder(work, subscription, planned, 'SCHEDULED');
    if (charge) pending.push(charge);
  }
  await work.flush();
  return {
    claimed,
    done,
    more: claimed >= limit || due.some(subscription => isPast(subscription, now)),
    pending,
  };
}

/** Whether a contract's next order is due. */
const isPast = ({ contract }: Aggregate, now: Date): boolean =>
  contract.status === 'ACTIVE' && contract.next_billing_at !== null && contract.next_billing_at <= now;

async function prepare(work: UnitOfWork, due: readonly Aggregate[]): Promise<void> {
  await work.loadVariants(due, isStockMatter(work));
  await work.reserveAttemptIds(due.length * 2);
}

/** Tries failed orders again whose retry is due (or those of one contract), and looks whether there is stock for those that wait. */
export async function placeRetries(context: EngineContext, limit: number, clock: Clock, only: number | null = null): Promise<Batch> {
  const now = context.now();
  const { ids, claimed } = await claim(
    context,
    sql<{ id: number }>`
    select c.id from orders o join contracts c on c.store_id = o.store_id and c.id = o.contract_id
    where o.store_id = ${context.storeId}::integer and o.next_retry_at <= ${now} and (${only}::bigint is null or c.id = ${only}::bigint)
    order by o.next_retry_at, o.id limit ${limit} for update of c skip locked`,
  );
  if (claimed === 0) return NOTHING;
  const work = await UnitOfWork.open(context);
  const due = await work.load(ids);
  const orders = due.flatMap(subscription =>
    subscription.orders.filter(order => order.next_retry_at !== null && order.next_retry_at <= now).map(order => ({ subscription, order })),
  );
  await work.loadVariants(due, isStockMatter(work));
  await work.reserveAttemptIds(orders.length * 2);
  const pending: PendingCharge[] = [];
  let done = 0;
  for (const { subscription, order } of orders.sort(
    (x, y) => (x.order.next_retry_at as Date).getTime() - (y.order.next_retry_at as Date).getTime(),
  )) {
    work.at = subscription.at = moment(clock, order.next_retry_at as Date, now);
    const charge = tryAgain(work, subscription, order);
    if (charge) pending.push(charge);
    if (order.status === 'PROCESSING' || order.next_retry_at === null || order.next_retry_at > now) done++;
  }
  await work.flush();
  // A charge dated in the past may be refused and due again by now.
  const isDueAgain =
    (clock === 'DUE' && pending.length > 0) || orders.some(({ order }) => order.next_retry_at !== null && order.next_retry_at <= now);
  return { claimed, done, more: claimed >= limit || isDueAgain, pending };
}

function tryAgain(work: UnitOfWork, subscription: Aggregate, order: OrderRow): PendingCharge | null {
  const verdict = mayTry({
    isOrderPaid: order.status === 'PAID',
    contractStatus: subscription.contract.status as Parameters<typeof mayTry>[0]['contractStatus'],
    isTryRunning: isBeingCharged(subscription),
  });
  if (verdict === 'WAIT' && subscription.contract.status === 'ACTIVE') return null;
  if (verdict !== 'GO') {
    order.next_retry_at = null;
    return null;
  }
  return placeOrder(work, subscription, plannedFrom(order), retryOf(order)?.kind === 'STOCK' ? 'SCHEDULED' : 'RETRY');
}

/** Resumes pauses whose time is over; the first order is due at that time. One with a charge under way waits until it is answered. */
export async function resumeDue(context: EngineContext, limit: number, clock: Clock): Promise<Batch> {
  const now = context.now();
  const { ids, claimed } = await claim(
    context,
    sql<{ id: number }>`
    select c.id from contracts c where c.store_id = ${context.storeId}::integer and c.resume_at <= ${now} and c.status = 'PAUSED'
      and ${notBeingCharged(context.storeId)}
    order by c.resume_at, c.id limit ${limit} for update of c skip locked`,
  );
  if (claimed === 0) return NOTHING;
  const work = await UnitOfWork.open(context);
  let done = 0;
  for (const subscription of await work.load(ids)) {
    const at = subscription.contract.resume_at;
    if (!at || isBeingCharged(subscription)) continue;
    done++;
    work.at = subscription.at = moment(clock, at, now);
    resume(work, subscription, at, true);
  }
  await work.flush();
  return { claimed, done, more: claimed >= limit, pending: [] };
}

/**
 * Charges that were written down and never answered, because the process died or the gateway could not be reached. They are looked up
 * before they are made again (charge.ts); those that a person has to look into are left out, and those that the provider is still
 * processing until they are looked up next. `olderThanMs` leaves alone what another process is likely to be working on.
 */
export function unsettled(context: EngineContext, limit: number, olderThanMs: number): Promise<PendingCharge[]> {
  const before = new Date(context.now().getTime() - olderThanMs);
  return withoutAnswer(context, sql`(o.updated_at <= ${before} or ${olderThanMs === 0}) order by t.id limit ${limit}`);
}

/** The same for orders that are named. */
export const unsettledOf = (context: EngineContext, orderIds: readonly number[]): Promise<PendingCharge[]> =>
  withoutAnswer(context, sql`o.id = any(${orderIds}::bigint[]) order by t.id`);

async function withoutAnswer(context: EngineContext, which: RawBuilder<unknown>): Promise<PendingCharge[]> {
  const { rows } = await sql<{
    id: number;
    order_id: number;
    contract_id: number;
    idempotency_key: string;
    amount: number;
    currency_code: string;
    created_at: Date;
    look_up_at: Date | null;
    gateway: GatewayName;
    token: string | null;
  }>`
    select t.id, t.order_id, t.contract_id, t.idempotency_key, t.gateway, t.amount, t.currency_code, t.created_at, t.look_up_at,
      m.gateway_token as token
    from orders o join billing_attempts t on t.store_id = o.store_id and t.order_id = o.id and not t.ready
    left join payment_methods m on m.store_id = t.store_id and m.id = t.payment_method_id
    where o.store_id = ${context.storeId}::integer and o.status = 'PROCESSING' and o.unclear_since is null
      and (t.look_up_at is null or t.look_up_at <= ${context.now()}) and ${which}`.execute(context.trx);
  return rows.map(row => ({
    contractId: row.contract_id,
    orderId: row.order_id,
    attemptId: row.id,
    firstAskedMs: context.now().getTime() - row.created_at.getTime(),
    isProcessing: row.look_up_at !== null,
    charge: {
      storeId: context.storeId,
      key: row.idempotency_key,
      gateway: row.gateway,
      token: row.token ?? '',
      amount: row.amount,
      currency: row.currency_code,
      at: row.created_at,
    },
  }));
}

/** What a store has to do, each with the instant at which the first of its kind is due (null: none ahead). */
export interface Agenda {
  orders: Date | null;
  retries: Date | null;
  pauses: Date | null;
  /** Whether charges are without an answer. */
  isCharging: boolean;
}

/**
 * Looks, in one statement and without locking anything, what a store has to do. Every step claims its
 * contracts by itself, so this may be out of date.
 */
export async function agendaOf({ trx, storeId }: EngineContext): Promise<Agenda> {
  const { rows } = await sql<Agenda>`
    select (select min(next_billing_at) from contracts where store_id = ${storeId}::integer and status = 'ACTIVE'
      and next_billing_at is not null) as orders,
      (select min(next_retry_at) from orders where store_id = ${storeId}::integer and next_retry_at is not null) as retries,
      (select min(c.resume_at) from contracts c where c.store_id = ${storeId}::integer and c.resume_at is not null and c.status = 'PAUSED'
        and ${notBeingCharged(storeId)}) as pauses,
      exists (select 1 from orders where store_id = ${storeId}::integer and status = 'PROCESSING' and unclear_since is null)
        as "isCharging"`.execute(trx);
  return rows[0] ?? { orders: null, retries: null, pauses: null, isCharging: false };
}

/** When the first thing of an agenda is due; null when nothing is. */
export function firstOf({ orders, retries, pauses }: Agenda): Date | null {
  const dates = [orders, retries, pauses].flatMap(date => (date ? [date.getTime()] : []));
  return dates.length ? new Date(Math.min(...dates)) : null;
}

/** Ids of contracts with an order or a retry due, oldest first, to do them one by one when a batch failed. */
export async function contractsDue(context: EngineContext, step: 'ORDERS' | 'RETRIES', limit: number): Promise<number[]> {
  const now = context.now();
  const { rows } = await (
    step === 'ORDERS'
      ? sql<{
          id: number;
        }>`select id from contracts where store_id = ${context.storeId}::integer and status = 'ACTIVE' and next_billing_at <= ${now}
          order by next_billing_at, id limit ${limit}`
      : sql<{
          id: number;
        }>`select contract_id as id from orders where store_id = ${context.storeId}::integer and next_retry_at <= ${now}
          order by next_retry_at, id limit ${limit}`
  ).execute(context.trx);
  return [...new Set(rows.map(row => row.id))];
}

/**
 * A contract that can't be worked on keeps no other waiting: it is looked at again in an hour, and since when is kept for the alert
 * center. Its schedule stays as it is.
 */
export async function putOff(context: EngineContext, step: 'ORDERS' | 'RETRIES', contractId: number): Promise<void> {
  const later = new Date(context.now().getTime() + 3_600_000);
  await (
    step === 'ORDERS'
      ? sql`with due as (select store_id, id, next_billing_at from contracts where store_id = ${context.storeId}::integer
        and id = ${contractId}::bigint and status = 'ACTIVE' for update),
        noted as (insert into contracts_put_off as p (store_id, contract_id, since, until) select store_id, id, next_billing_at, ${later}
          from due where next_billing_at is not null
          on conflict (store_id, contract_id) do update set since = case when p.until = excluded.since then p.since
            else excluded.since end, until = excluded.until)
        update contracts c set next_billing_at = ${later} from due where c.store_id = due.store_id and c.id = due.id`
      : sql`update orders set next_retry_at = ${later} where store_id = ${context.storeId}::integer and contract_id = ${contractId}::bigint
        and next_retry_at <= ${context.now()}`
  ).execute(context.trx);
}
