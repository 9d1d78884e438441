// Sums of facts as the database gives them: one query for all terms of a fact, split by time and by what else is asked for, with amounts in
// the store's currency.
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { FACTS, LAST_ORDER, OWN_PRODUCT, type FilterName, type Grain } from '../../../domain/analytics/facts.ts';
import { eachDay, addDays, daysBetween, type Period } from '../../../domain/calendar/plain-days.ts';
import type { MetricTerm } from '../../../contract/types.ts';
import type { Tables } from '../../../generated/tables.ts';
import { inStoreCurrency } from '../records/exchange-rates.ts';
import { beginOf, endOf, todayOf } from '../records/store-days.ts';
import { factSql, type FactSql, type FactStore } from './facts-sql.ts';

type Sql = RawBuilder<unknown>;
export type Filters = Partial<Record<FilterName, readonly (string | number)[]>>;
export interface Asking {
  trx: Kysely<Tables>;
  store: FactStore;
  filters: Filters;
  now: Date;
}
/** How sums are split: by parts of the period, by cohort (the month in which a subscription began, and what came since), by dimensions. */
export interface Split {
  grain?: Grain;
  cohort?: 'month' | 'order';
  by?: readonly string[];
}
/** The sums of all terms for one group; `keys` in the order of the split. */
export interface Group {
  keys: readonly (string | number | null)[];
  sums: number[];
}

/** The parts of a period in order: days, weeks from its first day on, months of the calendar. `key` is what rows are grouped by. */
export function partsOf(period: Period, grain: Grain): { key: string; startDate: string; endDate: string }[] {
  const parts = new Map<string, { key: string; startDate: string; endDate: string }>();
  for (const day of eachDay(period)) {
    const key = partKey(period, grain, day);
    const part = parts.get(key);
    if (part) part.endDate = day;
    else parts.set(key, { key, startDate: day, endDate: day });
  }
  return [...parts.values()];
}
const partKey = (period: Period, grain: Grain, day: string): string =>
  grain === 'month'
    ? day.slice(0, 7)
    : addDays(period.startDate, Math.floor(daysBetween(period.startDate, day) / (grain === 'week' ? 7 : 1)) * (grain === 'week' ? 7 : 1));

/** Which part of a period an instant is in, as `partKey` has it. */
function partSql(store: FactStore, period: Period, grain: Grain, at: Sql): Sql {
  const day = sql`(${at} at time zone ${store.timezone}::text)::date`;
  if (grain === 'month') return sql`to_char(${at} at time zone ${store.timezone}::text, 'YYYY-MM')`;
  const length = grain === 'week' ? 7 : 1;
  const first = sql`${period.startDate}::date`;
  return sql`to_char(${first} + ((${day} - ${first}) / ${length}::integer) * ${length}::integer, 'YYYY-MM-DD')`;
}

const monthOf = (store: FactStore, at: Sql): Sql => sql`to_char(${at} at time zone ${store.timezone}::text, 'YYYY-MM')`;
const monthNumber = (store: FactStore, at: Sql): Sql =>
  sql`(extract(year from ${at} at time zone ${store.timezone}::text)::integer * 12
    + extract(month from ${at} at time zone ${store.timezone}::text)::integer)`;

/** The subscriptions that filters leave; a list that is empty asks for nothing. */
export function narrowed(filters: Filters): Sql {
  const tests: Sql[] = [];
  if (filters.plan?.length) tests.push(sql`c.plan_group_ids && ${filters.plan.map(Number)}::bigint[]`);
  if (filters.product?.length) tests.push(sql`c.product_ids && ${filters.product.map(Number)}::bigint[]`);
  if (filters.country?.length) tests.push(sql`c.country_code = any(${filters.country.map(String)}::text[])`);
  if (filters.frequency?.length) tests.push(sql`c.frequency = any(${filters.frequency.map(String)}::text[])`);
  return tests.length ? sql`(${sql.join(tests, sql` and `)})` : sql`true`;
}

