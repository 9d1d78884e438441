// Three groups of subscriptions worth a look before they are lost. Each answers how many there are, what they
// bring in a month, and the first of them.
import { sql, type RawBuilder } from 'kysely';
import { dayOf } from '../../../../domain/calendar/calendar.ts';
import type { IntervalUnit } from '../../../../domain/calendar/interval.ts';
import { monthlyValue } from '../../../../domain/money/metrics.ts';
import { toDecimal } from '../../../../domain/money/money.ts';
import type { JsonValue } from '../../../../contract/types.ts';
import type { Context } from '../../../platform/context.ts';
import { inStoreCurrency } from '../../../platform/records/exchange-rates.ts';
import { maskPersonalData } from '../../../platform/auth/personal-data.ts';

/** Rows that an answer holds at most; `count` and `lostMrr` are of all. */
const MAX_ROWS = 250;

interface Sum {
  currency_code: string;
  billing_interval: IntervalUnit;
  billing_interval_count: number;
  n: number;
  amount: number;
}
interface Row {
  id: number;
  shopify_id: number;
  status: string;
  customer_id: number;
  customer_name: string;
  customer_email: string;
  frequency: string;
  subtotal: number;
  currency_code: string;
  billing_interval: IntervalUnit;
  billing_interval_count: number;
  next_billing_at: Date | null;
  paused_at: Date | null;
  last_payment_category: string | null;
}

async function answer(context: Context, where: RawBuilder<unknown>, from = sql`contracts c`): Promise<JsonValue> {
  const { trx, storeId, store } = context;
  const which = sql`${from} where c.store_id = ${storeId}::integer and ${where}`;
  const sums =
    await sql<Sum>`select c.currency_code, c.billing_interval, c.billing_interval_count, count(*) as n, sum(c.subtotal)::bigint as amount
        from ${which} group by 1, 2, 3`.execute(trx);
  const { rows } = await sql<Row>`
    select c.id, c.shopify_id, c.status, c.customer_id, c.customer_name, c.customer_email, c.frequency, c.subtotal, c.currency_code,
      c.billing_interval, c.billing_interval_count, c.next_billing_at, c.paused_at, c.last_payment_category
    from ${which} order by c.id limit ${MAX_ROWS}`.execute(trx);
  const mrr = (amount: number, row: Pick<Sum, 'billing_interval' | 'billing_interval_count' | 'currency_code'>): number =>
    inStoreCurrency(store, monthlyValue(amount, row.billing_interval, row.billing_interval_count), row.currency_code);
  return {
    count: sums.rows.reduce((n, row) => n + Number(row.n), 0),
    currencyCode: store.currency_code,
    lostMrr: toDecimal(
      sums.rows.reduce((total, row) => total + mrr(Number(row.amount), row), 0),
      store.currency_code,
    ),
    rows: maskPersonalData(
      context,
      rows.map(row => ({
        subscriptionId: row.id,
        subscriptionShopifyId: row.shopify_id,
        status: row.status,
        customerId: row.customer_id,
        customerName: row.customer_name,
        customerEmail: row.customer_email,
        frequency: row.frequency,
        mrr: toDecimal(mrr(row.subtotal, row), store.currency_code),
        nextBillingDateEpoch: row.next_billing_at ? Math.floor(row.next_billing_at.getTime() / 1000) : null,
        pausedAt: row.paused_at?.toISOString() ?? null,
        lastError: row.last_payment_category,
      })),
    ),
  };
}

/** C366: active, and the method that is charged has expired: the last day of its month is over in the store. */
export function expiredMethods(context: Context): Promise<JsonValue> {
  const { year, month } = dayOf(context.now().getTime(), context.store.timezone);
  return answer(
    context,
    sql`c.status = 'ACTIVE' and m.expiry_year * 12 + m.expiry_month < ${year * 12 + month}::integer`,
    sql`contracts c join payment_methods m on m.store_id = c.store_id and m.id = c.payment_method_id`,
  );
}

/** C367: paused for longer than three of its billing cycles. */
export function longPauses(context: Context): Promise<JsonValue> {
  const step = sql`case c.billing_interval when 'DAY' then make_interval(days => 3 * c.billing_interval_count)
      when 'WEEK' then make_interval(weeks => 3 * c.billing_interval_count)
    when 'MONTH' then make_interval(months => 3 * c.billing_interval_count) else make_interval(years => 3 * c.billing_interval_count) end`;
  return answer(context, sql`c.status = 'PAUSED' and c.paused_at + ${step} < ${context.now()}`);
}

/** C368: active, and the last two orders were not paid: lost one after the other, or lost and now the next one in recovery. */
export function twiceFailed(context: Context): Promise<JsonValue> {
  return answer(
    context,
    sql`c.status = 'ACTIVE' and c.successive_failed_cycles > 0 and c.successive_failed_cycles + case
        when c.dunning ->> 'state' = 'IN_RECOVERY' then 1 else 0 end >= 2`,
  );
}
