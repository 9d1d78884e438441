// Points of a customer at the store's loyalty app, and what they are redeemed for: a section with what the app said last, and a page that
// asks the app. A reward becomes a discount on the next order of the subscription.
import { sql } from 'kysely';
import { Refusal } from '../../platform/context.ts';
import type { PageRequest, PageServices } from '../../platform/http/page-request.ts';
import { escapeHtml as e, type PageAnswer } from '../../platform/http/public-pages.ts';
import { act, refusalOf, transactIn, asCustomer } from '../../engine/index.ts';
import { mostOf, REDEEMED_BEFORE, redeemedLast, redeemReward, waiting, type Redeemer } from '../integrations/loyalty.ts';
import { rememberPoints } from '../integrations/loyalty-balance.ts';
import { loyaltyApp, NoAnswer, pointsOf, rewardsOf, type LoyaltyApp, type Reward } from '../integrations/loyalty-vendor.ts';
import { at } from './at.ts';
import { h2, link, p } from './elements.ts';
import { answer, button } from './own/parts.ts';
import type { Portal } from './portal.ts';
import { alarm } from '../../platform/http/form-fields.ts';

/** In addresses of the portal. */
export const LOYALTY = 'LOYALTY';
/** What the app said longer ago than this is asked again behind the page (ms). */
const FRESH_MS = 10 * 60_000;

type Open = (work: (portal: Portal) => Promise<PageAnswer>) => Promise<PageAnswer>;
interface Account {
  points: number;
  rewards: Reward[];
}
/** What the page is about; nothing of it needs the app. */
interface Member {
  storeId: number;
  app: LoyaltyApp;
  customerId: number;
  email: string;
}

const appOf = ({ context }: Portal, { secrets }: Pick<PageServices, 'secrets'>): Promise<LoyaltyApp | undefined> =>
  loyaltyApp({ ...context, secrets });
const number = ({ speech }: Pick<Portal, 'speech'>, points: number): string => new Intl.NumberFormat(speech.language).format(points);

/** The section's HTML; empty without a loyalty app, and for customers who have no points where the store wants that. */
export async function loyaltySection(portal: Portal, services: PageServices): Promise<string> {
  const { context, subscription, say } = portal;
  const { id, customer_id: customerId, customer_email: email } = subscription.contract;
  const app = email ? await appOf(portal, services) : undefined;
  if (!app || !email) return '';
  const { rows } = await sql<{ points: number | null; isFresh: boolean }>`select loyalty_points as points,
      coalesce(loyalty_points_at > now() - ${FRESH_MS} * interval '1 millisecond', false) as "isFresh"
    from contracts where store_id = ${context.storeId}::integer and id = ${id}::bigint`.execute(context.trx);
  const { points = null, isFresh = false } = rows[0] ?? {};
  if (!isFresh) services.background(refresh(services, { storeId: context.storeId, app, customerId, email }));
  const waits = await waiting(context, id);
  if (app.settings.hideWidgetIfNoBalance === true && !points && waits === 0) return '';
  return (
    h2(say('loyaltyTitle')) +
    (points === null ? '' : p(say('loyaltyBalance', { points: number(portal, points) }))) +
    (waits > 0 ? p(say('portalRewardWaits'), 'quiet') : '') +
    `<nav>${link(at({ do: LOYALTY }), say('portalRewardsSee'))}</nav>`
  );
}

/** Asks for the points behind the page; where the app gives no answer the next page asks again. */
async function refresh(services: PageServices, { storeId, app, customerId, email }: Member): Promise<void> {
  try {
    const points = await pointsOf(services, app, email);
    await services.db.inStore(storeId, trx => rememberPoints(trx, storeId, customerId, points));
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
  }
}

/** The page of points and rewards. `told`: what the address says that was done; `refused`: why it was not. */
export async function showLoyalty(
  services: PageServices,
  open: Open,
  { told, refused }: { told?: string | undefined; refused?: string } = {},
): Promise<PageAnswer> {
  let member: Member | undefined;
  const closed = await open(async portal => {
    member = undefined;
    const { context, subscription, say } = portal;
    const app = await appOf(portal, services);
    const { customer_id: customerId, customer_email: email } = subscription.contract;
    if (app && email) member = { storeId: context.storeId, app, customerId, email };
    return answer(portal, say('loyaltyTitle'), p(say('portalUnavailable')) + back(portal), 403);
  });
  if (!member) return closed;
  const { app, storeId, customerId, email } = member;
  let account: Account | undefined;
  try {
    const [points, rewards] = await Promise.all([pointsOf(services, app, email), rewardsOf(services, app, email)]);
    account = { points, rewards };
    await services.db.inStore(storeId, trx => rememberPoints(trx, storeId, customerId, points));
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
  }
  return open(async portal => {
    const said = await saidOf(portal, told);
    return accountPage(portal, app, account, { ...(said ? { said } : {}), ...(refused ? { refused } : {}) });
  });
}

