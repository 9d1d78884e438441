// Redeeming a reward for a subscription. Three steps, each in a state of its own: the redemption is written down, the app takes the points,
// the discount is put on the contract. Whatever is cut off in between ends with the points given back, by the same request or by the job.
import { sql, type Kysely } from 'kysely';
import { invalidState, notFound, Refusal, type Context } from '../../platform/context.ts';
import type { Tables } from '../../../generated/tables.ts';
import { type Acted, addDiscount, type Aggregate, type EngineContext, toContractCurrency, type UnitOfWork } from '../../engine/index.ts';
import { askLoyalty, loyaltyApp, NoAnswer, rewardsOf, type Asking, type LoyaltyApp, type Reward } from './loyalty-vendor.ts';
import { later, t, translated } from '../../../domain/text/t.ts';
import { inEnglish } from '../../platform/request-language.ts';

const unreachable = (name: string): Refusal =>
  new Refusal(502, 'INTEGRATION_UNREACHABLE', t`${name} could not be reached. Try again later.`);
const FAILED = later`The reward could not be applied. Your points were returned.`;
const FAILED_LATER = later`The reward could not be applied. The points are returned within minutes.`;
const GONE = later`This reward is no longer available.`;

/** The reward that was put last on a subscription; undefined where there is none. */
export async function redeemedLast({ trx, storeId }: Pick<Context, 'trx' | 'storeId'>, contractId: number): Promise<string | undefined> {
  const { rows } = await sql<{ title: string }>`select title from loyalty_redemptions where store_id = ${storeId}::integer
    and contract_id = ${contractId}::bigint and status = 'APPLIED' order by id desc limit 1`.execute(trx);
  return rows[0]?.title;
}

/** A transaction in which a reward is redeemed. */
export interface Books extends Pick<EngineContext, 'trx' | 'storeId' | 'now' | 'userEmail'>, Pick<Context, 'definitions' | 'secrets'> {
  /** Changes the subscription in the name of the person who redeems. */
  change(contractId: number, work: (work: UnitOfWork, subscription: Aggregate) => unknown): Promise<Pick<Acted<unknown>, 'subscription'>>;
}
/** Who redeems: a person of the store, or the customer. */
export interface Redeemer extends Asking {
  storeId: number;
  transaction<T>(work: (books: Books) => Promise<T>): Promise<T>;
}
/** What is redeemed. `version`: of the subscription, as the page showed it; a second press finds another one. */
export interface Wish {
  contractId: number;
  rewardId: string;
  version?: number;
}

interface Begun {
  id: number;
  app: LoyaltyApp;
  email: string;
}
const reference = (storeId: number, id: number): string => `perennial-${storeId}-${id}`;

/** Whom a subscription belongs to, and the store's loyalty app. @throws Refusal 404 without the subscription, 409 without app or address */
export async function loyaltyOf(
  context: Pick<Books, 'trx' | 'storeId' | 'definitions' | 'secrets'>,
  contractId: number,
): Promise<{ app: LoyaltyApp; email: string }> {
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

/** The page that a reward was redeemed on is older than the subscription. */
export const REDEEMED_BEFORE = 'LOYALTY_PAGE_OLD';

/** @throws Refusal 409 while another one is under way, or enough wait for the next order */
async function begin(context: Books, { contractId, version }: Wish, reward: Reward): Promise<Begun> {
  const { app, email } = await loyaltyOf(context, contractId);
  const { rows: now } = await sql<{ version: number }>`select version from contracts where store_id = ${context.storeId}::integer
    and id = ${contractId}::bigint for update`.execute(context.trx);
  if (version !== undefined && now[0]?.version !== version)
    throw new Refusal(409, REDEEMED_BEFORE, t`This subscription has changed meanwhile. Look at it again.`);
  const most = mostOf(app);
  if ((await waiting(context, contractId)) >= most)
    throw invalidState(
      most === 1 ? t`A reward waits for the next order already.` : t`${most} rewards wait for the next order already, which is the most.`,
    );
  const { rows } = await sql<{ id: number }>`insert into loyalty_redemptions
      (store_id, contract_id, app, email, reward_id, title, points, created_by, created_at)
    values (${context.storeId}::integer, ${contractId}::bigint, ${app.kind.key}, ${email}, ${reward.id}, ${reward.title}, ${reward.points},
      ${context.userEmail}, ${context.now()}::timestamptz)
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
async function apply(context: Books, contractId: number, { id, app }: Begun, reward: Reward): Promise<void> {
  const title = String(app.settings.discountTitle ?? 'Loyalty reward');
  const { subscription } = await context.change(contractId, (work, contract) => {
    const value = reward.type === 'FIXED_AMOUNT' ? toContractCurrency(work, contract, String(reward.value)) : reward.value;
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
export async function redeemReward(context: Redeemer, wish: Wish): Promise<Reward> {
  const { contractId, rewardId } = wish;
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
  const begun = await context.transaction(inner => begin(inner, wish, wanted));
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
