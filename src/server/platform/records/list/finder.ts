// Searches by the database's own function for finding the first matches in order.
import { sql, type RawBuilder } from 'kysely';
import { type Plan, byKeys, DEEPEST, FINDERS } from './list-plan.ts';
import { type Wanted, type Found } from './list-plan.ts';
import { inOrder } from './in-order.ts';

/** The first page of what the finder finds, in order, and how many it found. */
export async function firstMatching(plan: Plan, { want }: Wanted): Promise<Found> {
  const {
    trx,
    shape,
    conditions: { finder },
    sort,
  } = plan;
  const { rows } = await sql<{ id: string; found: number }>`
    select m.id::text as id, m.found from ${sql.ref(`${shape.table}_first_matching`)}(${finder.parts}::text[], ${finder.starts}::text[],
      ${finderLists(plan)}, ${sort.column}, ${plan.descending}, ${want}::integer) as m`.execute(trx);
  const keys = rows.map(row => row.id);
  return {
    rows: await inOrder(byKeys(plan, keys), { backward: false, offset: 0, want }, []),
    seen: { n: Math.min(rows[0]?.found ?? 0, DEEPEST), isWhole: (rows[0]?.found ?? 0) <= DEEPEST },
  };
}

export const finderLists = ({ shape, conditions: { finder } }: Plan): RawBuilder<unknown> =>
  sql.join(
    (FINDERS[shape.table] ?? []).map(
      column => sql`${finder.overlaps[column] ?? null}::${sql.raw(column === 'tags' ? 'text[]' : 'bigint[]')}`,
    ),
  );

/** How many there are, as the planner guesses, and whether the database takes only the letters of ASCII for letters. */
export async function estimate(plan: Plan): Promise<{ n: number; isC: boolean }> {
  const {
    trx,
    shape,
    conditions: { finder },
  } = plan;
  const { rows } = await sql<{
    n: number;
    isC: boolean;
  }>`select ${sql.ref(`${shape.table}_estimate`)}(${finder.parts}::text[], ${finder.starts}::text[], ${finderLists(plan)}) as n,
      cardinality(show_trgm('ø')) = 0 as "isC"`.execute(trx);
  return rows[0] ?? { n: 0, isC: false };
}

/** How many the finder finds, as a total. */
export async function finderCount(plan: Plan): Promise<{ n: number; isWhole: boolean }> {
  const {
    trx,
    shape,
    conditions: { finder },
  } = plan;
  const { rows } = await sql<{
    n: number;
  }>`select count(*) as n from ${sql.ref(`${shape.table}_matching`)}(${finder.parts}::text[], ${finder.starts}::text[],
      ${finderLists(plan)}, ${DEEPEST + 1}::integer)`.execute(trx);
  const n = rows[0]?.n ?? 0;
  return { n: Math.min(n, DEEPEST), isWhole: n <= DEEPEST };
}

export async function finderKeys(plan: Plan): Promise<string[]> {
  const {
    trx,
    shape,
    conditions: { finder },
  } = plan;
  const { rows } = await sql<{
    id: string;
  }>`select m::text as id from ${sql.ref(`${shape.table}_matching`)}(${finder.parts}::text[], ${finder.starts}::text[],
      ${finderLists(plan)}, ${DEEPEST + 1}::integer) as m`.execute(trx);
  return rows.map(row => row.id);
}
