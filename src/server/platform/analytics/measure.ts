// Sums of facts as the database gives them: one query for all terms of a fact, split by time and by what else is asked for. Amounts are in
// the store's currency, by the rates of their days.
import { sql, type Kysely, type RawBuilder } from 'kysely';
import {
  FACTS,
  FILTER_NAMES,
  FILTERS,
  isOfFact,
  LAST_ORDER,
  STARTS,
  takesFilter,
  type FilterName,
  type Grain,
} from '../../../domain/analytics/facts.ts';
import { eachDay, addDays, daysBetween, type Period } from '../../../domain/calendar/plain-days.ts';
import type { MetricTerm } from '../../../contract/types.ts';
import type { Tables } from '../../../generated/tables.ts';
import { beginOf, endOf, todayOf } from '../records/store-days.ts';
import { asOf, factSql, OF_SUBSCRIPTION, type FactSql, type FactStore } from './facts-sql.ts';
import {
  isOfDays,
  LEDGER_COLUMNS,
  ledgerFlow,
  ledgerStock,
  lineColumns,
  ofSubscriber,
  standingByDays,
  subscriberFlow,
  upTo,
  type LedgerScope,
} from './ledger-facts.ts';

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

/** Which part of a period a day is in, as `partKey` has it. */
function partSql(period: Period, grain: Grain, day: Sql): Sql {
  if (grain === 'month') return monthOf(day);
  const length = grain === 'week' ? 7 : 1;
  const first = sql`${period.startDate}::date`;
  return sql`to_char(${first} + ((${day} - ${first}) / ${length}::integer) * ${length}::integer, 'YYYY-MM-DD')`;
}

const dayOf = (store: FactStore, at: Sql): Sql => sql`(${at} at time zone ${store.timezone}::text)::date`;
export const monthOf = (day: Sql): Sql => sql`to_char(${day}, 'YYYY-MM')`;
const monthNumber = (day: Sql): Sql => sql`(extract(year from ${day})::integer * 12 + extract(month from ${day})::integer)`;

/** What a subscription has several of. */
const LISTS: Readonly<Record<string, Sql>> = { plan: sql`c.plan_group_ids`, product: sql`c.product_ids`, variant: sql`c.variant_ids` };

/** Filters that are columns of some facts, or the others, each with its values; a list that is empty asks for nothing. */
const chosenOf = (filters: Filters, areOfFacts: boolean): { name: FilterName; values: Sql }[] =>
  FILTER_NAMES.flatMap(name => {
    const given = filters[name] ?? [];
    if (given.length === 0 || isOfFact(name) !== areOfFacts) return [];
    return { name, values: 'isId' in FILTERS[name] ? sql`${given.map(Number)}::bigint[]` : sql`${given.map(String)}::text[]` };
  });
const all = (tests: readonly Sql[]): Sql => (tests.length ? sql`(${sql.join([...tests], sql` and `)})` : sql`true`);

/** The subscriptions `c` that filters leave. */
export function narrowed(filters: Filters): Sql {
  return all(
    chosenOf(filters, false).map(({ name, values }) =>
      LISTS[name] ? sql`${LISTS[name]} && ${values}` : sql`${OF_SUBSCRIPTION[name] as Sql} = any(${values})`,
    ),
  );
}

/** The rows of a fact that filters leave which are columns of it. */
const narrowedRows = (fact: string, columns: FactSql['columns'], filters: Filters): Sql[] =>
  chosenOf(filters, true).flatMap(({ name, values }) =>
    takesFilter(fact, name) && columns[name] ? [sql`${columns[name]} = any(${values})`] : [],
  );

/** How the ledger is asked: its rows have the plan, product, country and frequency of their day. */
export function ledgerScope(filters: Filters, { by = [] }: Split): LedgerScope {
  const chosen = chosenOf(filters, false);
  const columns = lineColumns(by);
  return {
    narrow: all(chosen.map(({ name, values }) => sql`${LEDGER_COLUMNS[name] as Sql} = any(${values})`)),
    byLine: columns.length || chosen.length ? columns : undefined,
  };
}

/** Numbers of orders above 10 are grouped by five, those above 50 are one group; other dimensions are as they are. */
export const grouped = (dimension: string, column: Sql): Sql =>
  dimension === 'orderNumber'
    ? sql`case when ${column} <= 10 then ${column} when ${column} >= ${LAST_ORDER}::integer then ${LAST_ORDER}::integer
        else 11 + (${column} - 11) / 5 * 5 end`
    : column;

/** A dimension as a column, and the join that opens it where a subscription has several and the fact is not about one line. */
function splitOf(fact: string, one: FactSql, dimension: string): { value: Sql; join?: Sql } {
  const column = one.columns[dimension];
  if (column) return { value: grouped(dimension, column) };
  const several = LISTS[dimension];
  if (!several) throw new Error(`The fact "${fact}" can't be split by "${dimension}".`);
  const alias = sql.raw(`split_${dimension}`);
  return { value: sql`${alias}.id`, join: sql`cross join lateral unnest(${several}) as ${alias}(id)` };
}

