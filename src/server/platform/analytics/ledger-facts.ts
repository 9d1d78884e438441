// What happened to subscriptions, out of the ledger of movements: `m` is a row of it, a line of a subscription in one change. Nothing is
// read of the subscription as it is now, so that days that are over have the figures that they had.
import { sql, type RawBuilder } from 'kysely';
import { addDays, type Period } from '../../../domain/calendar/plain-days.ts';
import type { FactSql, FactStore, RowSql } from './facts-sql.ts';

type Sql = RawBuilder<unknown>;

/** How the ledger is asked. */
export interface LedgerScope {
  /** Conditions on rows `m`, of the filters. */
  narrow: Sql;
  /**
   * Columns of lines by which rows are split, where they are; also `[]`, where lines are narrowed to some. Then a subscription counts once
   * for each group that a line of it is in. Undefined: lines play no part, and the first row of a change counts its subscription.
   */
  byLine: readonly string[] | undefined;
}

const ran = sql`coalesce(m.status_before in ('ACTIVE', 'PAUSED'), false)`;
const runs = sql`m.status_after in ('ACTIVE', 'PAUSED')`;
const reasonOf = (store: Sql): Sql =>
  sql`coalesce((select r.text from movement_reasons r where r.store_id = ${store} and r.id = m.reason_id), '')`;

/** What a row of the ledger can be split by. */
export const LEDGER_COLUMNS: Readonly<Record<string, Sql>> = {
  plan: sql`m.plan_group_id`,
  product: sql`m.product_id`,
  variant: sql`m.variant_id`,
  country: sql`m.country_code`,
  frequency: sql`m.frequency`,
  currency: sql`m.currency_code`,
  origin: sql`m.origin`,
  planType: sql`case when m.is_prepaid then 'PREPAID' else 'STANDARD' end`,
  subscriberType: sql`(select case when c.is_returning then 'RETURNING' else 'FIRST' end from contract_spans c
    where c.store_id = m.store_id and c.contract_id = m.contract_id and c.from_at = '-infinity')`,
  isGift: sql`(m.origin = 'GIFT')`,
  happened: sql`m.kind`,
  reason: reasonOf(sql`m.store_id`),
  cancelledBy: sql`m.source`,
  orderNumber: sql`m.completed_orders`,
  sameDay: sql`(m.day = m.began_on)`,
};
/** What lines of one subscription, or of one at different times, may differ in. */
const OF_LINES: ReadonlySet<string> = new Set(['plan', 'product', 'variant', 'country', 'frequency', 'planType']);
/** What the sums by day (`movement_days`) are split by as well. */
const OF_DAYS: ReadonlySet<string> = new Set(['origin', 'isGift']);
/**
 * Whether the sums by day can say it: nothing is narrowed, and nothing is split by or narrowed to what single movements alone know. They
 * are a few rows for each day, whatever happened on it.
 */
export const isOfDays = ({ byLine }: LedgerScope, columns: readonly string[]): boolean =>
  byLine === undefined && columns.every(name => OF_DAYS.has(name));

/** The columns of lines among dimensions. */
export const lineColumns = (dimensions: readonly string[]): string[] => dimensions.filter(name => OF_LINES.has(name));

/** By fact: which movements it is, and the sign of what they change in MRR. */
const FLOWS: Readonly<Record<string, { where: Sql; sign: 1 | -1 }>> = {
  subscription_started: { where: sql`m.kind = 'new' and ${runs}`, sign: 1 },
  subscription_cancelled: { where: sql`m.kind = 'cancelled' and ${ran}`, sign: -1 },
  subscription_lost: { where: sql`m.kind in ('cancelled', 'failed') and ${ran}`, sign: -1 },
  subscription_expired: { where: sql`m.kind = 'expired' and ${ran}`, sign: -1 },
  movement: { where: sql`true`, sign: 1 },
  standing_now: { where: sql`true`, sign: 1 },
};

/** Rows of the ledger, each with its place among those of the same change and group. */
const rowsOf = (store: FactStore, { narrow, byLine }: LedgerScope, period: Period): Sql => {
  const where = sql`m.store_id = ${store.id}::integer and ${narrow}
    and m.day between ${period.startDate}::date and ${period.endDate}::date`;
  if (byLine === undefined) return sql`(select m.*, m.row_no + 1 as nth from movements m where ${where}) m`;
  const group = sql.join([sql`m.contract_id`, sql`m.change_no`, ...byLine.map(name => LEDGER_COLUMNS[name] as Sql)]);
  return sql`(select m.*, row_number() over (partition by ${group} order by m.row_no) as nth from movements m where ${where}) m`;
};

const OF_ROW: RowSql = { contract: sql`m.contract_id`, customer: sql`m.customer_id` };

