// The page behind a letter about a payment that the customer's bank wants confirmed: it leads to the bank and says what came of it.
import { sql } from 'kysely';
import { Refusal } from '../../../platform/context.ts';
import { nothingHere } from '../../../platform/http/page-refusals.ts';
import { escapeHtml as e, type PageAnswer, type PublicPage } from '../../../platform/http/public-pages.ts';
import type { PageRequest, PageServices } from '../../../platform/http/page-request.ts';
import {
  act,
  cardLink,
  CONFIRM_LINK_PATH,
  confirmPayment,
  genuineLink,
  languageBehind,
  type Link,
  loadAggregates,
  lookUpNow,
  orderById,
  orderToConfirm,
  type PendingCharge,
  portalBase,
  SIGNATURE,
  takeCharges,
  transactIn,
  visitedAddress,
  asCustomer,
} from '../../../engine/index.ts';
import { saying } from '../html.ts';
import { answer } from '../own/parts.ts';
import { takesCards } from '../own/takes-cards.ts';
import { portalFrom, type Portal } from '../portal.ts';
import { liveTheme } from '../../../platform/portal-look/theme.ts';
import { looking } from '../visit.ts';
import { alarm } from '../../../platform/http/form-fields.ts';

type Confirming = Link & { goodFor: number; orderId: number };
interface Open {
  portal: Portal;
  order: NonNullable<ReturnType<typeof orderById>>;
  /** Where the customer confirms it, once it was begun. */
  waits: string | null;
}

async function linkOf(services: PageServices, { params: { token = '' } }: PageRequest): Promise<Confirming | undefined> {
  const link = await genuineLink(services, token);
  const [, orderId] = /^confirm_(\d{1,15})$/.exec(link?.what ?? '') ?? [];
  return link && orderId !== undefined ? { ...link, orderId: Number(orderId) } : undefined;
}

const within = (services: PageServices, link: Confirming, work: (open: Open) => PageAnswer): Promise<PageAnswer> =>
  transactIn(
    services,
    link.storeId,
  )(async opened => {
    const context = asCustomer(services, opened);
    const { trx, storeId } = context;
    const [subscription] = await loadAggregates(trx, storeId, [link.contractId], { lock: false, orderIds: [link.orderId] });
    const order = subscription && orderById(subscription, link.orderId);
    if (!subscription || !order) return nothingHere();
    const portal = await portalFrom(context, subscription, await liveTheme(context));
    if (link.goodFor <= 0) return looking(saying(portal, portal.say('portalExpired'), 410, null), portal.theme);
    const { rows } = await sql<{ url: string | null }>`select next_action_url as url from billing_attempts
      where store_id = ${storeId}::integer and order_id = ${order.id}::bigint and not ready`.execute(trx);
    return looking(work({ portal, order, waits: rows[0]?.url ?? null }), portal.theme);
  });

/** How the payment stands, and the button where there is something to confirm. */
function show({ portal, order, waits }: Open, hasTried: boolean): PageAnswer {
  const { say, speech, subscription, context, work } = portal;
  const only = (text: string): PageAnswer => answer(portal, say('portalConfirmTitle'), `<p>${e(text)}</p>`);
  if (order.status === 'PAID') return only(say('portalConfirmDone'));
  if (order.status === 'PROCESSING' && !waits) return only(say('quickPending'));
  if (!waits && !orderToConfirm(subscription, order.id)) return only(say('portalConfirmOver'));
  const isRefused = hasTried && order.status === 'FAILED';
  const card =
    takesCards(portal) === 'PROVIDER' ? cardLink(portalBase(context.config), context.store, subscription.contract.id, work.at) : null;
  const html =
    `${alarm(isRefused ? say('quickUnpaid') : undefined)}` +
    `<p>${e(say('portalConfirmText', { payment_amount: speech.money(order.total, order.currency_code) }))}</p>` +
    `<form method="post" action="?"><button type="submit">${e(say('portalConfirmGo'))}</button></form>` +
    (card ? `<p><a href="${e(card)}">${e(say('portalAddCard'))}</a></p>` : '');
  // Browsers hold the redirect that follows a form to this as well; a bank may have any address.
  const page = {
    ...answer(portal, say('portalConfirmTitle'), html, isRefused ? 402 : 200),
    formAction: context.config.vendorUrl ?? 'https:',
  };
  return page as PageAnswer;
}

/** Looks the payment up, where it was begun. */
async function lookUp(services: PageServices, { storeId, orderId }: Confirming): Promise<void> {
  const transact = transactIn(services, storeId);
  const pending = await transact(context => lookUpNow(context, { orderId }));
  await takeCharges(transact, services.gateway, pending, 'NOW', services.log);
}

/** Begins the payment with the customer there; null where it was begun or is over. */
async function begin(services: PageServices, request: PageRequest, link: Confirming): Promise<PendingCharge | null> {
  const { storeId, contractId, orderId } = link;
  // The signature is in a cookie by now.
  const path = visitedAddress(CONFIRM_LINK_PATH, request.params.token ?? '');
  const backUrl = `${portalBase(services.config) ?? ''}${path}?back=1`;
  try {
    return await transactIn(
      services,
      storeId,
    )(async opened => {
      const context = asCustomer(services, opened);
      const options = { action: 'chargeNow', attempts: 2, orderIds: [orderId] };
      return (await act(context, contractId, options, (work, on) => confirmPayment(work, on, { orderId, backUrl }))).result;
    });
  } catch (error) {
    if (error instanceof Refusal && error.status < 500) return null;
    throw error;
  }
}

export const confirmPage: PublicPage = {
  path: CONFIRM_LINK_PATH,
  secret: SIGNATURE,
  languageOf: async (services, request) => languageBehind(services, await linkOf(services, request)),
  async get(services, request) {
    const link = await linkOf(services, request);
    if (!link) return nothingHere();
    const isBack = request.query.back !== undefined;
    if (isBack && link.goodFor > 0) await lookUp(services, link);
    return within(services, link, open => show(open, isBack));
  },
  async post(services, request) {
    const link = await linkOf(services, request);
    if (!link) return nothingHere();
    if (link.goodFor > 0) {
      await lookUp(services, link);
      const pending = await begin(services, request, link);
      if (pending) await takeCharges(transactIn(services, link.storeId), services.gateway, [pending], 'NOW', services.log);
    }
    return within(services, link, open => (open.order.status === 'PROCESSING' && open.waits ? { redirect: open.waits } : show(open, true)));
  },
};
