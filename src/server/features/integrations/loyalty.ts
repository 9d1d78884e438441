// Redeeming a reward for a subscription. Three steps, each in a state of its own: the redemption is written down, the app takes the points,
// the discount is put on the contract. Whatever is cut off in between ends with the points given back, by the same request or by the job.
import { sql, type Kysely } from 'kysely';
import { invalidState, notFound, Refusal, type Context } from '../../platform/context.ts';
import type { Tables } from '../../../generated/tables.ts';
import { addDiscount, change, inCurrencyOf } from '../../engine/index.ts';
import { askLoyalty, loyaltyApp, NoAnswer, rewardsOf, type Asking, type LoyaltyApp, type Reward } from './loyalty-vendor.ts';
import { later, t, translated } from '../../../domain/text/t.ts';
import { inEnglish } from '../../platform/request-language.ts';

const unreachable = (name: string): Refusal =>
  new Refusal(502, 'INTEGRATION_UNREACHABLE', t`${name} could not be reached. Try again later.`);
const FAILED = later`The reward could not be applied. Your points were returned.`;
const FAILED_LATER = later`The reward could not be applied. The points are returned within minutes.`;
const GONE = later`This reward is no longer available.`;

interface Begun {
  id: number;
  app: LoyaltyApp;
  email: string;
}
const reference = (storeId: number, id: number): string => `perennial-${storeId}-${id}`;

/** Whom a subscription belongs to, and the store's loyalty app. @throws Refusal 404 without the subscription, 409 without app or address */
export async function loyaltyOf(context: Context, contractId: number): Promise<{ app: LoyaltyApp; email: string }> {
  const contract = await context.trx
    .selectFrom('contracts')
    .select('customer_email')
    .where('store_id', '=', context.storeId)
    .where('id', '=', contractId)
    .executeTakeFirst();
  if (!contract) throw notFound(later`subscription`);
  const app = await loyaltyApp(context);
  if (!app) throw invalidState(t`No loyalty app is connected. Connect one among your apps.`);
  if (!contract.customer_email) throw invalidState(t`This customer has no e-mail address, by which the app would know them.`);
  return { app, email: contract.customer_email };
}