const LISTS: Readonly<Record<string, Sql>> = { plan: sql`c.plan_group_ids`, product: sql`c.product_ids` };
/** A dimension as a column, and the join that opens it where a subscription has several. */
function splitOf(fact: string, one: FactSql, dimension: string): { value: Sql; join?: Sql } {
  const list = OWN_PRODUCT.includes(fact) && dimension === 'product' ? undefined : LISTS[dimension];
  if (list) {
    const alias = sql.raw(`split_${dimension}`);
    return { value: sql`${alias}.id`, join: sql`cross join lateral unnest(${list}) as ${alias}(id)` };
  }
  const column = one.columns[dimension];
  // Numbers of orders above 10 are grouped by five, those above 50 are one group.
  const value =
    column && dimension === 'orderNumber'
      ? sql`case when ${column} <= 10 then ${column} when ${column} >= ${LAST_ORDER}::integer then ${LAST_ORDER}::integer
          else 11 + (${column} - 11) / 5 * 5 end`
      : column;
  if (!value) throw new Error(`The fact "${fact}" can't be split by "${dimension}".`);
  return { value };
}

const conditionOf = (fact: string, one: FactSql, when: MetricTerm['when']): Sql => {
  const tests = Object.entries(when).map(([column, values]) => {
    const value = one.columns[column];
    if (!value) throw new Error(`The fact "${fact}" has no "${column}".`);
    return sql`(${value})::text = any(${values.map(String)}::text[])`;
  });
  return tests.length ? sql.join(tests, sql` and `) : sql`true`;
};

const kindOf = ({ fact, measure: name }: MetricTerm) => FACTS[fact]?.measures[name];

interface Row {
  currency: string | null;
  [name: string]: string | number | null;
}

/**
 * What each term comes to in a period, by group. What lasts is counted once for every part (as it stands at its beginning or end); what
 * is there now has no period. Groups without anything are left out.
 */
export async function measure(asking: Asking, terms: readonly MetricTerm[], period: Period, split: Split = {}): Promise<Group[]> {
  const found = new Map<string, Group>();
  const batches = new Map<string, number[]>();
  terms.forEach((term, i) => {
    // What is counted apart for each currency can be added up, unless it is how many different ones there are.
    const key = [term.fact, term.at, kindOf(term) === 'distinct' ? 'distinct' : ''].join(' ');
    batches.set(key, [...(batches.get(key) ?? []), i]);
  });
  for (const indexes of batches.values()) {
    const some = indexes.map(i => terms[i] as MetricTerm);
    const isMoney = some.map(term => kindOf(term) === 'money');
    const { rows } = await queryOf(asking, some, period, split).execute(asking.trx);
    const width = widthOf(split);
    for (const row of rows) {
      const keys = Array.from({ length: width }, (_, k) => row[`k${k}`] ?? null);
      const id = JSON.stringify(keys);
      const group = found.get(id) ?? { keys, sums: terms.map(() => 0) };
      found.set(id, group);
      indexes.forEach((i, n) => {
        const value = Number(row[`a${n}`] ?? 0);
        group.sums[i] =
          (group.sums[i] ?? 0) + (isMoney[n] && row.currency !== null ? inStoreCurrency(asking.store, value, row.currency) : value);
      });
    }
  }
  return [...found.values()];
}

const widthOf = ({ grain, cohort, by = [] }: Split): number => (grain ? 1 : 0) + (cohort ? 2 : 0) + by.length;