/** A flow of the ledger in SQL; undefined for other facts. */
export function ledgerFlow(name: string, store: FactStore, scope: LedgerScope, period: Period): FactSql | undefined {
  const flow = FLOWS[name];
  if (!flow) return undefined;
  const first = (value: Sql): Sql => sql`case when m.nth = 1 then ${value} else 0 end`;
  return {
    from: rowsOf(store, scope, period),
    where: flow.where,
    at: sql`m.at`,
    day: sql`m.day`,
    began: sql`m.began_on`,
    measures: {
      count: { value: first(sql`1`) },
      running: { value: first(sql`(${runs})::integer - (${ran})::integer`) },
      mrr: { value: flow.sign === 1 ? sql`m.booked_after - m.booked_before` : sql`m.booked_before - m.booked_after` },
      orders: { value: first(sql`m.completed_orders`) },
      // Days of the store from the first to the last.
      days: { value: first(sql`m.day - m.began_on`) },
    },
    columns: LEDGER_COLUMNS,
    row: { ...OF_ROW, what: 'happened' },
  };
}

/** What the ledger comes to up to now, by its sums by day. */
export const standingByDays = ({ id }: FactStore): FactSql => ({
  from: sql`movement_days m`,
  where: sql`m.store_id = ${id}::integer`,
  at: sql`now()`,
  day: sql`m.day`,
  measures: { mrr: { value: sql`m.mrr` } },
  columns: Object.fromEntries([...OF_DAYS].map(name => [name, LEDGER_COLUMNS[name] as Sql])),
  row: { customer: sql`null::bigint` },
});

/** What a row changes in what runs: lines where they are asked for, else the subscription. */
const changeOf = (byLine: LedgerScope['byLine']): Sql =>
  byLine === undefined
    ? sql`case when m.row_no = 0 then (${runs})::integer - (${ran})::integer else 0 end`
    : sql`m.runs_after::integer - m.runs_before::integer`;

/**
 * Customers by their subscriptions that run, gifts left out: `started` with the first ever, `lost` when the last is cancelled or ends
 * unpaid. All movements of customers who had some in these days are read.
 */
export function subscriberFlow(name: string, store: FactStore, { narrow, byLine }: LedgerScope, period: Period): FactSql | undefined {
  if (name !== 'subscriber_started' && name !== 'subscriber_lost') return undefined;
  const from = sql`(select d.*, sum(d.change) over w as running, coalesce(max(d.change) over earlier, 0) as came_before
    from (select m.customer_id, m.at, m.day, m.contract_id, m.change_no, m.kind, m.source, m.reason_id, sum(${changeOf(byLine)}) as change
      from movements m
      where m.store_id = ${store.id}::integer and m.origin <> 'GIFT' and ${narrow} and m.customer_id in (select t.customer_id
        from movements t where t.store_id = ${store.id}::integer and t.day between ${period.startDate}::date and ${period.endDate}::date)
      group by 1, 2, 3, 4, 5, 6, 7, 8 having sum(${changeOf(byLine)}) <> 0) d
    window w as (partition by d.customer_id order by d.at, d.contract_id, d.change_no),
      earlier as (partition by d.customer_id order by d.at, d.contract_id, d.change_no
        rows between unbounded preceding and 1 preceding)) m`;
  return {
    from,
    where:
      name === 'subscriber_started'
        ? sql`m.change > 0 and m.came_before = 0`
        : sql`m.change < 0 and m.running = 0 and m.kind in ('cancelled', 'failed')`,
    at: sql`m.at`,
    day: sql`m.day`,
    began: sql`m.day`,
    measures: { count: { value: sql`1` } },
    columns: { reason: reasonOf(sql`${store.id}::integer`), cancelledBy: sql`m.source` },
    row: OF_ROW,
  };
}

/** Orders with the day on which their customers became subscribers, gifts left out, in place of that of the subscription. */
export function ofSubscriber(order: FactSql, store: FactStore, { narrow }: LedgerScope): FactSql {
  return {
    ...order,
    from: sql`${order.from} join (select m.customer_id, min(m.day) as first_on from movements m
      where m.store_id = ${store.id}::integer and m.runs_after and m.origin <> 'GIFT' and ${narrow} group by 1) s
      on s.customer_id = m.customer_id`,
    began: sql`s.first_on`,
  };
}

export interface StockQuestion {
  store: FactStore;
  scope: LedgerScope;
  /** CUSTOMER: how many have a subscription that runs, gifts left out. */
  of: 'SUBSCRIPTION' | 'CUSTOMER';
  /** Conditions on rows `m`, and the columns that they are on. */
  where: Sql;
  when: readonly string[];
  measures: readonly string[];
  /** By what it is split: columns of the ledger. */
  by: readonly string[];
  isByCohort: boolean;
  /** Moments as days: what was so before the day began. */
  days: readonly string[];
  /** For each of them what its rows are grouped by, and the number of its month where cohorts are asked for. */
  keys: readonly string[];
  months: readonly number[];
  isByTime: boolean;
  /** What a dimension is in SQL: groups of numbers of orders. */
  grouped(dimension: string, column: Sql): Sql;
}

