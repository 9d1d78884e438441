// What a list is about to read: its conditions, its order and where its rows come from; what its pages and its totals share.
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Tables } from '../../../../generated/tables.ts';
import type { Conditions } from './filter.ts';
import type { Field, EntityMapping } from '../entity-mapping.ts';
import type { ComparableAmount } from './currency-comparison.ts';
import type { JsonRow } from '../../db/json-rows.ts';
import type { Cursor } from './cursor.ts';

/** Pages by number, and exact totals, end here; deeper goes by cursor, and more is "10,000+". */
export const DEEPEST = 10_000;
/** Tables with a function `<table>_matching` that finds by words and overlapping lists (migration 002), and the lists it takes in order. */
export const FINDERS: Record<string, string[]> = {
  contracts: ['product_ids', 'variant_ids', 'plan_group_ids', 'tags'],
  customers: ['tags'],
  products: ['tags'],
};
/** Tables whose rows are counted as they change (`counters`), and by which column. */
export const COUNTED: Record<string, string> = {
  contracts: 'status',
  customers: 'subscriber_status',
  products: 'status',
  account_log: 'source',
};

/** Columns that are true for few rows, whose number is kept as well: column -> the name of its counter. */
export const COUNTED_FLAGS: Record<string, Record<string, string>> = { customers: { has_failed_payment: 'customers_failing' } };

/** How one page of a list is read. */
export interface Plan {
  trx: Kysely<Tables>;
  storeId: number;
  shape: EntityMapping;
  fixed: RawBuilder<unknown>[];
  conditions: Conditions;
  columns: RawBuilder<unknown>;
  sort: Field;
  descending: boolean;
  window: number;
  looked: number;
  /** What stands after `from`: the table, or the rows that the finder named. */
  source: RawBuilder<unknown>;
  /** The list is sorted by this amount, of these currencies: each is walked by itself, and `sort` is what the amounts are worth. */
  comparableAmounts?: { amount: Field; each: readonly ComparableAmount[] } | undefined;
  /** How many conditions the list has of its own (`where`). */
  extra: number;
  /** The keys of the page are looked for first, in the index of the order, and only the rows of these keys are fetched. */
  keysFirst: boolean;
}

/** Tables with indexes that hold columns of few values beside an order, and the columns of these orders. */
const COVERED: Record<string, readonly string[]> = { contracts: ['created_at', 'total'] };
/** Whether rows that don't match can be passed over in the index alone. */
export const isCovered = (shape: EntityMapping, sort: Field, { early }: Conditions): boolean =>
  early.length > 0 && COVERED[shape.table]?.includes(sort.column) === true;

/** Conditions that must all hold; none: always true. */
export const and = (conditions: RawBuilder<unknown>[]): RawBuilder<unknown> =>
  conditions.length ? sql.join(conditions, sql` and `) : sql`true`;

/**
 * Rows in the order of the list that meet all conditions, as many as `most`. Amounts of several currencies are walked currency by currency,
 * each by its index, and put together by what they are worth; `from` is the worth that the walks may begin at, `skip` how many rows are
 * passed over. Only keys are carried until the rows are chosen.
 */
export function walked(
  { source, shape, comparableAmounts, keysFirst, storeId, conditions: { worth } }: Plan,
  conditions: RawBuilder<unknown>[],
  order: RawBuilder<unknown>,
  down: boolean,
  most: number,
  from?: string | null,
  skip = 0,
): RawBuilder<unknown> {
  const key = sql.ref(shape.key.column);
  const ofKeys = (first: RawBuilder<unknown>) =>
    sql`select r.* from (${first}) as first join ${sql.table(shape.table)} as r on r.store_id = ${storeId}::integer
        and ${shape.key.sql} = first.${key} order by ${order}`;
  if (!comparableAmounts) {
    const read = (columns: RawBuilder<unknown>) =>
      sql`select ${columns} from ${source} as r where ${and(conditions)} order by ${order} limit ${sql.lit(most)} offset ${sql.lit(skip)}`;
    return keysFirst ? ofKeys(read(shape.key.sql)) : read(sql`r.*`);
  }
  const direction = sql.raw(down ? 'desc' : 'asc');
  const { amount, each } = comparableAmounts;
  const shared = conditions.filter(one => one !== worth?.any);
  // Rounded away from the rows that count: the conditions hold the exact bound.
  const begun = (unit: RawBuilder<unknown>) =>
    from === undefined || from === null
      ? []
      : [
          down
            ? sql`${amount.sql} <= ceil(${from}::numeric / ${unit})::bigint`
            : sql`${amount.sql} >= floor(${from}::numeric / ${unit})::bigint`,
        ];
  const walks = each.map(
    ({ currency, unit }, i) => sql`(select ${shape.key.sql}, ${amount.sql}, r.currency_code from ${source} as r
    where ${and([...shared, sql`r.currency_code = ${currency}`, ...(worth?.each[i] ?? []), ...begun(unit)])}
      order by ${amount.sql} ${direction}, ${shape.key.sql} ${direction} limit ${sql.lit(most + skip)})`,
  );
  return ofKeys(
    sql`select r.${key} from (${sql.join(walks, sql` union all `)}) as r order by ${order} limit ${sql.lit(most)} offset ${sql.lit(skip)}`,
  );
}

/** The same over the rows with these keys. "offset 0" keeps the planner from walking the whole list in order in search of them. */
export const byKeys = (plan: Plan, keys: string[]): Plan => ({
  ...plan,
  comparableAmounts: undefined,
  keysFirst: false,
  source: sql`(select k.* from ${sql.table(plan.shape.table)} as k where k.store_id = ${plan.storeId}::integer
      and ${sql.ref(`k.${plan.shape.key.column}`)} = any(${keys}::bigint[]) offset 0)`,
});

/** The same over the rows that meet the early conditions, all of them, whatever their order: for few rows that may stand anywhere in it. */
export const gathered = (plan: Plan): Plan => ({
  ...plan,
  comparableAmounts: undefined,
  keysFirst: false,
  source: sql`(select r.* from ${plan.source} as r where ${and([...plan.fixed, ...plan.conditions.early])} offset 0)`,
});

/** Conditions that the finder doesn't take: lists in columns it doesn't know. What it takes, it has answered exactly. */
export const unanswered = ({ shape, conditions }: Plan): RawBuilder<unknown>[] =>
  Object.keys(conditions.finder.overlaps).every(column => FINDERS[shape.table]?.includes(column)) ? [] : conditions.late;

/** A list as it is mostly asked for: all rows, or those of one value of the column that is counted, which has an index. */
export function isUsual({ shape, conditions: { isEmpty, onlyOn }, extra }: Plan): boolean {
  return (
    extra === 0 &&
    (isEmpty || (onlyOn !== undefined && onlyOn.column === COUNTED[shape.table] && onlyOn.values.length === 1 && onlyOn.values[0] !== null))
  );
}
/** The pages that people ask for, with the row beyond that says whether there is more: their statements are kept. */

export const USUAL_SIZES: ReadonlySet<number> = new Set([10, 25, 50, 100, 250].map(size => size + 1));

export interface Wanted {
  cursor?: Cursor;
  backward: boolean;
  offset: number;
  want: number;
}
export interface Found {
  rows: JsonRow[];
  keys?: string[];
  /** How many the window held, of the whole list: a total, or the least it can be. */ seen?: { n: number; isWhole: boolean };
}