/** The words of what was done; the reward is named by what is written down, not by the address. */
async function saidOf({ context, subscription, say }: Portal, told: string | undefined): Promise<string | undefined> {
  if (told === 'portalChanged') return say(told);
  const title = told === 'loyaltyApplied' ? await redeemedLast(context, subscription.contract.id) : undefined;
  return title === undefined ? undefined : say('loyaltyApplied', { reward_title: title });
}

const back = ({ say }: Portal): string => `<p>${link(at(), say('back'))}</p>`;

async function accountPage(
  portal: Portal,
  app: LoyaltyApp,
  account: Account | undefined,
  { said, refused }: { said?: string; refused?: string },
): Promise<PageAnswer> {
  const { context, work, subscription, say } = portal;
  const above = (said ? `<p class="said" role="status">${e(said)}</p>` : '') + alarm(refused);
  const page = (html: string, status: number): PageAnswer => answer(portal, say('loyaltyTitle'), above + html + back(portal), status);
  if (!account) return page(alarm(refused ? undefined : say('somethingWrong')), 502);
  const { points, rewards } = account;
  const balance = `<p class="points">${e(say('loyaltyBalance', { points: number(portal, points) }))}</p>`;
  if (rewards.length === 0) return page(balance + p(say('loyaltyEmpty'), 'quiet'), 200);
  const refusal = refusalOf(work, subscription, 'addDiscount');
  const isFull = (await waiting(context, subscription.contract.id)) >= mostOf(app);
  const mayRedeem = app.settings.allowRedeemInPortal !== false;
  // What already waits, or what stands against it, is said once and not at each reward.
  const why = isFull ? (said ? '' : say('portalRewardWaits')) : mayRedeem ? (refusal ?? '') : '';
  const items = rewards.map(reward => {
    const title = say('loyaltyReward', { reward_title: reward.title, points_cost: number(portal, reward.points) });
    const missing = reward.points - points;
    const below =
      missing > 0
        ? p(say('portalRewardShort', { points: number(portal, missing) }), 'quiet')
        : mayRedeem && !isFull && refusal === null
          ? button(at({ do: LOYALTY, of: reward.id, v: subscription.contract.version }), say('loyaltyRedeem'), { about: title })
          : '';
    return `<section class="offer">${h2(title)}${below}</section>`;
  });
  return page(balance + p(why, 'quiet') + items.join(''), refused ? 409 : 200);
}

/** The button of a reward. Pressed twice, the reward is redeemed once: the second press finds a subscription that has changed. */
export async function pressLoyalty(services: PageServices, open: Open, { query }: PageRequest): Promise<PageAnswer> {
  const { of: rewardId = '', v = '' } = query;
  let redeemer: { by: Redeemer; contractId: number; failed: string } | undefined;
  const closed = await open(async portal => {
    redeemer = undefined;
    const app = await appOf(portal, services);
    if (app && app.settings.allowRedeemInPortal !== false)
      redeemer = {
        by: customer(services, portal.context.storeId),
        contractId: portal.subscription.contract.id,
        failed: portal.say('loyaltyError'),
      };
    return answer(portal, portal.say('loyaltyTitle'), p(portal.say('portalUnavailable')) + back(portal), 403);
  });
  if (!redeemer) return closed;
  const { by, contractId, failed } = redeemer;
  try {
    await redeemReward(by, { contractId, rewardId, version: Number(v) || 0 });
    return { redirect: at({ do: LOYALTY, told: 'loyaltyApplied' }) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.code === REDEEMED_BEFORE) return { redirect: at({ do: LOYALTY, told: 'portalChanged' }) };
    const isOfApp = error.code === 'LOYALTY_FAILED' || error.status === 502;
    return showLoyalty(services, open, { refused: isOfApp ? failed : error.message });
  }
}

/** The customer, by the engine and with its activity. */
function customer(services: PageServices, storeId: number): Redeemer {
  const { outgoing, config, definitions, secrets } = services;
  const transact = transactIn(services, storeId);
  return {
    outgoing,
    config,
    storeId,
    transaction: work =>
      transact(opened => {
        const context = asCustomer(services, opened);
        return work({ ...context, definitions, secrets, change: (id, changes) => act(context, id, { action: 'addDiscount' }, changes) });
      }),
  };
}
