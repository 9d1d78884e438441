// How many rows a list has: from counters that are kept as rows change, counted exactly, or the least there can be.
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { sum } from '../../../../domain/money/money.ts';
import type { Tables } from '../../../../generated/tables.ts';
import { prepared } from '../../db/prepared-statements.ts';
import { and, byKeys, COUNTED, COUNTED_FLAGS, DEEPEST, unanswered, walked, type Plan } from './list-plan.ts';

/** Tables with an index over all columns of few values (`_facets` in the migrations), from which any of them together are counted. */
const FACETS: Record<string, ReadonlySet<string>> = {
  contracts: new Set([
    'status',
    'country_code',
    'frequency',
    'delivery_type',
    'source',
    'last_payment_status',
    'last_payment_category',
    'is_prepaid',
    'is_marked_for_cancellation',
    'has_custom_plan',
    'completed_orders',
    'currency_code',
  ]),
  customers: new Set(['subscriber_status', 'has_failed_payment', 'country_code']),
};
/** "1,000+" says enough: no other index is tried then. */
const ENOUGH = 1_000;

/** How many rows there are, counted no further than `most`. */
export async function countUpTo({ trx, source, fixed, conditions }: Plan, most: number, also: RawBuilder<unknown>[] = []): Promise<number> {
  const { rows } = await sql<{
    n: number;
  }>`select count(*) as n from (select 1 from ${source} as r where ${and([...fixed, ...conditions.early, ...also])}
      limit ${most}) as counted`.execute(trx);
  return rows[0]?.n ?? 0;
}

/** Counters kept for the table: value of the counted column -> rows. */
export async function countersOf(trx: Kysely<Tables>, storeId: number, table: string): Promise<Map<string, number>> {
  const { rows } = await prepared(
    sql<{
      key: string;
      n: number;
    }>`select key, sum(n)::bigint as n from counters where store_id = ${storeId} and name = ${table} group by key`,
  ).execute(trx);
  return new Map(rows.map(row => [row.key, row.n]));
}

/** The numbers on the tabs of a list whose rows are counted: `all` of them, and those of each of the given values. */
export async function tabCounts<V extends string>(
  { trx, storeId }: { trx: Kysely<Tables>; storeId: number },
  table: string,
  values: readonly V[],
): Promise<Record<V | 'all', number>> {
  const by = await countersOf(trx, storeId, table);
  const each = [['all', sum(by.values())], ...values.map(value => [value, by.get(value) ?? 0])];
  return Object.fromEntries(each) as Record<V | 'all', number>;
}

/** The total that is kept for the table; undefined when the list asks for rows that are not counted apart. */
export async function keptTotal({ trx, storeId, shape, conditions }: Plan): Promise<number | undefined> {
  const counted = COUNTED[shape.table];
  const flag = conditions.onlyOn && COUNTED_FLAGS[shape.table]?.[conditions.onlyOn.column];
  if (flag && conditions.onlyOn?.values.length === 1 && conditions.onlyOn.values[0] === true)
    return (await countersOf(trx, storeId, flag)).get('ALL') ?? 0;
  if (!counted || !(conditions.isEmpty || conditions.onlyOn?.column === counted)) return undefined;
  const counters = await countersOf(trx, storeId, shape.table);
  const values = conditions.isEmpty ? [...counters.keys()] : (conditions.onlyOn?.values ?? []).map(String);
  return sum(values.map(value => counters.get(value) ?? 0));
}

/** The total of a list: of the keys that its search found, or counted as far as it is worth. */
export async function totalOf(plan: Plan, keys: string[] | undefined): Promise<{ total: number; isCapped: boolean }> {
  const { conditions } = plan;
  if (conditions.late.length > 0 && !keys) {
    // Counted within the window only, from the top of the list, so that every page says the same.
    const hits = await stretchCount(plan);
    return { total: hits.n, isCapped: !hits.isWhole };
  }
  const bounded = keys ? undefined : await countWithin(plan);
  if (bounded) return bounded;
  const n = keys ? await countUpTo(byKeys(plan, keys), DEEPEST + 1, unanswered(plan)) : await countUpTo(plan, DEEPEST + 1);
  return { total: Math.min(n, DEEPEST), isCapped: n > DEEPEST };
}

