// Rows in the order asked for, from a cursor on, looked through one by one or found by the index.
import { type RawBuilder, sql } from 'kysely';
import { type JsonRow, inJson } from '../../db/json-rows.ts';
import { prepared } from '../../db/prepared-statements.ts';
import type { Cursor } from './cursor.ts';
import { sqlTypeOf } from './filter.ts';
import { type Plan, isUsual, walked, and } from './list-plan.ts';
import { type Wanted, USUAL_SIZES } from './list-plan.ts';
import { KEY_VALUE } from './row-serializer.ts';
import { countUpTo } from './totals.ts';

type Rows = JsonRow[] & { isWhole?: boolean; hits?: number | undefined };

/**
 * Rows in order, from a cursor or an offset. Rows without a sort value come last, in either direction of the sort: the list is read in two
 * halves, so that indexes over the values alone can serve it. With `window`, at most that many rows of a half are looked through.
 */
export async function inOrder(plan: Plan, wanted: Wanted, also: RawBuilder<unknown>[], window?: number): Promise<Rows> {
  const { sort } = plan;
  const halves: ('values' | 'nulls')[] = !sort.nullable ? ['values'] : wanted.backward ? ['nulls', 'values'] : ['values', 'nulls'];
  const from = wanted.cursor ? (wanted.cursor.value === null ? 'nulls' : 'values') : halves[0];
  const rows: Rows = [];
  rows.isWhole = true;
  let offset = wanted.offset;
  const ahead = halves.slice(halves.indexOf(from as 'values' | 'nulls'));
  for (const half of ahead) {
    const cursor = half === from ? wanted.cursor : undefined;
    const part = await halfOf(plan, {
      half,
      cursor,
      backward: wanted.backward,
      offset,
      limit: wanted.want - rows.length,
      also,
      window,
    });
    rows.push(...part);
    if (part.hits !== undefined) rows.hits = (rows.hits ?? 0) + part.hits;
    if (part.isWhole === false) {
      rows.isWhole = false;
      break;
    }
    if (rows.length >= wanted.want) {
      // What the other half holds was not looked at: the window gives no total.
      if (half !== ahead.at(-1)) rows.hits = undefined;
      break;
    }
    if (offset > 0)
      offset = part.length > 0 ? 0 : Math.max(0, offset - (await countUpTo(plan, offset, [...also, sql`${sort.sql} is not null`])));
  }
  return rows;
}

interface Half {
  half: 'values' | 'nulls';
  cursor?: Cursor;
  backward: boolean;
  offset: number;
  limit: number;
  also: RawBuilder<unknown>[];
  window?: number;
}

async function halfOf(plan: Plan, { half, cursor, backward, offset, limit, also, window }: Half): Promise<Rows> {
  const { trx, shape, fixed, conditions, columns, sort, source } = plan;
  const key = shape.key.sql;
  const byKeyAlone = sort.column === shape.key.column && !sort.inDocument;
  const down = plan.descending !== backward;
  const direction = sql.raw(down ? 'desc' : 'asc');
  const beyond = sql.raw(down ? '<' : '>');
  const conditionsHere = [...fixed, ...conditions.early];
  if (sort.nullable) conditionsHere.push(half === 'values' ? sql`${sort.sql} is not null` : sql`${sort.sql} is null`);
  if (cursor) {
    const keyValue = sql`${cursor.key}::${sql.raw(shape.key.kind === 'text' ? 'text' : 'bigint')}`;
    if (byKeyAlone || half === 'nulls') conditionsHere.push(sql`${key} ${beyond} ${keyValue}`);
    else conditionsHere.push(sql`(${sort.sql}, ${key}) ${beyond} (${cursor.value}::${sql.raw(sqlTypeOf(sort))}, ${keyValue})`);
  }
  const order = byKeyAlone || half === 'nulls' ? sql`${key} ${direction}` : sql`${sort.sql} ${direction}, ${key} ${direction}`;
  const read = sql`${sort.sql}::text, ${key}::text, ${columns}`;
  const from = sql`from ${source} as r`;
  if (window === undefined) {
    const isInParts = plan.comparableAmounts !== undefined || (plan.keysFirst && !isUsual(plan));
    if (isInParts)
      return (
        await inJson(
          sql`select ${read} from (${walked(plan, [...conditionsHere, ...also], order, down, limit, cursor?.value, offset)}) as r
            order by ${order}`,
        ).execute(trx)
      ).rows;
    const page = inJson(
      sql`select ${read} ${from} where ${and([...conditionsHere, ...also])} order by ${order}
        limit ${sql.lit(limit)} offset ${sql.lit(offset)}`,
    );
    return (await (isUsual(plan) && offset === 0 && USUAL_SIZES.has(limit) ? prepared(page) : page).execute(trx)).rows;
  }
  // Only keys and places are kept of the window; the rows of the page are fetched by their keys. The counts say what the window held.
  const { rows } = await inJson(sql`
    with near as materialized (select ${key} as near_key, (${and(also)}) as hit, row_number() over () as place
      from (${walked(plan, conditionsHere, order, down, window, cursor?.value)}) as r),
    page as (select near_key, place from near where hit order by place limit ${limit} offset ${offset})
    select h.*, c.looked, c.hits from (select count(*) as looked, count(*) filter (where hit) as hits from near) c
    left join (select ${read}, page.place from page join ${sql.table(shape.table)} as r on ${and(fixed)} and ${key} = page.near_key) h
      on true order by h.place`).execute(trx);
  const [looked = 0, hits = 0] = (rows[0] ?? []).slice(-2).map(Number);
  const found: Rows = rows.filter(row => row[KEY_VALUE] !== null);
  found.isWhole = looked < window;
  found.hits = hits;
  return found;
}
