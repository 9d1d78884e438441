// Where the store stands and what a period brought, summed up from subscriptions and orders. Amounts
// are minor units of the store's currency.
import { sql, type Kysely } from 'kysely';
import type { Period } from '../../../domain/calendar/plain-days.ts';
import type { Tables } from '../../../generated/tables.ts';
import type { Context, Store } from '../../platform/context.ts';
import { evaluate, type Figure } from '../../platform/analytics/evaluate.ts';
import { countedAt } from '../../platform/analytics/facts-sql.ts';
import type { Asking } from '../../platform/analytics/measure.ts';
import type { Metric } from '../../../contract/types.ts';
import { inStoreCurrency } from '../../platform/records/exchange-rates.ts';
import { beginOf, endOf } from '../../platform/records/store-days.ts';

type Trx = Kysely<Tables>;
type Asked = Pick<Context, 'trx' | 'store' | 'definitions' | 'now'>;

/** Monthly recurring revenue of the active subscriptions: the metric `mrr` of schemas/metrics. */
export async function recurringRevenue({ trx, store, definitions, now }: Asked): Promise<number> {
  return (await whole({ trx, store, filters: {}, now: now() }, definitions, ['mrr'], { startDate: '', endDate: '' }))[0] ?? 0;
}
/** Metrics of schemas/metrics for a whole period, in the order of their names. */
async function whole(asking: Asking, { metrics }: Context['definitions'], names: readonly string[], period: Period): Promise<Figure[]> {
  const { groups } = await evaluate(
    asking,
    names.map(name => metrics[name] as Metric),
    period,
  );
  return groups.get('[]') ?? [];
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
 * another currency counts by the rate of its day, which the order keeps.
 */
export async function earned(trx: Trx, store: Store, { startDate, endDate }: Period): Promise<Earned> {
  const { rows } = await sql<{ day: string; is_checkout: boolean; n: number; amount: number }>`
    select to_char(${countedAt('o')} at time zone ${store.timezone}::text, 'YYYY-MM-DD') as day,
      o.order_type = 'CHECKOUT' as is_checkout, count(*) as n,
      sum(booked(o.total, o.currency_code, o.rate, ${store.currency_code}::text))::bigint as amount
    from orders o where o.store_id = ${store.id}::integer and o.status = 'PAID' and not o.is_prepaid_delivery
      and ${countedAt('o')} >= ${beginOf(store, startDate)}
      and ${countedAt('o')} < ${endOf(store, endDate)} group by 1, 2`.execute(trx);
  const sums: Earned = { orders: 0, checkout: 0, recurring: 0, byDay: new Map() };
  for (const row of rows) {
    sums.orders += row.n;
    sums[row.is_checkout ? 'checkout' : 'recurring'] += row.amount;
    sums.byDay.set(row.day, (sums.byDay.get(row.day) ?? 0) + row.amount);
  }
  return sums;
}

export interface Movement {
  begun: number;
  cancelled: number;
  /** In percent; null where there is nothing to divide by. */
  churnRate: number | null;
}

/** Subscriptions that began and that were cancelled in a period, and the rate of churn: the metrics of the pages of analytics. */
export async function movement({ trx, store, definitions, now }: Asked, period: Period): Promise<Movement> {
  const [begun, cancelled, churn] = await whole(
    { trx, store, filters: {}, now: now() },
    definitions,
    ['new-subscriptions', 'cancelled-subscriptions', 'churn-rate'],
    period,
  );
  return { begun: begun ?? 0, cancelled: cancelled ?? 0, churnRate: churn ?? null };
}