/**
 * What the ledger comes to at the begin of several days: first added up by the days between which it happened, so that a long row of days
 * costs no more than one. Answers columns k0… and a0… for the measures.
 */
export function ledgerStock(question: StockQuestion): Sql {
  const { store, scope, by, days, measures } = question;
  if (by.includes('orderNumber')) return stockByOrder(question);
  const isCustomer = question.of === 'CUSTOMER';
  const cuts = sql`${days}::date[]`;
  // The opening of any day is a sum of days, unless it is asked for what they don't know.
  const areDays = !isCustomer && !question.isByCohort && isOfDays(scope, [...by, ...question.when]);
  const own = sql`m.store_id = ${store.id}::integer and m.day < ${days.at(-1) ?? ''}::date and ${scope.narrow}
    and ${question.where} and ${isCustomer ? sql`m.origin <> 'GIFT'` : sql`true`}`;
  // The cohort of a customer is the month of the first subscription, whichever it was.
  const isByCustomer = isCustomer && question.isByCohort;
  const base = isByCustomer
    ? sql`(select * from (select m.*, min(m.day) filter (where m.runs_after) over (partition by m.customer_id) as first_on
        from movements m where ${own}) m where m.first_on is not null) m`
    : sql`${sql.raw(areDays ? 'movement_days' : 'movements')} m where ${own}`;
  const began = isByCustomer ? sql`m.first_on` : sql`m.began_on`;
  const columns = [
    ...(question.isByCohort
      ? [sql`to_char(${began}, 'YYYY-MM')`, sql`extract(year from ${began})::integer * 12 + extract(month from ${began})::integer`]
      : []),
    ...by.map(name => LEDGER_COLUMNS[name] as Sql),
  ];
  const named = columns.map((column, i) => sql`${column} as ${sql.raw(`c${i}`)}`);
  const names = columns.map((_, i) => sql.raw(`c${i}`));
  const bucket = sql`width_bucket(m.day, ${cuts})`;
  const sums = areDays
    ? [sql`sum(m.running) as running`, sql`sum(m.mrr) as mrr`]
    : [sql`sum(${changeOf(scope.byLine)}) as running`, sql`sum(m.booked_after - m.booked_before) as mrr`];
  // Lines of one group are one subscription, and subscriptions of one customer one customer: what counts is whether there are any.
  const entity = isCustomer ? sql`m.customer_id` : scope.byLine !== undefined ? sql`m.contract_id` : undefined;
  const isOnce = entity !== undefined && days.length === 1;
  const rows = isOnce
    ? sql`select ${list([...names, sql`0 as b`, sql`count(*) filter (where running > 0) as count`, sql`sum(mrr) as mrr`])}
        from (select ${list([sql`${entity} as entity`, ...named, ...sums])} from ${base} group by ${places(columns.length + 1)}) t
        ${columns.length ? sql`group by ${places(columns.length)}` : sql``}`
    : entity
      ? sql`select ${list([...names, sql`b`])}, sum((running > 0)::integer - (running - change > 0)::integer) as count, sum(mrr) as mrr
        from (select ${list([...names, sql`b`, sql`running as change`, sql`mrr`])},
            sum(running) over (partition by ${list([sql`entity`, ...names])} order by b) as running
          from (select ${list([sql`${entity} as entity`, ...named, sql`${bucket} as b`, ...sums])} from ${base}
            group by ${places(columns.length + 2)}) t) u
        group by ${places(columns.length + 1)}`
      : sql`select ${list([...names, sql`b`, sql`running as count`, sql`mrr`])}
        from (select ${list([...named, sql`${bucket} as b`, ...sums])} from ${base} group by ${places(columns.length + 1)}) t`;
  const outer = [
    ...(question.isByTime ? [sql`s.key`] : []),
    // The second key of a cohort is how many months later it is.
    ...names.map((name, i) => (question.isByCohort && i === 1 ? sql`s.month - r.c1` : sql`r.${name}`)),
  ];
  const sumsOfMeasures = measures.map(
    (name, i) => sql`coalesce(sum(r.${sql.raw(name === 'mrr' ? 'mrr' : 'count')}), 0)::bigint as ${sql.raw(`a${i}`)}`,
  );
  return sql`with rows as materialized (${rows})
    select ${list([...outer.map((column, i) => sql`${column} as ${sql.raw(`k${i}`)}`), ...sumsOfMeasures])}
    from rows r join unnest(${days.map((_, i) => i + 1)}::integer[], ${[...question.keys]}::text[], ${[...question.months]}::integer[])
      as s(n, key, month) on s.n > r.b ${outer.length ? sql`group by ${places(outer.length)}` : sql``}`;
}
const list = (values: readonly Sql[]): Sql => sql.join(values);
const places = (count: number): Sql => list(Array.from({ length: count }, (_, i) => sql.raw(String(i + 1))));