function queryOf(asking: Asking, terms: readonly MetricTerm[], period: Period, split: Split): RawBuilder<Row> {
  const { store, filters } = asking;
  const { fact, at } = terms[0] as MetricTerm;
  const known = FACTS[fact];
  if (!known) throw new Error(`There is no fact "${fact}".`);
  const narrow = narrowed(filters);
  const one = factSql(fact, store, narrow, asking.now);
  const joins: Sql[] = [];
  const tests: Sql[] = [one.where, ...(known.ofSubscription ? [narrow] : [])];
  const isStock = known.kind === 'stock';
  if (known.kind === 'flow')
    tests.push(sql`${one.at} >= ${beginOf(store, period.startDate)} and ${one.at} < ${endOf(store, period.endDate)}`);
  const keys: Sql[] = split.grain && !isStock ? [partSql(store, period, split.grain, one.at)] : [];
  if (split.cohort) {
    keys.push(monthOf(store, sql`c.created_at`));
    const began = monthNumber(store, sql`c.created_at`);
    if (fact === 'subscription_started') keys.push(sql`0`);
    else if (split.cohort === 'order') keys.push(one.columns.orderNumber ?? sql`0`);
    // Of what lasts the month in which it began: how many months later it is follows from the span.
    else keys.push(isStock ? began : sql`(${monthNumber(store, one.at)} - ${began})`);
  }
  for (const dimension of split.by ?? []) {
    const { value, join } = splitOf(fact, one, dimension);
    keys.push(value);
    if (join) joins.push(join);
  }
  const sums = terms.map(({ measure: name, when }, n) => {
    const kind = known.measures[name];
    const value = one.measures[name]?.value;
    if (!kind || !value) throw new Error(`The fact "${fact}" has no "${name}".`);
    const where = sql`filter (where ${conditionOf(fact, one, when)})`;
    const whole =
      kind === 'count'
        ? sql`count(*) ${where}`
        : kind === 'distinct'
          ? sql`count(distinct ${value}) ${where}`
          : sql`coalesce(sum(${value}) ${where}, 0)::bigint`;
    return sql`${whole} as ${sql.raw(`a${n}`)}`;
  });
  const money = terms.find(term => kindOf(term) === 'money');
  const currency = money && one.measures[money.measure]?.currency;
  const chosen = [...named(keys, 'k'), sql`${currency ?? sql`null::text`} as currency`];
  const from = sql`from ${one.from} ${sql.join(joins, sql` `)} where ${sql.join(tests, sql` and `)}`;
  if (!isStock) return sql<Row>`select ${sql.join([...chosen, ...sums])} ${from} group by ${places(chosen.length)}`;
  return lasting(spansOf(asking, period, split), { store, split, at, one, chosen, sums, from });
}
const named = (values: readonly Sql[], letter: string): Sql[] => values.map((value, i) => sql`${value} as ${sql.raw(`${letter}${i}`)}`);
const places = (count: number): Sql => sql.join(Array.from({ length: count }, (_, i) => sql.raw(String(i + 1))));

/**
 * What lasts, at each of several moments: added up first by the moments between which it began and ended, so that a long row of days costs
 * no more than one.
 */
function lasting(
  spans: readonly { key: string; startDate: string; endDate: string }[],
  about: { store: FactStore; split: Split; at: MetricTerm['at']; one: FactSql; chosen: Sql[]; sums: Sql[]; from: Sql },
): RawBuilder<Row> {
  const { store, split, at, one, chosen, sums, from } = about;
  const days = spans.map(({ startDate, endDate }) => (at === 'start' ? startDate : addDays(endDate, 1)));
  const months = spans.map(({ endDate }) => Number(endDate.slice(0, 4)) * 12 + Number(endDate.slice(5, 7)));
  const moments = sql`(select all_of_them from moments)`;
  const keys = Array.from({ length: chosen.length - 1 }, (_, k) => sql.raw(`r.k${k}`));
  // The second key of a cohort is the month in which it began.
  const selectedKeys = split.cohort
    ? keys.map((key, k) => (k === 1 ? sql`(s.month - r.k1)` : key))
    : split.grain
      ? [sql`s.key`, ...keys]
      : keys;
  const outer = [...named(selectedKeys, 'k'), sql`r.currency`];
  const added = sums.map((_, n) => sql.raw(`sum(r.a${n})::bigint as a${n}`));
  const between = [
    sql`width_bucket(${one.at}, ${moments}) as began`,
    sql`coalesce(width_bucket(${one.ends ?? sql`null::timestamptz`}, ${moments}), ${spans.length}::integer) as ended`,
  ];
  return sql<Row>`with moments as materialized (
      select array_agg(day::timestamp at time zone ${store.timezone}::text order by day) as all_of_them from unnest(${days}::date[]) day),
    rows as (select ${sql.join([...chosen, ...between, ...sums])} ${from} group by ${places(chosen.length + 2)})
    select ${sql.join([...outer, ...added])} from rows r
    join unnest(${spans.map((_, i) => i + 1)}::integer[], ${spans.map(({ key }) => key)}::text[], ${months}::integer[]) as s(n, key, month)
      on s.n > r.began and s.n <= r.ended group by ${places(outer.length)}`;
}

/** The stretches of days at whose begin or end something is counted that lasts. */
function spansOf({ now, store }: Asking, period: Period, split: Split): { key: string; startDate: string; endDate: string }[] {
  if (split.cohort) return partsOf(period, 'month');
  const parts = split.grain ? partsOf(period, split.grain) : [{ key: '', ...period }];
  // Days that are still to come have no figure.
  const today = todayOf(store, now);
  return parts.filter(({ startDate }) => startDate <= today);
}
