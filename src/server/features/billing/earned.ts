// What referrals have earned a store.
import { sql, type Kysely } from 'kysely';
import type { OfMonth } from '../../../domain/money/credits.ts';
import type { Tables } from '../../../generated/tables.ts';

/** Taken off the bill of the store that referred one that stays on a paid plan, in cents of a dollar. */
export const REWARD_CENTS = 10_000;

/** What was earned in each month, by the store's time. */
export async function earnedByMonth(trx: Kysely<Tables>, storeId: number, timezone: string): Promise<OfMonth[]> {
  const { rows } = await sql<{ month: string; cents: number }>`
    select to_char((data ->> 'earnedAt')::timestamptz at time zone ${timezone}, 'YYYY-MM') as month,
      (sum((data ->> 'earned')::numeric) * 100)::integer as cents
    from records where store_id = ${storeId}::integer and entity = 'referral' and deleted_at is null and data ->> 'status' = 'EARNED'
    group by 1`.execute(trx);
  return rows;
}
