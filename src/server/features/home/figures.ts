// Where the store stands and what a period brought, summed up from subscriptions and orders. Amounts
// are minor units of the store's currency.
import { sql, type Kysely } from 'kysely';
import type { Period } from '../../../domain/calendar/plain-days.ts';
import type { Tables } from '../../../generated/tables.ts';
import type { Store } from '../../platform/context.ts';
import { measure } from '../../platform/analytics/measure.ts';
import { inStoreCurrency } from '../../platform/records/exchange-rates.ts';
import { beginOf, endOf } from '../../platform/records/store-days.ts';

type Trx = Kysely<Tables>;

const MRR = { fact: 'subscription_now', measure: 'mrr', when: { status: ['ACTIVE'] }, minus: false, at: 'end' } as const;
/** Monthly recurring revenue of the active subscriptions: the metric `mrr` of schemas/metrics. */
export async function recurringRevenue(trx: Trx, store: Store, now: Date): Promise<number> {
  const [all] = await measure({ trx, store, filters: {}, now }, [MRR], { startDate: '', endDate: '' });
  return all?.sums[0] ?? 0;
}

export interface Standing {
  activeSubscriptions: number;
  pausedSubscriptions: number;
  activeSubscribers: number;
  inRecovery: { count: number; value: number };
}

/** Subscriptions and subscribers now, and what failed payments of running retries are worth. */
export async function standing(trx: Trx, store: Pick<Store, 'id' | 'currency_code' | 'details'>): Promise<Standing> {
  const {
    rows: [now],
  } = await sql<{ active: number; paused: number; subscribers: number }>`
    select count(*) filter (where status = 'ACTIVE') as active, count(*) filter (where status = 'PAUSED') as paused,
      count(distinct customer_id) filter (where status = 'ACTIVE') as subscribers
    from contracts where store_id = ${store.id}::integer and status in ('ACTIVE', 'PAUSED')`.execute(trx);
  const open = await sql<{ currency_code: string; n: number; amount: number }>`
    select o.currency_code, count(*) as n, sum(case when c.dunning ->> 'state' = 'IN_RECOVERY'
      and (c.dunning ->> 'orderId')::bigint = o.id then coalesce(c.next_charge, o.total) else o.total end)::bigint as amount
    from orders o join contracts c on c.store_id = o.store_id and c.id = o.contract_id
    where o.store_id = ${store.id}::integer and o.next_retry_at is not null and o.status = 'FAILED' group by 1`.execute(trx);
  return {
    activeSubscriptions: now?.active ?? 0,
    pausedSubscriptions: now?.paused ?? 0,
    activeSubscribers: now?.subscribers ?? 0,
    inRecovery: {
      count: open.rows.reduce((sum, row) => sum + row.n, 0),
      value: open.rows.reduce((sum, row) => sum + inStoreCurrency(store, row.amount, row.currency_code), 0),
    },
  };
}

export interface Earned {
  orders: number;
  checkout: number;
  recurring: number;
  byDay: Map<string, number>;
}

/**
 * Paid orders of a period by the day they were paid: first orders (checkout) and renewals, with shipping and after discounts. An amount in
 * another currency counts by the rate of its day, which the order keeps in US dollars.
 */
export async function earned(trx: Trx, store: Store, { startDate, endDate }: Period): Promise<Earned> {
  const { rows } = await sql<{ day: string; is_checkout: boolean; is_own: boolean; n: number; amount: number }>`
    select to_char(o.billing_at at time zone ${store.timezone}::text, 'YYYY-MM-DD') as day, o.order_type = 'CHECKOUT' as is_checkout,
      o.currency_code = ${store.currency_code} as is_own,
      count(*) as n, sum(case when o.currency_code = ${store.currency_code} then o.total else o.total_usd end)::bigint as amount
    from orders o where o.store_id = ${store.id}::integer and o.status = 'PAID' and not o.is_prepaid_delivery
      and o.billing_at >= ${beginOf(store, startDate)} and o.billing_at < ${endOf(store, endDate)} group by 1, 2, 3`.execute(trx);
  const sums: Earned = { orders: 0, checkout: 0, recurring: 0, byDay: new Map() };
  const usd = { checkout: 0, recurring: 0 };
  for (const row of rows) {
    const amount = row.is_own ? row.amount : inStoreCurrency(store, row.amount, 'USD');
    sums.orders += row.n;
    const kind = row.is_checkout ? 'checkout' : 'recurring';
    if (row.is_own) sums[kind] += row.amount;
    else usd[kind] += row.amount;
    sums.byDay.set(row.day, (sums.byDay.get(row.day) ?? 0) + amount);
  }
  // A sum is converted once, not once for each of its days.
  for (const kind of ['checkout', 'recurring'] as const) sums[kind] += inStoreCurrency(store, usd[kind], 'USD');
  return sums;
}

export interface Movement {
  begun: number;
  cancelled: number;
  atStart: number;
}

/**
 * Subscriptions that began and that were cancelled in a period, and those that were running when it began.
 * Ones that ended by themselves are no churn.
 */
export async function movement(trx: Trx, store: Store, { startDate, endDate }: Period): Promise<Movement> {
  const start = beginOf(store, startDate),
    end = endOf(store, endDate);
  const {
    rows: [row],
  } = await sql<{ begun: number; cancelled: number; at_start: number }>`
    select count(*) filter (where created_at >= ${start} and created_at < ${end}) as begun,
      count(*) filter (where status = 'CANCELLED' and cancelled_at >= ${start} and cancelled_at < ${end}) as cancelled,
      count(*) filter (where created_at < ${start} and (status <> 'CANCELLED' or cancelled_at >= ${start}) and (status <> 'EXPIRED'
        or expired_at >= ${start})) as at_start
    from contracts where store_id = ${store.id}::integer`.execute(trx);
  return { begun: row?.begun ?? 0, cancelled: row?.cancelled ?? 0, atStart: row?.at_start ?? 0 };
}
