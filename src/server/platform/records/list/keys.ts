// The keys of a whole list at one moment, and the rows of keys; for lists that go on while rows change.
import { sql } from 'kysely';
import { inJson } from '../../db/json-rows.ts';
import { yieldToEventLoop } from '../../queue/yield-to-event-loop.ts';
import type { EntityMapping } from '../entity-mapping.ts';
import { visible } from '../mask.ts';
import { isIndexed } from './filter.ts';
import { estimate, finderLists } from './finder.ts';
import { unanswered, and } from './list-plan.ts';
import { type ListQuery, orderOf, type Where, planOf, type Take, scopeOf, textOf } from './list.ts';
import { readingOf, KEY_VALUE } from './row-serializer.ts';

/** Keys that are read from the answer before others may have their turn. */
const KEYS_AT_ONCE = 4096;

/** Whether a row can change its place in a list while the list is read. */
export function canMove(shape: EntityMapping, query: ListQuery): boolean {
  const { sort } = orderOf(shape, query);
  return shape.key.kind === 'whole' && sort.column !== shape.key.column && sort.column !== 'created_at';
}

/** The keys of a whole list in its order, as they are at one moment: eight bytes for each row. For entities whose keys are numbers. */
export async function keysInOrder(context: Where, shape: EntityMapping, query: ListQuery): Promise<Float64Array> {
  const { plan } = await planOf(context, shape, query);
  const {
    trx,
    fixed,
    conditions: { early, late, finder },
    sort,
    descending,
    source,
  } = plan;
  const isFound = late.length > 0 && isIndexed(finder, (await estimate(plan)).isC);
  const searched = isFound
    ? [
        sql`${shape.key.sql} in (select ${sql.ref(`${shape.table}_matching`)}(${finder.parts}::text[], ${finder.starts}::text[],
          ${finderLists(plan)}, 2147483647))`,
        ...unanswered(plan),
      ]
    : late;
  const direction = sql.raw(descending ? 'desc' : 'asc');
  const order = sql`${sort.sql} ${direction} ${sql.raw(sort.nullable ? 'nulls last' : '')}, ${shape.key.sql} ${direction}`;
  // One text in place of one object for each row.
  const { rows } = await sql<{
    n: number;
    keys: string | null;
  }>`select count(*) as n, string_agg(key, ',') as keys from (select ${shape.key.sql}::text as key from ${source} as r
      where ${and([...fixed, ...early, ...searched])} order by ${order}) as k`.execute(trx);
  const { n = 0, keys } = rows[0] ?? {};
  const found = new Float64Array(n);
  const turn = yieldToEventLoop();
  for (let at = 0, from = 0; keys && at < n; at++) {
    if (at % KEYS_AT_ONCE === 0) await turn();
    const to = keys.indexOf(',', from);
    found[at] = Number(keys.slice(from, to < 0 ? undefined : to));
    from = to + 1;
  }
  return found;
}

/** The rows with these keys, in the order of the keys; those that are gone are left out. */
export async function rowsByKeys<T>(
  context: Where,
  shape: EntityMapping,
  keys: readonly number[],
  only: ListQuery['only'],
  take: Take<T>,
): Promise<T[]> {
  const reading = readingOf(visible(shape, context), only);
  const { rows } = await inJson(
    sql`select null, ${shape.key.sql}::text, ${reading.columns} from ${sql.table(shape.table)} as r where ${and(scopeOf(shape, context))}
        and ${shape.key.sql} = any(${keys}::bigint[])`,
  ).execute(context.trx);
  const byKey = new Map(rows.map(row => [Number(textOf(row[KEY_VALUE])), row]));
  return keys.flatMap(key => {
    const row = byKey.get(key);
    return row ? [take(row, reading)] : [];
  });
}
