// Points of customers at the store's loyalty app: what they have, and redeeming a reward for a subscription.
import { sql } from 'kysely';
import type { JsonObject, JsonValue } from '../../../../contract/types.ts';
import { notFound, ownTransactions, Reply, type Context } from '../../../platform/context.ts';
import { change, engineOf } from '../../../engine/index.ts';
import { rememberPoints } from '../loyalty-balance.ts';
import { mostOf, redeemReward, type Redeemer, waiting } from '../loyalty.ts';
import { loyaltyApp, NoAnswer, pointsOf, rewardsOf } from '../loyalty-vendor.ts';
import { later, t } from '../../../../domain/text/t.ts';

interface Of {
  subscriptionId?: number;
  customerId?: number;
}

/** The customer, or the one of a subscription, and the address by which the app knows them. */
async function customerOf({ trx, storeId }: Context, { subscriptionId, customerId }: Of): Promise<{ id: number; email: string }> {
  const row =
    subscriptionId === undefined
      ? await trx
          .selectFrom('customers')
          .select(['id', 'email'])
          .where('store_id', '=', storeId)
          .where('id', '=', customerId ?? 0)
          .executeTakeFirst()
      : await trx
          .selectFrom('contracts')
          .select(['customer_id as id', 'customer_email as email'])
          .where('store_id', '=', storeId)
          .where('id', '=', subscriptionId)
          .executeTakeFirst();
  if (!row) throw notFound(subscriptionId === undefined ? later`customer` : later`subscription`);
  return { id: row.id, email: row.email ?? '' };
}

async function redeemed({ trx, storeId }: Context, { subscriptionId, customerId }: Of): Promise<JsonObject[]> {
  const { rows } = await sql<{ id: number; title: string; points: string; status: string; at: Date; subscription: number }>`
    select r.id, r.title, r.points::text as points, r.status, r.created_at as at, r.contract_id as subscription
    from loyalty_redemptions r join contracts c on c.store_id = r.store_id and c.id = r.contract_id
    where r.store_id = ${storeId}::integer and r.status in ('APPLIED', 'RETURNING', 'RETURNED')
      and ${subscriptionId === undefined ? sql`c.customer_id = ${customerId ?? 0}::bigint` : sql`c.id = ${subscriptionId}::bigint`}
    order by r.id desc limit 5`.execute(trx);
  return rows.map(({ points, at, subscription, ...row }) => ({
    ...row,
    points: Number(points),
    createdAt: at.toISOString(),
    subscriptionId: subscription,
  }));
}

/**
 * Points and rewards of a customer; `isFull` where no more rewards can wait for the next order of the subscription. Without a loyalty app
 * `app` is null; where it does not answer, `error` says so. @throws Refusal 404
 */
export const account = ownTransactions(async (context: Context, input: Of): Promise<JsonValue> => {
  const { app, customer, past, waits } = await context.transaction(async inner => ({
    customer: await customerOf(inner, input),
    app: await loyaltyApp(inner),
    past: await redeemed(inner, input),
    waits: input.subscriptionId === undefined ? 0 : await waiting(inner, input.subscriptionId),
  }));
  if (!app) return { app: null, points: null, rewards: [], redemptions: [], isFull: false, error: null };
  const answer = { app: app.kind.name, redemptions: past, isFull: waits >= mostOf(app) };
  const { id, email } = customer;
  if (!email) return { ...answer, points: null, rewards: [], error: t`Without an e-mail address the app does not know this customer.` };
  try {
    const [points, rewards] = [await pointsOf(context, app, email), await rewardsOf(context, app, email)];
    await context.transaction(inner => rememberPoints(inner.trx, context.storeId, id, points));
    return { ...answer, points, rewards: rewards.map(one => ({ ...one, isInReach: one.points <= points })), error: null };
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    return { ...answer, points: null, rewards: [], error: t`${app.kind.name} could not be reached. Try again later.` };
  }
});

/** A person of the store, whose changes stand in the account log. */
const redeemerOf = (context: Context): Redeemer => ({
  outgoing: context.outgoing,
  config: context.config,
  storeId: context.storeId,
  transaction: work =>
    context.transaction(inner =>
      work({
        ...engineOf(inner),
        definitions: inner.definitions,
        secrets: inner.secrets,
        change: (id, changes) => change({ ...inner, expectedVersion: undefined }, 'addDiscount', { id }, changes),
      }),
    ),
});

/** Takes the points and puts the discount on the next order of the subscription. */
export const redeem = ownTransactions(async (context: Context, { id, rewardId }: { id: number; rewardId: string }) => {
  const { title, points } = await redeemReward(redeemerOf(context), { contractId: id, rewardId });
  return new Reply({ title, points }, { message: t`“${title}” counts for the next order.` });
});