export const conditionOf = (fact: string, columns: FactSql['columns'], when: MetricTerm['when']): Sql => {
  const tests = Object.entries(when).map(([column, values]) => {
    const value = columns[column];
    if (!value) throw new Error(`The fact "${fact}" has no "${column}".`);
    return sql`(${value})::text = any(${values.map(String)}::text[])`;
  });
  return tests.length ? sql.join(tests, sql` and `) : sql`true`;
};

export const kindOf = ({ fact, measure: name }: MetricTerm) => FACTS[fact]?.measures[name];

type Row = Record<string, string | number | null>;

/** Terms of one name are the same sum, whatever sign it has in a metric. */
const nameOf = ({ fact, measure: name, when, at }: MetricTerm): string => JSON.stringify([fact, name, at, when]);

/**
 * What each term comes to in a period, by group. What lasts is counted once for every part (as it stands at its beginning or end); what
 * is there now has no period. Groups without anything are left out.
 */
export async function measure(asking: Asking, given: readonly MetricTerm[], period: Period, split: Split = {}): Promise<Group[]> {
  const found = new Map<string, Group>();
  const batches = new Map<string, number[]>();
  // Metrics have many terms in common: each is added up once.
  const names = given.map(nameOf);
  const distinct = [...new Set(names)];
  const terms = distinct.map(name => given[names.indexOf(name)] as MetricTerm);
  terms.forEach((term, i) => {
    // What lasts is narrowed before it is added up.
    const when = FACTS[term.fact]?.kind === 'stock' ? JSON.stringify(term.when) : '';
    const key = [term.fact, term.at, when].join(' ');
    batches.set(key, [...(batches.get(key) ?? []), i]);
  });
  for (const indexes of batches.values()) {
    const some = indexes.map(i => terms[i] as MetricTerm);
    const { rows } = await queryOf(asking, some, period, split).execute(asking.trx);
    const width = widthOf(split);
    for (const row of rows) {
      const keys = Array.from({ length: width }, (_, k) => row[`k${k}`] ?? null);
      const id = JSON.stringify(keys);
      const group = found.get(id) ?? { keys, sums: terms.map(() => 0) };
      found.set(id, group);
      indexes.forEach((i, n) => {
        group.sums[i] = (group.sums[i] ?? 0) + Number(row[`a${n}`] ?? 0);
      });
    }
  }
  const groups = [...found.values()].map(({ keys, sums }) => ({ keys, sums: names.map(name => sums[distinct.indexOf(name)] ?? 0) }));
  // Groups whose movements come to nothing are no groups.
  return split.by?.length ? groups.filter(({ sums }) => sums.some(sum => sum !== 0)) : groups;
}

const widthOf = ({ grain, cohort, by = [] }: Split): number => (grain ? 1 : 0) + (cohort ? 2 : 0) + by.length;

/** The columns that terms are narrowed to. */
const columnsOf = (terms: readonly MetricTerm[]): string[] => terms.flatMap(({ when }) => Object.keys(when));

/** A fact of which rows happened or are there, as a period and a split ask for it: its SQL, joins, and what its rows have to meet. */
export interface Scene {
  one: FactSql;
  /** The day of the store on which a row happened. */
  day: Sql;
  joins: Sql[];
  tests: Sql[];
  /** The dimensions that it is split by, grouped as charts have them. */
  dimensions: Sql[];
}
/** `isByRow`: its rows are listed one by one, each with its subscription. */
export function sceneOf(
  { store, filters, now }: Asking,
  fact: string,
  period: Period,
  split: Split,
  terms: readonly MetricTerm[],
  isByRow = false,
): Scene {
  const known = FACTS[fact];
  const scope = ledgerScope(filters, split);
  const narrow = narrowed(filters);
  const columns = [...(split.by ?? []), ...columnsOf(terms)];
  const ofLedger =
    fact === 'standing_now' && isOfDays(scope, columns)
      ? standingByDays(store)
      : ledgerFlow(fact, store, scope, known?.kind === 'now' ? upTo(todayOf(store, now)) : period);
  const found = ofLedger ?? subscriberFlow(fact, store, scope, period) ?? factSql(fact, store, narrow, now);
  const one = fact === 'subscriber_order' ? ofSubscriber(found, store, scope) : found;
  const isOfThen =
    isByRow ||
    chosenOf(filters, false).length > 0 ||
    columns.some(name => OF_SUBSCRIPTION[name] !== undefined || (LISTS[name] !== undefined && !one.columns[name]));
  const joins: Sql[] = one.then === undefined ? [] : isOfThen ? [asOf(store, one.then)] : split.cohort && !one.began ? [ofNow(store)] : [];
  const tests: Sql[] = [one.where, ...narrowedRows(fact, one.columns, filters), ...(known?.ofSubscription && !ofLedger ? [narrow] : [])];
  if (known?.kind === 'flow')
    tests.push(
      one.day
        ? sql`${one.day} between ${period.startDate}::date and ${period.endDate}::date`
        : sql`${one.at} >= ${beginOf(store, period.startDate)} and ${one.at} < ${endOf(store, period.endDate)}`,
    );
  const dimensions = (split.by ?? []).map(dimension => {
    const { value, join } = splitOf(fact, one, dimension);
    if (join) joins.push(join);
    return value;
  });
  return { one, day: one.day ?? dayOf(store, one.at), joins, tests, dimensions };
}
/** Joins to rows `m` their subscription, for what never changes of it. */
const ofNow = ({ id }: FactStore): Sql => sql`join contracts c on c.store_id = ${id}::integer and c.id = m.contract_id`;
/** The day on which the subscription of a row began. */
export const beganOf = (store: FactStore, one: FactSql): Sql => one.began ?? dayOf(store, sql`c.created_at`);