/**
 * What stood before a day began, one by one: subscriptions, or customers, with what each brings to the sum. Columns contract_id,
 * customer_id and value; `number` keeps those that had had so many orders by then, grouped as charts have them.
 */
export function ledgerStanding(
  question: Pick<StockQuestion, 'store' | 'scope' | 'of' | 'where' | 'grouped'> & {
    measure: string;
    day: string;
    number?: number;
    /** The month in which a subscription began, or a customer's first. */
    began?: string;
  },
): Sql {
  const { store, scope, where, day, measure, number, began } = question;
  const isCustomer = question.of === 'CUSTOMER';
  const runs = sql`sum(${changeOf(scope.byLine)})`;
  const mrr = sql`sum(m.booked_after - m.booked_before)`;
  if (number !== undefined)
    return sql`select x.contract_id, x.customer_id, ${measure === 'mrr' ? sql`x.mrr` : sql`1`} as value
      from ${standingByOrder({ store, scope, where, day, others: [sql`max(m.customer_id) as customer_id`] })}
      where ${question.grouped('orderNumber', ORDERS_BY_THEN)} = ${number}::integer`;
  const value = measure === 'mrr' ? mrr : isCustomer || scope.byLine !== undefined ? sql`(${runs} > 0)::integer` : runs;
  const whose = isCustomer ? sql`m.customer_id` : sql`m.contract_id`;
  const first = isCustomer ? sql`min(m.day) filter (where m.runs_after)` : sql`min(m.began_on)`;
  const isOfCohort = began === undefined ? sql`true` : sql`to_char(${first}, 'YYYY-MM') = ${began}::text`;
  return sql`select ${isCustomer ? sql`null::bigint` : whose} as contract_id, max(m.customer_id) as customer_id, ${value} as value
    from movements m where m.store_id = ${store.id}::integer and m.day < ${day}::date and ${scope.narrow} and ${where}
      and ${isCustomer ? sql`m.origin <> 'GIFT'` : sql`true`}
    group by ${whose} having ${value} <> 0 and ${isOfCohort}`;
}

/** The number of orders of a subscription on a past day: the number of then, not that of today. */
const ORDERS_BY_THEN = sql`greatest(x.completed, coalesce(o.number, 0))`;

/** Subscriptions (`x`) that ran before a day began, each with the number of its last order by then (`o`). */
function standingByOrder({
  store,
  scope,
  where,
  day,
  others,
}: Pick<StockQuestion, 'store' | 'scope' | 'where'> & { day: string; others: Sql[] }): Sql {
  return sql`(select ${list([
    sql`m.contract_id`,
    sql`max(m.completed_orders) as completed`,
    sql`sum(m.booked_after - m.booked_before) as mrr`,
    ...others,
  ])} from movements m where m.store_id = ${store.id}::integer and m.day < ${day}::date and ${scope.narrow} and ${where}
      group by 1 having sum(${changeOf(scope.byLine)}) > 0) x
    left join lateral (select max(o.order_number) as number from orders o where o.store_id = ${store.id}::integer
      and o.contract_id = x.contract_id and o.status = 'PAID' and not o.is_prepaid_delivery
      and o.processed_at < ${day}::date::timestamp at time zone ${store.timezone}::text) o on true`;
}

/** Subscriptions that ran before a day began, by how many orders they had had by then: the number of then, not that of today. */
function stockByOrder({ store, scope, by, where, measures, days, grouped }: StockQuestion): Sql {
  const day = days.at(-1) ?? '';
  const columns = by.map(name => (name === 'orderNumber' ? grouped(name, ORDERS_BY_THEN) : sql`x.${sql.ref(name)}`));
  const others = by.filter(name => name !== 'orderNumber').map(name => sql`max(${LEDGER_COLUMNS[name] as Sql}) as ${sql.ref(name)}`);
  const sums = measures.map((name, i) => sql`${name === 'mrr' ? sql`sum(x.mrr)` : sql`count(*)`}::bigint as ${sql.raw(`a${i}`)}`);
  return sql`select ${list([...columns.map((column, i) => sql`${column} as ${sql.raw(`k${i}`)}`), ...sums])}
    from ${standingByOrder({ store, scope, where, day, others })}
    group by ${places(by.length)}`;
}

/** The period of flows of the ledger that has no end behind it: everything up to a day. */
export const upTo = (day: string): Period => ({ startDate: addDays(day, -36_600), endDate: day });
