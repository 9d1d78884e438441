// Mystery rewards: what a campaign holds is drawn when its customer opens it, once for each customer, with odds that are counted.
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { drawn } from '../../../domain/offers/counted-draw.ts';
import { oneAtATime } from '../../platform/records/one-at-a-time.ts';
import type { EngineContext, Reward } from '../../engine/index.ts';

/** The kind of campaigns that hold one, and the plan feature that they need. */
export const MYSTERY = 'MYSTERY_REWARDS';
export const MYSTERY_FEATURE = 'mystery_rewards';

export interface MysteryRewards {
  id: number;
  rewards?: { chance: number; reward: Reward }[];
}

/** Whether a customer has opened that of a campaign before, by whichever of their subscriptions. */
export async function hasOpened(
  { trx, storeId }: Pick<EngineContext, 'trx' | 'storeId'>,
  id: number,
  customerId: number,
): Promise<boolean> {
  const { rows } = await sql`select 1 from link_events e join contracts c on c.store_id = e.store_id and c.id = e.contract_id
    where e.store_id = ${storeId}::integer and e.kind = 'CAMPAIGN' and e.action_id = ${id}::bigint and e.happened = 'CONFIRMED'
      and c.customer_id = ${customerId}::bigint limit 1`.execute(trx);
  return rows.length > 0;
}

/**
 * What the campaign holds for a customer, with its number; undefined for a customer who has opened it before. Others who open it wait
 * until this transaction ends: none gets the same number, and one that is taken back leaves no gap.
 */
export async function draw(
  context: Pick<EngineContext, 'trx' | 'storeId' | 'store'>,
  { id, rewards = [] }: MysteryRewards,
  customerId: number,
): Promise<{ reward: Reward | undefined; number: number } | undefined> {
  const { trx, storeId, store } = context;
  await oneAtATime(context, `mystery ${id}`);
  if (await hasOpened(context, id, customerId)) return undefined;
  const { rows } = await sql<{ last: number }>`select coalesce(max(draw), 0)::integer as last from link_events
    where store_id = ${storeId}::integer and action_id = ${id}::bigint and draw is not null`.execute(trx);
  const number = (rows[0]?.last ?? 0) + 1;
  const rank = (block: number, place: number): string =>
    createHash('sha256').update([store.link_secret, id, block, place].join(' ')).digest('hex');
  const which = drawn(
    rewards.map(({ chance }) => chance),
    number,
    rank,
  );
  return { reward: rewards[which]?.reward, number };
}
