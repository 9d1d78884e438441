// The facts of src/domain/analytics/facts.ts in SQL: `m` is the fact's own row, `c` its subscription: of what happened, as it was then (a
// span), of what there is now, as it is.
import { sql, type RawBuilder } from 'kysely';
import type { Store } from '../context.ts';

type Sql = RawBuilder<unknown>;
export interface FactSql {
  /** What stands behind `from`; with the subscription `c` where the fact is about one, unless it has `then`. */
  from: Sql;
  /** Of rows that always have a subscription: the moment at which it is meant. It is joined where something of it is asked for (`asOf`). */
  then?: Sql;
  where: Sql;
  /** When it happened. */
  at: Sql;
  /** The day of the store on which it happened, where the rows have it; else it follows from `at`. */
  day?: Sql;
  /** The day of the store on which its subscription began, where the rows have it. */
  began?: Sql;
  /** Money in minor units of the store's currency. */
  measures: Readonly<Record<string, { value: Sql }>>;
  columns: Readonly<Record<string, Sql>>;
  /** Whom and what a row is about, for lists of the rows behind a figure. */
  row: RowSql;
}
export interface RowSql {
  contract?: Sql;
  customer: Sql;
  order?: Sql;
  /** The column that says in a word what a row is. */
  what?: string;
}
export type FactStore = Pick<Store, 'id' | 'timezone' | 'currency_code' | 'details'>;

/** What every subscription can be split by; plans and products are lists, which `splitOf` opens. */
export const OF_SUBSCRIPTION: Readonly<Record<string, Sql>> = {
  country: sql`c.country_code`,
  frequency: sql`c.frequency`,
  currency: sql`c.currency_code`,
  origin: sql`c.source`,
  planType: sql`case when c.is_prepaid then 'PREPAID' else 'STANDARD' end`,
  subscriberType: sql`case when c.is_returning then 'RETURNING' else 'FIRST' end`,
};
const OF_CONTRACT: Readonly<Record<string, Sql>> = {
  ...OF_SUBSCRIPTION,
  orderNumber: sql`c.completed_orders`,
  status: sql`c.status`,
};

/** Joins to rows `m` their subscription as it was at a moment. */
export const asOf = (store: FactStore, at: Sql): Sql => sql`join contract_spans c on c.store_id = ${store.id}::integer
  and c.contract_id = m.contract_id and c.from_at <= ${at} and c.until_at > ${at}`;
/** Rows that name their subscription, which names its customer. */
const ofContract = (more: Partial<RowSql> = {}): RowSql => ({ contract: sql`m.contract_id`, customer: sql`c.customer_id`, ...more });

const contractNow = ({ id }: FactStore): FactSql => ({
  from: sql`contracts c`,
  where: sql`c.store_id = ${id}::integer`,
  at: sql`c.created_at`,
  measures: {
    count: { value: sql`1` },
    customers: { value: sql`c.customer_id` },
    orders: { value: sql`c.completed_orders` },
  },
  columns: OF_CONTRACT,
  row: ofContract({ contract: sql`c.id`, what: 'status' }),
});

/** Customers with an active subscription; `narrow` leaves some of them out. */
const subscriberNow = ({ id }: FactStore, narrow: Sql): FactSql => ({
  from: sql`(select distinct c.customer_id from contracts c where c.store_id = ${id}::integer and c.status = 'ACTIVE' and ${narrow}) m`,
  where: sql`true`,
  at: sql`now()`,
  measures: { count: { value: sql`1` } },
  columns: {},
  row: { customer: sql`m.customer_id` },
});

/**
 * An amount of a row by the rate that the row keeps of its day, in whole minor units: so the rows behind a figure add up to it. Most rows
 * need no rate, and the database is not asked to convert them.
 */
const inOwn = ({ currency_code: own }: FactStore, amount: Sql): Sql =>
  sql`case when m.currency_code = ${own}::text then ${amount} else converted(${amount}, m.currency_code, m.rate, ${own}::text) end`;

/**
 * When an order counts: money belongs to the day on which it was paid; what was never paid to the day on which it was due. As the index
 * `orders_counted` has it. `order`: what orders are called in the query, a word of ours.
 */
export const countedAt = (order: 'm' | 'o'): Sql =>
  sql.raw(`(case when ${order}.processed_at is null then ${order}.billing_at else ${order}.processed_at end)`);
