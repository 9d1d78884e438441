// What a referral earns: once the store that joined has been on a paid plan for 30 days.
import { sql } from 'kysely';
import type { Definitions, JsonObject } from '../../../contract/types.ts';
import { mayRefer } from '../../platform/auth/sessions.ts';
import { planOf } from '../../platform/auth/store-plan.ts';
import type { Store } from '../../platform/context.ts';
import { writeLog } from '../../platform/records/account-log.ts';
import type { Services } from '../../platform/services.ts';
import { REWARD_CENTS } from '../billing/earned.ts';

/** Gives what is due for one joined store; safe to repeat, and to be cut off in between. */
async function giveReward({ db, definitions }: RewardServices, joined: Store, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  const { storeId, id } = (joined.details as JsonObject).referral as { storeId: number; id: number };
  if (!mayRefer(planOf(definitions, joined), Date.now() + joined.clock_offset_ms)) return;
  await db.inStore(storeId, async trx => {
    const store = await trx.selectFrom('stores').select('clock_offset_ms').where('id', '=', storeId).executeTakeFirst();
    const at = new Date(Date.now() + (store?.clock_offset_ms ?? 0)).toISOString();
    const earned: JsonObject = { status: 'EARNED', earnedAt: at, earned: (REWARD_CENTS / 100).toFixed(2) };
    const { rows } = await sql`update records set data = data || ${JSON.stringify(earned)}::jsonb, version = version + 1, updated_at = now()
      where store_id = ${storeId}::integer and entity = 'referral' and id = ${id}::bigint and data ->> 'status' = 'JOINED'
      returning id`.execute(trx);
    if (rows.length === 0) return;
    await writeLog(trx, storeId, {
      action: 'referral.earned',
      category: 'Billing',
      description: `$${REWARD_CENTS / 100} earned: ${joined.name} stays on a paid plan`,
      entity: 'referral',
      entityId: id,
    });
  });
  await db.inStore(joined.id, trx =>
    sql`update stores set details = jsonb_set(details, '{referral,isRewarded}', 'true') where id = ${joined.id}::integer`.execute(trx),
  );
}

type RewardServices = Pick<Services, 'db'> & { definitions: Definitions };

/** Looks at all stores that joined by a link and have not earned a reward yet. */
export async function giveRewards(services: RewardServices, signal?: AbortSignal): Promise<void> {
  const joined = await services.db.asSystem(trx =>
    trx
      .selectFrom('stores')
      .selectAll()
      .where(sql<boolean>`details ? 'referral' and details -> 'referral' ->> 'isRewarded' is null`)
      .execute(),
  );
  for (const store of joined) await giveReward(services, store, signal);
}
