// How many subscriptions meet a set of conditions, told while it is typed.
import { sql, type RawBuilder } from 'kysely';
import type { JsonObject } from '../../../../contract/types.ts';
import type { Context } from '../../../platform/context.ts';
import { conditionSql } from '../../../platform/records/conditions/compile.ts';
import { tabCounts } from '../../../platform/records/list/totals.ts';

/** Up to so many subscriptions are all looked at; of more a sample tells about how many match. */
const ALL_OF = 20_000;
const SAMPLE = 6_000;

/**
 * `{ count, isAbout, total }`: exact where the store has up to 20,000 subscriptions, else reckoned from a sample that lies evenly
 * over their ids, and then rounded to two digits. The same question has the same answer.
 */
export async function count(context: Context, { conditions }: { conditions: JsonObject }): Promise<JsonObject> {
  const { trx, storeId } = context;
  const { all: total } = await tabCounts(context, 'contracts', []);
  const where = await conditionSql(context, conditions, context.definitions.conditions);
  if (where === undefined) return { count: total, isAbout: false, total };
  const own = sql`r.store_id = ${storeId}::integer`;
  const counted = async (from: RawBuilder<unknown>): Promise<{ n: number; looked: number }> => {
    const { rows } = await sql<{ n: number; looked: number }>`select count(*) filter (where ${where})::integer as n,
      count(*)::integer as looked from ${from} as r where ${own}`.execute(trx);
    return rows[0] ?? { n: 0, looked: 0 };
  };
  if (total <= ALL_OF) return { count: (await counted(sql`contracts`)).n, isAbout: false, total };
  const sample = sql`(select c.* from (select min(id) as low, max(id) as high from contracts where store_id = ${storeId}::integer) as ends
    cross join lateral generate_series(low, high, greatest(1, (high - low) / ${SAMPLE}::bigint)) as step(id)
    join contracts c on c.store_id = ${storeId}::integer and c.id = step.id)`;
  const { n, looked } = await counted(sample);
  return { count: rounded(looked === 0 ? 0 : (n / looked) * total), isAbout: true, total };
}

/** Two digits: more than a sample knows would only look exact. */
const rounded = (n: number): number => (n < 100 ? Math.round(n) : Number(n.toPrecision(2)));