const PAID_OR_DUE = countedAt('m');
const order = (store: FactStore): FactSql => ({
  from: sql`orders m`,
  then: PAID_OR_DUE,
  where: sql`m.store_id = ${store.id}::integer and m.status <> 'SCHEDULED'`,
  at: PAID_OR_DUE,
  measures: {
    count: { value: sql`1` },
    customers: { value: sql`m.customer_id` },
    subscriptions: { value: sql`m.contract_id` },
    revenue: { value: inOwn(store, sql`m.total`) },
  },
  columns: {
    ...OF_SUBSCRIPTION,
    status: sql`m.status`,
    type: sql`m.order_type`,
    isPaidAhead: sql`m.is_prepaid_delivery`,
    skipReason: sql`coalesce(m.skip_reason, '')`,
    orderNumber: sql`m.order_number`,
  },
  row: ofContract({ order: sql`m.id`, what: 'type' }),
});

const orderLine = (store: FactStore): FactSql => {
  // After discounts of its line and of the order.
  const paid = sql`coalesce(l.line ->> 'discountedPrice', l.line ->> 'total')::numeric`;
  const amount = sql`round(${paid} * 10::numeric ^ minor_digits(m.currency_code))::bigint`;
  return {
    from: sql`orders m cross join lateral jsonb_array_elements(m.lines) as l(line)`,
    then: PAID_OR_DUE,
    where: sql`m.store_id = ${store.id}::integer and m.status = 'PAID' and not m.is_prepaid_delivery`,
    at: PAID_OR_DUE,
    measures: {
      count: { value: sql`1` },
      orders: { value: sql`m.id` },
      quantity: { value: sql`(l.line ->> 'quantity')::integer` },
      revenue: { value: inOwn(store, amount) },
    },
    columns: {
      ...OF_SUBSCRIPTION,
      type: sql`m.order_type`,
      product: sql`(l.line ->> 'productId')::bigint`,
      variant: sql`(l.line ->> 'variantId')::bigint`,
    },
    row: ofContract({ order: sql`m.id`, what: 'variant' }),
  };
};

/** Products of active subscriptions. */
const subscriptionLine = ({ id }: FactStore): FactSql => ({
  from: sql`contract_lines m join contracts c on c.store_id = m.store_id and c.id = m.contract_id`,
  where: sql`m.store_id = ${id}::integer and not m.one_time_added and c.status = 'ACTIVE'`,
  at: sql`c.created_at`,
  measures: {
    count: { value: sql`1` },
    subscriptions: { value: sql`m.contract_id` },
    quantity: { value: sql`m.quantity` },
  },
  columns: { ...OF_SUBSCRIPTION, product: sql`m.product_id`, variant: sql`m.variant_id` },
  row: ofContract({ what: 'variant' }),
});

const attempt = (store: FactStore): FactSql => ({
  from: sql`billing_attempts m`,
  then: sql`m.created_at`,
  where: sql`m.store_id = ${store.id}::integer and m.success is not null`,
  at: sql`m.created_at`,
  measures: { count: { value: sql`1` }, amount: { value: inOwn(store, sql`m.amount`) } },
  columns: {
    ...OF_SUBSCRIPTION,
    success: sql`m.success`,
    category: sql`coalesce(m.error_category, '')`,
    isBackup: sql`m.is_backup`,
    attemptNumber: sql`m.attempt_number`,
    brand: sql`coalesce(m.method_brand, m.method_type, '')`,
    provider: sql`coalesce(m.method_type, '')`,
  },
  row: ofContract({ order: sql`m.order_id`, what: 'category' }),
});

/**
 * An order by the day of its first attempt. PAID at once; RECOVERED later: by a retry, by hand or by the customer, or by the backup method;
 * OPEN while it is tried again; else LOST.
 */
const payment = (store: FactStore): FactSql => {
  const all = attempt(store);
  const { success: _success, isBackup: _backup, attemptNumber: _number, ...columns } = all.columns;
  return {
    ...all,
    from: sql`${all.from} left join orders o on o.store_id = m.store_id and o.id = m.order_id left join lateral (
      select t.is_backup, t.trigger from billing_attempts t where t.store_id = m.store_id and t.order_id = m.order_id and t.success
        and m.success is distinct from true limit 1) paid on true`,
    where: sql`m.store_id = ${store.id}::integer and m.attempt_number = 1`,
    columns: {
      ...columns,
      fate: sql`case when m.success then 'PAID' when o.status = 'PAID' then 'RECOVERED'
        when o.next_retry_at is not null or o.status = 'PROCESSING' then 'OPEN' else 'LOST' end`,
      recovery: sql`case when m.success or o.status is distinct from 'PAID' then '' when paid.is_backup then 'BACKUP'
        when paid.trigger in ('RETRY', 'SCHEDULED') then 'RETRY' else 'BY_HAND' end`,
    },
    row: { ...all.row, what: 'fate' },
  };
};

