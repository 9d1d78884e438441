// The page of referrals: the link, and what it has brought.
import { sql } from 'kysely';
import type { JsonObject } from '../../../contract/types.ts';
import type { RuleContext } from '../../platform/records/rules.ts';
import { changesOf, chargesOf } from '../billing/charges.ts';
import { presentPlan } from '../billing/plans.ts';
import { REWARD_CENTS } from '../billing/earned.ts';
import { linkPath } from './link.ts';

export async function referrals(context: RuleContext): Promise<JsonObject> {
  const { trx, storeId, store, definitions } = context;
  const { rows } = await sql<{ sent: number; joined: number; earned: number }>`
    select count(*) filter (where updated_by <> '') as sent, count(*) filter (where data ->> 'status' <> 'SENT') as joined,
      coalesce(sum((data ->> 'earned')::numeric) filter (where data ->> 'status' = 'EARNED'), 0)::float8 as earned
    from records where store_id = ${storeId}::integer and entity = 'referral' and deleted_at is null`.execute(trx);
  const { sent = 0, joined = 0, earned = 0 } = rows[0] ?? {};
  const charges = await chargesOf(context, presentPlan(definitions, store).plan, await changesOf(context));
  const months = new Set(charges.map(({ month }) => month));
  const {
    rows: [recent],
  } = await sql<{ value: number }>`select coalesce(sum((data ->> 'earned')::numeric), 0)::float8 as value from records
    where store_id = ${storeId}::integer and entity = 'referral' and deleted_at is null and data ->> 'status' = 'EARNED'
      and to_char((data ->> 'earnedAt')::timestamptz at time zone ${store.timezone}, 'YYYY-MM') = any(${[...months]}::text[])`.execute(trx);
  const used = charges.reduce((sum, { credit }) => sum + Number(credit), 0);
  return {
    path: linkPath(store.myshopify_domain),
    reward: `$${REWARD_CENTS / 100}`,
    sent,
    joined,
    earned: earned.toFixed(2),
    open: Math.max(0, (recent?.value ?? 0) - used).toFixed(2),
  };
}