function queryOf(asking: Asking, terms: readonly MetricTerm[], period: Period, split: Split): RawBuilder<Row> {
  const { store, filters } = asking;
  const { fact } = terms[0] as MetricTerm;
  const known = FACTS[fact];
  if (!known) throw new Error(`There is no fact "${fact}".`);
  if (known.kind === 'stock') return stockQuery(asking, terms, period, split, ledgerScope(filters, split));
  const { one, day, joins, tests, dimensions } = sceneOf(asking, fact, period, split, terms);
  const keys: Sql[] = split.grain ? [partSql(period, split.grain, day)] : [];
  if (split.cohort) {
    const began = beganOf(store, one);
    keys.push(monthOf(began));
    if (STARTS.includes(fact)) keys.push(sql`0`);
    else if (split.cohort === 'order') keys.push(one.columns.orderNumber ?? sql`0`);
    else keys.push(sql`(${monthNumber(day)} - ${monthNumber(began)})`);
  }
  keys.push(...dimensions);
  // What all terms are narrowed to is left out before it is added up; by number of order, cohorts have a column for each that there is.
  const shared = split.cohort === 'order' ? {} : sharedBy(terms);
  tests.push(conditionOf(fact, one.columns, shared));
  const sums = terms.map(({ measure: name, when }, n) => {
    const kind = known.measures[name];
    const value = one.measures[name]?.value;
    if (!kind || !value) throw new Error(`The fact "${fact}" has no "${name}".`);
    const rest = Object.fromEntries(Object.entries(when).filter(([column]) => !(column in shared)));
    const where = sql`filter (where ${conditionOf(fact, one.columns, rest)})`;
    const whole = kind === 'distinct' ? sql`count(distinct ${value}) ${where}` : sql`coalesce(sum(${value}) ${where}, 0)::bigint`;
    return sql`${whole} as ${sql.raw(`a${n}`)}`;
  });
  return sql<Row>`select ${sql.join([...named(keys, 'k'), ...sums])} from ${one.from} ${sql.join(joins, sql` `)}
    where ${sql.join(tests, sql` and `)} ${keys.length ? sql`group by ${places(keys.length)}` : sql``}`;
}
/** The conditions that all terms have. */
const sharedBy = (terms: readonly MetricTerm[]): MetricTerm['when'] =>
  Object.fromEntries(
    Object.entries(terms[0]?.when ?? {}).filter(([column, values]) =>
      terms.every(({ when }) => JSON.stringify(when[column]) === JSON.stringify(values)),
    ),
  );
const named = (values: readonly Sql[], letter: string): Sql[] => values.map((value, i) => sql`${value} as ${sql.raw(`${letter}${i}`)}`);
const places = (count: number): Sql => sql.join(Array.from({ length: count }, (_, i) => sql.raw(String(i + 1))));

/** What lasts, as the parts of a period begin or end. */
function stockQuery(asking: Asking, terms: readonly MetricTerm[], period: Period, split: Split, scope: LedgerScope): RawBuilder<Row> {
  const { fact, at, when } = terms[0] as MetricTerm;
  const spans = spansOf(asking, period, split);
  if (spans.length === 0) return sql<Row>`select 1 where false`;
  return sql<Row>`${ledgerStock({
    store: asking.store,
    scope,
    of: fact === 'subscriber' ? 'CUSTOMER' : 'SUBSCRIPTION',
    where: conditionOf(fact, LEDGER_COLUMNS, when),
    when: columnsOf(terms),
    measures: terms.map(({ measure: name }) => name),
    by: split.by ?? [],
    isByCohort: split.cohort !== undefined,
    days: spans.map(({ startDate, endDate }) => (at === 'start' ? startDate : addDays(endDate, 1))),
    keys: spans.map(({ key }) => key),
    months: spans.map(({ endDate }) => Number(endDate.slice(0, 4)) * 12 + Number(endDate.slice(5, 7))),
    isByTime: split.grain !== undefined && !split.cohort,
    grouped,
  })}`;
}

/** The stretches of days at whose begin or end something is counted that lasts. */
function spansOf({ now, store }: Asking, period: Period, split: Split): { key: string; startDate: string; endDate: string }[] {
  if (split.cohort) return partsOf(period, 'month');
  const parts = split.grain ? partsOf(period, split.grain) : [{ key: '', ...period }];
  // Days that are still to come have no figure.
  const today = todayOf(store, now);
  return parts.filter(({ startDate }) => startDate <= today);
}