const event = (store: FactStore): FactSql => ({
  // What a bulk action did in one go stands in one entry.
  from: sql`(select e.contract_id, e.created_at, e.key from events e where e.store_id = ${store.id}::integer and e.contract_id is not null
      union all select e.contract_id, e.created_at, one ->> 'key' from events e
        cross join lateral jsonb_array_elements(e.data -> 'events') one
        where e.store_id = ${store.id}::integer and e.key = 'bulk_action_applied' and jsonb_typeof(e.data -> 'events') = 'array') m
    ${asOf(store, sql`m.created_at`)}`,
  where: sql`true`,
  at: sql`m.created_at`,
  measures: { count: { value: sql`1` }, customers: { value: sql`c.customer_id` } },
  columns: { ...OF_SUBSCRIPTION, event: sql`m.key` },
  row: ofContract({ what: 'event' }),
});

/** One that is left open for a day counts as one that stayed. */
const cancelAttempt = (store: FactStore, now: Date): FactSql => ({
  from: sql`cancellation_attempts m`,
  then: sql`m.started_at`,
  where: sql`m.store_id = ${store.id}::integer`,
  at: sql`m.started_at`,
  measures: { count: { value: sql`1` }, customers: { value: sql`m.customer_id` } },
  columns: {
    ...OF_SUBSCRIPTION,
    outcome: sql`case when m.outcome = 'OPEN' and m.started_at < ${now}::timestamptz - interval '1 day' then 'SAVED' else m.outcome end`,
    reason: sql`coalesce(m.reason, '')`,
    benefitOutcome: sql`coalesce(m.benefit_outcome, '')`,
    treatmentOutcome: sql`coalesce(m.treatment_outcome, '')`,
    offerOutcome: sql`coalesce(m.offer_outcome, '')`,
    orderNumber: sql`m.completed_orders`,
    benefit: sql`m.benefit_id`,
    offer: sql`m.offer_id`,
    benefitShown: sql`(m.benefit_id is not null)`,
    offerShown: sql`(m.offer_id is not null)`,
  },
  row: ofContract({ what: 'outcome' }),
});

/** Amounts are kept in the store's currency, by the rate of their day. */
const offerEvent = (store: FactStore): FactSql => ({
  from: sql`offer_events m ${asOf(store, sql`m.created_at`)}`,
  where: sql`m.store_id = ${store.id}::integer`,
  at: sql`m.created_at`,
  measures: {
    count: { value: sql`1` },
    customers: { value: sql`c.customer_id` },
    quantity: { value: sql`m.quantity` },
    revenue: { value: sql`m.value_after - m.value_before` },
    mrr: { value: sql`m.monthly_change` },
  },
  columns: {
    ...OF_SUBSCRIPTION,
    happened: sql`m.happened`,
    offerKind: sql`m.kind`,
    offerProfile: sql`m.profile_id`,
    isOnce: sql`m.is_once`,
    variant: sql`m.to_variant_id`,
  },
  row: ofContract({ what: 'offerKind' }),
});

/** A fact in the SQL of a store; `narrow` is a condition on the subscriptions `c` of a customer. */
export function factSql(name: string, store: FactStore, narrow: Sql, now: Date): FactSql {
  switch (name) {
    case 'subscription_now':
      return contractNow(store);
    case 'subscriber_now':
      return subscriberNow(store, narrow);
    case 'event':
      return event(store);
    case 'cancel_attempt':
      return cancelAttempt(store, now);
    case 'offer_event':
      return offerEvent(store);
    case 'order':
    case 'subscriber_order':
      return order(store);
    case 'order_line':
      return orderLine(store);
    case 'subscription_line':
      return subscriptionLine(store);
    case 'payment':
      return payment(store);
    case 'attempt':
      return attempt(store);
    default:
      throw new Error(`There is no fact "${name}".`);
  }
}
