// The rows behind a figure: what exactly was counted or added up, one by one, so that their sum is the figure.
import { sql, type RawBuilder } from 'kysely';
import { FACTS, STARTS } from '../../../domain/analytics/facts.ts';
import { addDays, type Period } from '../../../domain/calendar/plain-days.ts';
import { toDecimal } from '../../../domain/money/money.ts';
import type { AnalyticsComponent, JsonObject, JsonValue, Metric, MetricTerm } from '../../../contract/types.ts';
import { todayOf } from '../records/store-days.ts';
import { COHORT_MONTHS, isSumSoFar, lastMonths, monthAfter } from './cohort.ts';
import { namesOf, type Key } from './labels.ts';
import { LEDGER_COLUMNS, ledgerStanding } from './ledger-facts.ts';
import { beganOf, conditionOf, grouped, kindOf, ledgerScope, monthOf, sceneOf, type Split } from './measure.ts';
import { columnOf, type ChartContext } from './wire.ts';

type Sql = RawBuilder<unknown>;

/** Which figure of a component: the whole of a metric, or one point of it. */
export interface Place {
  metric: Metric;
  /** The rows of what it is divided by, in place of those of what is counted. */
  isBase: boolean;
  /** The group by the component's `by`, and that by its `split`. */
  part?: string;
  split?: string;
  /** The cell of a cohort: the month in which it began, and the column. */
  cohort?: string;
  column?: number;
}

/** Rows of one page. */
export const PAGE = 50;

interface Row {
  at: Date | null;
  contract_id: number | null;
  customer_id: number | null;
  order_id: number | null;
  what: string | null;
  dimension: string | null;
  value: number;
}

/** Rows of one term, in the columns of `Row`. */
function rowsOfTerm(context: ChartContext, component: AnalyticsComponent, term: MetricTerm, period: Period, place: Place): Sql {
  const known = FACTS[term.fact];
  const chosen = partsOf(component, place);
  const split: Split = { by: chosen.map(([dimension]) => dimension) };
  const factor = sql`${(term.minus ? -1 : 1) * term.times}::numeric`;
  const { days, number } = place.cohort === undefined ? { days: period } : cellOf(context, component, term, place);
  if (known?.kind === 'stock' || term.fact === 'standing_now') {
    const isNow = term.fact === 'standing_now';
    const numbers = chosen.find(([dimension]) => dimension === 'orderNumber');
    const others = chosen.filter(one => one !== numbers);
    const where = [
      conditionOf(term.fact, LEDGER_COLUMNS, term.when),
      ...others.map(([dimension, key]) => is(LEDGER_COLUMNS[dimension] as Sql, key)),
    ];
    const day = isNow ? addDays(todayOf(context.store, context.now), 1) : term.at === 'start' ? days.startDate : addDays(days.endDate, 1);
    // Days that are still to come have no figure.
    if (!isNow && days.startDate > todayOf(context.store, context.now)) where.push(sql`false`);
    const standing = ledgerStanding({
      store: context.store,
      scope: ledgerScope(context.filters, split),
      of: term.fact === 'subscriber' ? 'CUSTOMER' : 'SUBSCRIPTION',
      where: sql.join(where, sql` and `),
      measure: term.measure,
      day,
      grouped,
      ...(numbers ? { number: Number(numbers[1]) } : {}),
      ...(place.cohort === undefined ? {} : { began: place.cohort }),
    });
    return sql`select null::timestamptz as at, s.contract_id, s.customer_id, null::bigint as order_id, null::text as what,
      null::text as dimension, (s.value * ${factor})::numeric as value from (${standing}) s`;
  }
  const { one, joins, tests, dimensions } = sceneOf(context, term.fact, days, split, [term], true);
  const measure = one.measures[term.measure];
  if (!measure) throw new Error(`The fact "${term.fact}" has no "${term.measure}".`);
  tests.push(conditionOf(term.fact, one.columns, term.when), ...dimensions.map((column, i) => is(column, chosen[i]?.[1] ?? '')));
  if (place.cohort !== undefined) tests.push(sql`${monthOf(beganOf(context.store, one))} = ${place.cohort}::text`);
  if (number !== undefined && !STARTS.includes(term.fact))
    tests.push(sql`${one.columns.orderNumber ?? sql`0`} between ${number[0]}::integer and ${number[1]}::integer`);
  const { contract = sql`null::bigint`, customer, order = sql`null::bigint`, what } = one.row;
  const at = known?.kind === 'now' ? sql`null::timestamptz` : one.at;
  const word = what === undefined ? sql`null::text` : sql`(${one.columns[what] as Sql})::text`;
  const from = sql`from ${one.from} ${sql.join(joins, sql` `)} where ${sql.join(tests, sql` and `)}`;
  // What is counted once however often it is there: one row for each, of the last time.
  if (kindOf(term) === 'distinct')
    return sql`select distinct on (${measure.value}) ${at} as at, ${contract} as contract_id, ${customer} as customer_id,
      ${order} as order_id, ${word} as what, ${what ?? null}::text as dimension, ${factor} as value ${from}
      and ${measure.value} is not null order by ${measure.value}, ${at} desc`;
  return sql`select ${at} as at, ${contract} as contract_id, ${customer} as customer_id, ${order} as order_id, ${word} as what,
    ${what ?? null}::text as dimension, ((${measure.value}) * ${factor})::numeric as value ${from} and (${measure.value}) <> 0`;
}