/** Rewards that wait for the next order of a subscription. */
export async function waiting({ trx, storeId }: Pick<Context, 'trx' | 'storeId'>, contractId: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from loyalty_redemptions r
    join contract_discounts d on d.store_id = r.store_id and d.id = r.discount_id and d.contract_id = r.contract_id
    where r.store_id = ${storeId}::integer and r.contract_id = ${contractId}::bigint and r.status = 'APPLIED'
      and d.usage_count = 0`.execute(trx);
  return rows[0]?.n ?? 0;
}

/** @throws Refusal 409 while another one is under way, or enough wait for the next order */
async function begin(context: Context, contractId: number, reward: Reward): Promise<Begun> {
  const { app, email } = await loyaltyOf(context, contractId);
  await sql`select 1 from contracts where store_id = ${context.storeId}::integer and id = ${contractId}::bigint for update`.execute(
    context.trx,
  );
  const most = mostOf(app);
  if ((await waiting(context, contractId)) >= most)
    throw invalidState(
      most === 1 ? t`A reward waits for the next order already.` : t`${most} rewards wait for the next order already, which is the most.`,
    );
  const { rows } = await sql<{ id: number }>`insert into loyalty_redemptions
      (store_id, contract_id, app, email, reward_id, title, points, created_by, created_at)
    values (${context.storeId}::integer, ${contractId}::bigint, ${app.kind.key}, ${email}, ${reward.id}, ${reward.title}, ${reward.points},
      ${context.user.email}, ${context.now()}::timestamptz)
    on conflict do nothing returning id`.execute(context.trx);
  const [made] = rows;
  if (!made) throw invalidState(t`A reward is being redeemed for this subscription. Look again in a moment.`);
  return { id: made.id, app, email };
}

/** Rewards that one order may have. */
export const mostOf = ({ settings }: LoyaltyApp): number => Number(settings.maxRedemptionsPerOrder ?? 1);

const settle = (trx: Kysely<Tables>, storeId: number, id: number, status: string, error: string | null): Promise<unknown> =>
  sql`update loyalty_redemptions set status = ${status}, error = ${error}, asked_at = now()
    where store_id = ${storeId}::integer and id = ${id}::bigint and status in ('ASKED', 'RETURNING')`.execute(trx);

/** Puts the discount on the contract, for the next order. @throws Refusal what the engine says against it */
async function apply(context: Context, contractId: number, { id, app }: Begun, reward: Reward): Promise<void> {
  const title = String(app.settings.discountTitle ?? 'Loyalty reward');
  const { subscription } = await change({ ...context, expectedVersion: undefined }, 'addDiscount', { id: contractId }, (work, contract) => {
    const value = reward.type === 'FIXED_AMOUNT' ? inCurrencyOf(work, contract, String(reward.value)) : reward.value;
    if (value === null && reward.type === 'FIXED_AMOUNT')
      throw invalidState(t`This reward has no value in ${contract.contract.currency_code}.`);
    return addDiscount(work, contract, { title, type: reward.type, value, orderLimit: 1 });
  });
  const discount = subscription.discounts.at(-1);
  const { rows } = await sql`update loyalty_redemptions set status = 'APPLIED', discount_id = ${discount?.id ?? null}::bigint
    where store_id = ${context.storeId}::integer and id = ${id}::bigint and status = 'ASKED' returning id`.execute(context.trx);
  // The job has begun to give the points back: then there is no discount either.
  if (rows.length === 0) throw new Refusal(409, 'LOYALTY_FAILED', translated(FAILED));
}

/** Asks the app to give the points of a redemption back; asking twice gives them once. @throws NoAnswer */
async function giveBack(asking: Asking, app: LoyaltyApp, storeId: number, { id, email }: { id: number; email: string }): Promise<void> {
  const { status } = await askLoyalty(asking, app, 'giveBack', { reference: reference(storeId, id), customer: { email } });
  if (status >= 300 && status !== 404 && status !== 410) throw new NoAnswer(`It answered with status ${status}.`);
}

/**
 * Redeems a reward: the app takes the points, and the contract has a discount for its next order. Works in transactions of its own.
 * @throws Refusal 404, 409 (no app, one under way, not enough points, not applied), 502
 */
export async function redeemReward(context: Context, contractId: number, rewardId: string): Promise<Reward> {
  const { app, email } = await context.transaction(inner => loyaltyOf(inner, contractId));
  const { name } = app.kind;
  let reward: Reward | undefined;
  try {
    reward = (await rewardsOf(context, app, email)).find(one => one.id === rewardId);
  } catch (error) {
    if (error instanceof NoAnswer) throw unreachable(name);
    throw error;
  }
  if (!reward) throw invalidState(translated(GONE));
  const wanted = reward;
  const begun = await context.transaction(inner => begin(inner, contractId, wanted));
  const end = (status: string, error: string | null): Promise<unknown> =>
    context.transaction(inner => settle(inner.trx, inner.storeId, begun.id, status, error));
  let status: number;
  try {
    ({ status } = await askLoyalty(context, app, 'redeem', {
      reference: reference(context.storeId, begun.id),
      customer: { email },
      reward: { id: wanted.id, points: wanted.points },
    }));
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    // It may have taken them all the same.
    await end('RETURNING', error.message);
    throw unreachable(name);
  }
  if (status >= 300) {
    const said = (): string =>
      status === 404 || status === 410
        ? translated(GONE)
        : status === 401 || status === 403
          ? t`${name} rejects our access. Connect it again among your apps.`
          : t`You do not have enough points.`;
    await end('REFUSED', inEnglish(said));
    throw invalidState(said());
  }
  try {
    // What speaks against it is stored, and not said here.
    await inEnglish(() => context.transaction(inner => apply(inner, contractId, begun, wanted)));
  } catch (error) {
    await end('RETURNING', error instanceof Error ? error.message : String(error));
    try {
      await giveBack(context, app, context.storeId, begun);
      await end('RETURNED', error instanceof Error ? error.message : String(error));
    } catch (problem) {
      if (!(problem instanceof NoAnswer)) throw problem;
      throw new Refusal(409, 'LOYALTY_FAILED', translated(FAILED_LATER));
    }
    throw new Refusal(409, 'LOYALTY_FAILED', translated(FAILED));
  }
  return wanted;
}

/** Real time after which a redemption counts as cut off. */
const CUT_OFF_SECONDS = 120;

/** Gives back what could not be, and what was cut off: in no such case is there a discount. Safe to repeat. */
export async function returnPoints(
  services: Asking & Pick<Context, 'db' | 'definitions' | 'secrets'>,
  signal?: AbortSignal,
): Promise<number> {
  const { rows } = await services.db.ownerQuery<{ store_id: number; id: number; app: string; email: string }>(
    `select store_id, id, app, email from loyalty_redemptions where status = 'RETURNING'
      or (status = 'ASKED' and asked_at < now() - interval '${CUT_OFF_SECONDS} seconds') order by asked_at limit 200`,
  );
  let done = 0;
  for (const { store_id: storeId, id, app: key, email } of rows) {
    signal?.throwIfAborted();
    // From here on the request that began it can't put its discount on the contract any more.
    const app = await services.db.inStore(storeId, async trx => {
      await settle(trx, storeId, id, 'RETURNING', null);
      return loyaltyApp({ trx, storeId, definitions: services.definitions, secrets: services.secrets });
    });
    // Another app, or none: the points can't be given back until the one that took them is connected again.
    if (app?.kind.key !== key) continue;
    try {
      await giveBack(services, app, storeId, { id, email });
    } catch (error) {
      if (error instanceof NoAnswer) continue;
      throw error;
    }
    await services.db.inStore(storeId, trx => settle(trx, storeId, id, 'RETURNED', null));
    done++;
  }
  return done;
}
