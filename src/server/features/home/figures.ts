// Where the store stands and what a period brought, summed up from subscriptions and orders. Amounts
// are minor units of the store's currency.
import { sql, type Kysely } from 'kysely';
import type { IntervalUnit } from '../../../domain/calendar/interval.ts';
import { monthlyValue } from '../../../domain/money/metrics.ts';
import { toMinor } from '../../../domain/money/money.ts';
import type { Period } from '../../../domain/calendar/plain-days.ts';
import type { Tables } from '../../../generated/tables.ts';
import type { Store } from '../../platform/context.ts';
import { loadAggregates } from '../subscriptions/engine/aggregate.ts';
import { priceOrder } from '../subscriptions/engine/price.ts';
import { inStoreCurrency } from '../../platform/records/exchange-rates.ts';
import { beginOf, endOf } from '../../platform/records/store-days.ts';

type Trx = Kysely<Tables>;
const BATCH = 500;

const hasLastingDiscount = sql`exists (select from contract_discounts d where d.store_id = c.store_id and d.contract_id = c.id
    and d.order_limit is null and d.rejection_reason is null and d.target_type = 'LINE_ITEM')`;

/** Monthly recurring revenue of the active subscriptions: recurring lines after the discounts that have no end, shipping left out. */
export async function recurringRevenue(trx: Trx, store: Store): Promise<number> {
  const plain = await sql<{ currency_code: string; billing_interval: IntervalUnit; billing_interval_count: number; amount: number }>`
    select c.currency_code, c.billing_interval, c.billing_interval_count, sum(c.subtotal)::bigint as amount from contracts c
    where c.store_id = ${store.id}::integer and c.status = 'ACTIVE' and not ${hasLastingDiscount} group by 1, 2, 3`.execute(trx);
  let total = 0;
  for (const row of plain.rows)
    total += inStoreCurrency(store, monthlyValue(row.amount, row.billing_interval, row.billing_interval_count), row.currency_code);
  const lowered = await sql<{
    id: number;
  }>`select c.id from contracts c where c.store_id = ${store.id}::integer and c.status = 'ACTIVE' and ${hasLastingDiscount}`.execute(trx);
  const ids = lowered.rows.map(row => row.id);
  for (let i = 0; i < ids.length; i += BATCH) {
    for (const { contract, lines, discounts } of await loadAggregates(trx, store.id, ids.slice(i, i + BATCH), { lock: false })) {
      const priced = priceOrder(
        contract,
        discounts.filter(row => row.order_limit === null),
        {
          lines: lines.filter(line => !line.one_time_added),
          orderNumber: contract.completed_orders + 1,
          isPrepaidDelivery: false,
          prepaidShippingCharge: 'UPFRONT_ALL',
        },
      );
      const charge = priced.lines.reduce((sum, line) => sum + toMinor(line.discountedPrice, contract.currency_code), 0);
      total += inStoreCurrency(
        store,
        monthlyValue(charge, contract.billing_interval as IntervalUnit, contract.billing_interval_count),
        contract.currency_code,
      );
    }
  }
  return total;
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
