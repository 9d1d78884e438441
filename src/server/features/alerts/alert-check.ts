// What a check of the alert centre is: when it is made, what it finds in a store's rows, and which rows those are.
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { IntervalUnit } from '../../../domain/calendar/interval.ts';
import { monthlyValue } from '../../../domain/money/metrics.ts';
import { toDecimal } from '../../../domain/money/money.ts';
import type { JsonObject, Plan } from '../../../contract/types.ts';
import type { Tables } from '../../../generated/tables.ts';
import type { Store } from '../../platform/context.ts';
import { inStoreCurrency } from '../../platform/records/exchange-rates.ts';
import { totalOf } from '../../platform/db/page-total.ts';

export type Severity = 'LOW' | 'MEDIUM' | 'HIGH' | 'CRITICAL';
/** What a check looks at: one store at one moment of its clock. The transaction is bound to the store. */
export interface Scope {
  trx: Kysely<Tables>;
  store: Store;
  now: Date;
  plans: readonly Plan[];
}

/**
 * What a check finds; a count of 0 is all well. `mrr` is minor units of the store's currency in a month; null where the matter has no such
 * figure.
 */
export interface Finding {
  count: number;
  summary: string;
  impact: { mrr: number | null; orders: number | null };
}
export const CLEAN: Finding = { count: 0, summary: '', impact: { mrr: null, orders: null } };

export interface Window {
  limit: number;
  offset: number;
}
/** Affected rows as the wire has them (schemas/entities/alert-row.json), in a fixed order. */
export interface Affected {
  rows: JsonObject[];
  total: number;
}

export interface RecommendedAction {
  label: string;
  kind: 'IN_PLACE' | 'LINK' | 'REPORT' | 'BULK_ACTION';
  /** A page of the admin, or for what is done in place the call that does it. */
  target: string;
  /** What it does, in a sentence. */
  text: string;
}

export interface Check {
  key: string;
  title: string;
  category: string;
  severity: Severity;
  /** What is watched, in a sentence. */
  watches: string;
  /** Payments and orders are looked at every hour, the rest once a day. */
  every: 'HOUR' | 'DAY';
  /** What the affected rows are. */
  entityType: 'flow' | 'subscription' | 'order' | 'variant' | 'selling-plan-group' | 'collection' | 'shipping-profile' | 'store';
  action: RecommendedAction;
  /**
   * Fields of its rows, besides the customer's name and address, that say something about a person: only who may see subscriptions gets
   * them.
   */
  personal?: readonly string[];
  /** Fields of its rows that say which card it is, or when it expires: only who may see payment details gets them. */
  ofCards?: readonly string[];
  find(scope: Scope): Promise<Finding>;
  /** The rows behind the count; none for what concerns the store as a whole. */
  rows(scope: Scope, window: Window): Promise<Affected>;
}

export const NONE: Affected = { rows: [], total: 0 };
/** "1 subscription", "2 subscriptions". */
export const counted = (n: number, one: string, many = `${one}s`): string => `${n.toLocaleString('en-US')} ${n === 1 ? one : many}`;

/**
 * Subscriptions that a check hits, as SQL: one row for each, with contract_id, and for the list of them label (what is wrong with it, or
 * the product it
 * is about), reason, at, perhaps order_id, and amount (minor units in the currency of the subscription): what is unpaid, null where it is
 * the next order.
 */
export type Hits = RawBuilder<unknown>;

const DAYS_AHEAD = 30;

/** How many rows a `from …` finds. */
export async function countOf({ trx }: Scope, from: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n ${from}`.execute(trx);
  return rows[0]?.n ?? 0;
}

/** How a check counts rows that have no figures: where they come from, what it says of them, and each of them on the wire. */
interface Counting<Row> {
  from(scope: Scope): RawBuilder<unknown>;
  /** Of each row, and in which order. */
  columns: RawBuilder<unknown>;
  order: RawBuilder<unknown>;
  says(count: number): string;
  row(row: Row): JsonObject;
}
export const counting = <Row>({ from, columns, order, says, row }: Counting<Row>): Pick<Check, 'find' | 'rows'> => ({
  async find(scope) {
    const count = await countOf(scope, from(scope));
    return count === 0 ? CLEAN : { count, summary: says(count), impact: { mrr: null, orders: null } };
  },
  async rows(scope, { limit, offset }) {
    const { rows } = await sql<Row & { all: number }>`select ${columns}, count(*) over () as all ${from(scope)}
      order by ${order} limit ${limit} offset ${offset}`.execute(scope.trx);
    return { total: await totalOf(rows[0]?.all, offset, () => countOf(scope, from(scope))), rows: rows.map(row) };
  },
});

/** How many subscriptions a check hits, what they are worth in a month, and how many of their next orders come within 30 days. */
export async function weigh({ trx, store, now }: Scope, hits: Hits): Promise<{ count: number; mrr: number; orders: number }> {
  const { rows } = await sql<{
    currency_code: string;
    billing_interval: IntervalUnit;
    billing_interval_count: number;
    n: number;
    orders: number;
    amount: number;
  }>`
    select c.currency_code, c.billing_interval, c.billing_interval_count, count(*) as n, count(*) filter (where c.next_billing_at <
      ${now}::timestamptz + make_interval(days => ${DAYS_AHEAD}::integer)) as orders, sum(c.subtotal)::bigint as amount
    from (${hits}) h join contracts c on c.store_id = ${store.id}::integer and c.id = h.contract_id group by 1, 2, 3`.execute(trx);
  const sums = { count: 0, mrr: 0, orders: 0 };
  for (const row of rows) {
    sums.count += row.n;
    sums.orders += row.orders;
    sums.mrr += inStoreCurrency(store, monthlyValue(row.amount, row.billing_interval, row.billing_interval_count), row.currency_code);
  }
  return sums;
}

/** The hit subscriptions with their customers, the ones due first at the top. */
export async function contractRows(scope: Scope, hits: Hits, { limit, offset }: Window): Promise<Affected> {
  const { trx, store } = scope;
  const from = sql`from (${hits}) h join contracts c on c.store_id = ${store.id}::integer and c.id = h.contract_id`;
  const { rows } = await sql<{
    id: number;
    customer_name: string;
    customer_email: string;
    total: number;
    currency_code: string;
    next_billing_at: Date | null;
    label: string | null;
    reason: string | null;
    at: Date | null;
    order_id: number | null;
    all: number;
  }>`
    select c.id, (to_jsonb(h) ->> 'order_id')::bigint as order_id, c.customer_name, c.customer_email, coalesce(h.amount, c.total) as total,
      c.currency_code, c.next_billing_at, h.label, h.reason, h.at, count(*) over () as all
    ${from} order by c.next_billing_at nulls last, c.id limit ${limit} offset ${offset}`.execute(trx);
  return {
    total: await totalOf(rows[0]?.all, offset, () => countOf(scope, from)),
    rows: rows.map(row => ({
      id: String(row.id),
      contractId: row.id,
      ...(row.order_id === null ? {} : { orderId: row.order_id }),
      customerName: row.customer_name,
      customerEmail: row.customer_email,
      amount: toDecimal(row.total, row.currency_code),
      currencyCode: row.currency_code,
      nextBillingAt: row.next_billing_at?.toISOString() ?? null,
      label: row.label,
      reason: row.reason,
      at: row.at?.toISOString() ?? null,
    })),
  };
}
