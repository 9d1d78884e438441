// What a list is about to read: its conditions, its order and where its rows come from; what its pages and its totals share.
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { Tables } from '../../generated/tables.ts';
import type { Conditions } from './filter.ts';
import type { Field, Shape } from './shape.ts';

/** Pages by number, and exact totals, end here; deeper goes by cursor, and more is "10,000+". */
export const DEEPEST = 10_000;
/** Tables with a function `<table>_matching` that finds by words and overlapping lists (migration 002), and the lists it takes in order. */
export const FINDERS: Record<string, string[]> = {
  contracts: ['product_ids', 'variant_ids', 'plan_group_ids', 'tags'], customers: ['tags'], products: ['tags'],
};
/** Tables whose rows are counted as they change (`counters`), and by which column. */
export const COUNTED: Record<string, string> = { contracts: 'status', customers: 'subscriber_status', products: 'status', account_log: 'source' };

/** A row of the page, with what a cursor to it is made of. */
export type Row = Record<string, unknown> & { sort_cursor: string | null; key_cursor: string };
/** How one page of a list is read. */
export interface Plan {
  trx: Kysely<Tables>; storeId: number; shape: Shape; fixed: RawBuilder<unknown>[]; conditions: Conditions; columns: RawBuilder<unknown>;
  sort: Field; descending: boolean; window: number; looked: number;
  /** What stands after `from`: the table, or the rows that the finder named. */
  source: RawBuilder<unknown>;
  /** How many conditions the list has of its own (`where`). */
  extra: number;
}

/** Conditions that must all hold; none: always true. */
export const and = (conditions: RawBuilder<unknown>[]): RawBuilder<unknown> => (conditions.length ? sql.join(conditions, sql` and `) : sql`true`);

/** The same over the rows with these keys. "offset 0" keeps the planner from walking the whole list in order in search of them. */
export const byKeys = (plan: Plan, keys: string[]): Plan => ({
  ...plan, source: sql`(select k.* from ${sql.table(plan.shape.table)} as k where k.store_id = ${plan.storeId}::integer and ${sql.ref(`k.${plan.shape.key.column}`)} = any(${keys}::bigint[]) offset 0)`,
});

/** Conditions that the finder doesn't take: lists in columns it doesn't know. What it takes, it has answered exactly. */
export const unanswered = ({ shape, conditions }: Plan): RawBuilder<unknown>[] => (Object.keys(conditions.finder.overlaps).every(column => FINDERS[shape.table]?.includes(column)) ? [] : conditions.late);

/** A list as it is mostly asked for: all rows, or those of one value of the column that is counted, which has an index. */
export function isUsual({ shape, conditions: { isEmpty, onlyOn }, extra }: Plan): boolean {
  return extra === 0 && (isEmpty || (onlyOn !== undefined && onlyOn.column === COUNTED[shape.table] && onlyOn.values.length === 1 && onlyOn.values[0] !== null));
}