/** The groups that are asked for, by their dimensions. */
const partsOf = ({ by, split }: AnalyticsComponent, place: Place): [dimension: string, key: string][] => [
  ...(by !== undefined && by !== 'time' && place.part !== undefined ? [[by, place.part] as [string, string]] : []),
  ...(split !== undefined && place.split !== undefined ? [[split, place.split] as [string, string]] : []),
];
/** Groups are called by their value; that of nothing is "null". */
const is = (column: Sql, key: string): Sql => sql`coalesce((${column})::text, 'null') = ${key}::text`;

/** The days of a cell of a cohort, and the numbers of orders where its columns are those. */
function cellOf(
  context: ChartContext,
  component: AnalyticsComponent,
  { fact }: MetricTerm,
  { metric, cohort = '', column = 0 }: Place,
): { days: Period; number?: [number, number] } {
  if (STARTS.includes(fact)) return { days: monthAfter(cohort, 0) };
  if (component.columns === 'order')
    return { days: lastMonths(context, component.months ?? COHORT_MONTHS), number: [isSumSoFar(metric) ? 1 : column, column] };
  const last = monthAfter(cohort, column);
  return { days: isSumSoFar(metric) && FACTS[fact]?.kind === 'flow' ? { ...last, startDate: monthAfter(cohort, 0).startDate } : last };
}

export interface RowsBehind {
  rows: JsonObject[];
  /** How many there are in all, and what they come to. */
  total: number;
  sum: JsonValue;
  isMoney: boolean;
}

/**
 * The rows behind a figure, the latest first. Amounts are in the store's currency, as decimals.
 * @param most how many at most; `from`: how many before them are left out
 */
export async function rowsBehind(
  context: ChartContext,
  component: AnalyticsComponent,
  place: Place,
  period: Period,
  { from, most }: { from: number; most: number },
): Promise<RowsBehind> {
  const { trx, store } = context;
  const terms = place.isBase ? place.metric.denominator : place.metric.numerator;
  const all = sql.join(
    terms.map(term => sql`(${rowsOfTerm(context, component, term, period, place)})`),
    sql` union all `,
  );
  const isMoney = terms.some(term => kindOf(term) === 'money');
  const {
    rows: [whole],
  } = await sql<{ sum: number; n: number }>`select coalesce(sum(value), 0) as sum, count(*) as n from (${all}) r`.execute(trx);
  const { rows } = await sql<Row>`select r.* from (${all}) r
    order by r.at desc nulls last, r.contract_id desc nulls last, r.order_id desc nulls last, r.customer_id desc, r.value desc, r.what
    limit ${most}::integer offset ${from}::integer`.execute(trx);
  const written = (value: number): JsonValue => (isMoney ? toDecimal(value, store.currency_code) : value);
  return {
    isMoney,
    total: Number(whole?.n ?? 0),
    sum: written(Number(whole?.sum ?? 0)),
    rows: await named(context, place.metric, rows, row => written(Number(row.value))),
  };
}

/** Rows with the names of customers and orders, and what each is in a word. */
async function named(context: ChartContext, metric: Metric, rows: readonly Row[], valueOf: (row: Row) => JsonValue): Promise<JsonObject[]> {
  const { trx, store, definitions } = context;
  const ids = (column: 'customer_id' | 'order_id'): number[] => [...new Set(rows.flatMap(row => row[column] ?? []))].map(Number);
  const { rows: customers } = await sql<{ id: number; name: string }>`select id, name
    from customers where store_id = ${store.id}::integer and id = any(${ids('customer_id')}::bigint[])`.execute(trx);
  const { rows: orders } = await sql<{ id: number; number: number | null }>`select id, shopify_order_number as number
    from orders where store_id = ${store.id}::integer and id = any(${ids('order_id')}::bigint[])`.execute(trx);
  const customerOf = new Map(customers.map(one => [Number(one.id), one.name]));
  const orderOf = new Map(orders.map(one => [Number(one.id), one.number]));
  const isOrder = metric.numerator.some(({ fact }) => fact === 'order');
  const words = new Map<string, (key: Key) => string>();
  for (const dimension of new Set(rows.flatMap(row => row.dimension ?? [])))
    words.set(
      dimension,
      await namesOf(
        context,
        definitions,
        dimension,
        rows.filter(row => row.dimension === dimension).map(row => row.what),
        isOrder ? 'order' : 'subscription',
      ),
    );
  const id = (value: number | null): number | null => (value === null ? null : Number(value));
  return rows.map(row => ({
    at: row.at?.toISOString() ?? null,
    subscriptionId: id(row.contract_id),
    customerId: id(row.customer_id),
    customerName: row.customer_id === null ? null : (customerOf.get(Number(row.customer_id)) ?? null),
    orderNumber: row.order_id === null ? null : (orderOf.get(Number(row.order_id)) ?? null),
    what: row.dimension === null ? null : (words.get(row.dimension)?.(row.what) ?? null),
    value: valueOf(row),
  }));
}

/** What a list of rows says of its figure. */
export const aboutRows = (metric: Metric, isBase: boolean): JsonObject => ({
  ...columnOf(metric),
  hasBase: metric.denominator.length > 0,
  isBase,
});
