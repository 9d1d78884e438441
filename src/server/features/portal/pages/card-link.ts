// The page behind the button of a letter about a payment: it leads to where a card is entered, and to nothing else of the customer's.
import { sql } from 'kysely';
import { nothingHere } from '../../../platform/http/page-refusals.ts';
import type { PageAnswer, PublicPage } from '../../../platform/http/public-pages.ts';
import type { PageRequest, PageServices } from '../../../platform/http/page-request.ts';
import {
  CARD_LINK,
  CARD_LINK_PATH,
  genuineLink,
  hasPortal,
  languageBehind,
  type Link,
  SIGNATURE,
  transactIn,
  visitedAddress,
  asCustomer,
} from '../../../engine/index.ts';
import { actionsOf } from '../actions.ts';
import { saying } from '../html.ts';
import { backFromHosted, pressHosted, showHosted, type Place } from '../own/hosted-card.ts';
import { takesCards } from '../own/takes-cards.ts';
import { portalOf, type Portal } from '../portal.ts';
import { looking } from '../visit.ts';

const TOLD = ['portalPaymentChanged', 'portalChanged'];

async function linkOf(services: PageServices, { params: { token = '' } }: PageRequest): Promise<(Link & { goodFor: number }) | undefined> {
  const link = await genuineLink(services, token);
  return link?.what === CARD_LINK ? link : undefined;
}

/** Opens the subscription of a link, or says why its page stays closed. */
const within = (
  services: PageServices,
  link: Link & { goodFor: number },
  work: (portal: Portal) => Promise<PageAnswer>,
): Promise<PageAnswer> =>
  transactIn(
    services,
    link.storeId,
  )(async opened => {
    const context = asCustomer(services, opened);
    const { rows } = await sql<{ id: number }>`select customer_id as id from contracts where store_id = ${link.storeId}::integer
      and id = ${link.contractId}::bigint`.execute(context.trx);
    const portal = rows[0] && (await portalOf(context, rows[0].id, link.contractId));
    if (!portal) return nothingHere();
    const { say, theme } = portal;
    if (link.goodFor <= 0) return looking(saying(portal, say('portalExpired'), 410, null), theme);
    const isOpen =
      (await hasPortal(context)) &&
      takesCards(portal) === 'PROVIDER' &&
      (await actionsOf(portal, {}, 'CARD')).some(({ id, refusal }) => id === 'CARD' && refusal === undefined);
    return looking(isOpen ? await work(portal) : saying(portal, say('portalUnavailable'), 403, null), theme);
  });

const placeOf = (services: PageServices, { params: { token = '' } }: PageRequest, link: Link & { goodFor: number }): Place => ({
  // The signature leaves the address, as at the first visit.
  path: visitedAddress(CARD_LINK_PATH, token),
  query: {},
  open: work => within(services, link, work),
});

export const cardLink: PublicPage = {
  path: CARD_LINK_PATH,
  secret: SIGNATURE,
  languageOf: async (services, request) => languageBehind(services, await linkOf(services, request)),
  async get(services, request) {
    const link = await linkOf(services, request);
    if (!link) return nothingHere();
    const { told = '', setup } = request.query;
    if (setup !== undefined) return backFromHosted(services, placeOf(services, request, link), request);
    return within(services, link, portal =>
      TOLD.includes(told)
        ? Promise.resolve(saying(portal, portal.say(told), 200, null))
        : showHosted(portal, { query: request.query, form: {} }),
    );
  },
  async post(services, request) {
    const link = await linkOf(services, request);
    return link ? pressHosted(services, placeOf(services, request, link), request) : nothingHere();
  },
};