/** All rows that the filters leave, however many; with a search that can't be answered by an index, those of its window. */
export async function wholeTotalOf(plan: Plan): Promise<number> {
  return plan.conditions.late.length > 0 ? (await stretchCount(plan)).n : countUpTo(plan, Number.MAX_SAFE_INTEGER);
}

/** How many rows the filters leave, counted no further than `most`, where an index of few values answers all of them; else undefined. */
export async function countFacets(plan: Plan, most: number): Promise<number | undefined> {
  const facets = FACETS[plan.shape.table];
  return facets && plan.extra === 0 && plan.conditions.byField.every(one => facets.has(one.column)) ? countUpTo(plan, most) : undefined;
}

/**
 * A total for conditions that no one index answers together: one index gives the rows to look at, of facets or of a range, and the others
 * are asked of each of these. When there are too many of them, another index is tried; after that the total says that there are more.
 */
async function countWithin(plan: Plan): Promise<{ total: number; isCapped: boolean } | undefined> {
  const {
    trx,
    shape,
    source,
    fixed,
    looked: most,
    conditions: { byField },
  } = plan;
  const facets = FACETS[shape.table];
  if (!facets) return undefined;
  const inFacets = byField.filter(one => facets.has(one.column));
  const ranges = byField.filter(one => !facets.has(one.column));
  if (ranges.length === 0 || byField.length < 2) return undefined;
  let best = { total: 0, isCapped: true };
  for (const first of [...(inFacets.length ? [inFacets] : []), ...ranges.filter(one => one.isRange).map(one => [one])]) {
    const others = byField.filter(one => !first.includes(one)).flatMap(one => one.all);
    const { rows } = await sql<{ n: number; looked: number }>`select count(*) filter (where ${and(others)}) as n, count(*) as looked
      from (select r.* from ${source} as r where ${and([...fixed, ...first.flatMap(one => one.all)])} limit ${most + 1}) as r`.execute(trx);
    const { n = 0, looked = 0 } = rows[0] ?? {};
    if (looked <= most) return { total: Math.min(n, DEEPEST), isCapped: n > DEEPEST };
    if (n > best.total) best = { total: Math.min(n, DEEPEST), isCapped: true };
    if (n >= ENOUGH) break;
  }
  return best;
}

async function stretchCount(plan: Plan): Promise<{ n: number; isWhole: boolean }> {
  const { trx, shape, fixed, conditions, sort, descending } = plan;
  const order = sql`${sort.sql} ${sql.raw(descending ? 'desc' : 'asc')}`;
  const values = sort.nullable ? [sql`${sort.sql} is not null`] : [];
  const { rows } = await sql<{ n: number; looked: number }>`select count(*) filter (where ${and(conditions.late)}) as n, count(*) as looked
    from (${walked(plan, [...fixed, ...conditions.early, ...values], order, descending, plan.window)}) as r`.execute(trx);
  const { n = 0, looked = 0 } = rows[0] ?? {};
  if (looked >= plan.window || !sort.nullable) return { n, isWhole: looked < plan.window };
  // The window reached beyond the rows with a value: add those without.
  const rest = await sql<{ n: number; looked: number }>`select count(*) filter (where ${and(conditions.late)}) as n, count(*) as looked
    from (select r.* from ${sql.table(shape.table)} as r where ${and([...fixed, ...conditions.early, sql`${sort.sql} is null`])}
      order by ${shape.key.sql} limit ${plan.window}) as r`.execute(trx);
  return { n: n + (rest.rows[0]?.n ?? 0), isWhole: (rest.rows[0]?.looked ?? 0) < plan.window };
}
