// The customer portal: a signed link brings a customer here, who then looks after their subscriptions (D225, D226).
import { sql } from 'kysely';
import { toMinor } from '../../../../domain/money/money.ts';
import { PORTAL_PAGES } from '../../../../generated/actions.ts';
import type { PageAnswer, PublicPage } from '../../../platform/http/public-pages.ts';
import type { PageRequest, PageServices } from '../../../platform/http/page-request.ts';
import { nothingHere } from '../../../platform/http/page-refusals.ts';
import { GIFT, pathOf, PORTAL_PATH, productsInWords, productsReadOf } from '../../../engine/index.ts';
import type { Asked } from '../action.ts';
import { actionsOf } from '../actions.ts';
import { inFigures } from '../../../../domain/text/t.ts';
import { at } from '../at.ts';
import { page, question, saying } from '../html.ts';
import { note } from '../../offers/offer.ts';
import { address } from '../own/address.ts';
import { box } from '../own/box.ts';
import { card } from '../own/card.ts';
import { cancelling } from '../own/cancel.ts';
import { backFromHosted, pressHosted, type Place } from '../own/hosted-card.ts';
import { discount } from '../own/discount.ts';
import { takesCards } from '../own/takes-cards.ts';
import { send, type OwnPage } from '../own/own-page.ts';
import { actionNamed, chargeAll, perform } from '../perform.ts';
import { giftsSection } from '../gifts-given.ts';
import { mysterySection } from '../mystery.ts';
import { LOYALTY, loyaltySection, pressLoyalty, showLoyalty } from '../loyalty.ts';
import { readPast } from '../orders.ts';
import { portalOf, type Portal } from '../portal.ts';
import type { Shown } from '../sections.ts';
import { streakSection } from '../streaks.ts';
import { noteUpgradeSeen, upgradedWords, upgradesFor } from '../upgrades.ts';
import { addedWords, noteSeen, scopeOf, upsellsFor } from '../upsells.ts';
import { looking, numberOf, secret, visitOf, within, type Visit } from '../visit.ts';

/** What a page may be asked to say by its address; the words are the store's. */
const TOLD = [
  ...PORTAL_PAGES.map(page => page.doneKey),
  'saved',
  'rescheduled',
  'cancellationDone',
  'cancellationSaved',
  'frequencyChanged',
  'addressSaved',
  'portalPaymentChanged',
  'portalChanged',
  'portalBoxDone',
  'zapietDateChanged',
  'paymentMethodSaved',
  'discountApplied',
  'mailUnsubscribedText',
  'mailSubscribedText',
];
/** Of what a customer fills in, in characters; what a field takes is said by its schema. */
const LONGEST = 5000;
/** Actions that take more than one question. */
const OWN: ReadonlyMap<string, OwnPage> = new Map([
  ['ADDRESS', address],
  ['BOX', box],
  ['CARD', card],
  ['CANCEL', cancelling],
  ['DISCOUNT', discount],
]);

/** Opens the subscription of a visit, or says why it stays closed. */
const enter = (services: PageServices, visit: Visit, work: (portal: Portal) => Promise<PageAnswer>): Promise<PageAnswer> =>
  within(services, visit, async context => {
    const portal = await portalOf(context, visit.customerId, visit.contractId);
    return portal ? looking(await work(portal), portal.theme) : nothingHere();
  });

/** What an address and a form say of an action: which thing it is about, and what was filled in. */
const askedOf = ({ query: { of, ...query }, form }: Pick<PageRequest, 'query' | 'form'>): Asked => ({
  ...(of === undefined ? {} : { of: numberOf(of) }),
  given: Object.fromEntries(Object.entries({ ...query, ...form }).map(([name, value]) => [name, value.slice(0, LONGEST)])),
});

async function othersOf({ context, speech, subscription }: Portal): Promise<Shown['others'][number][]> {
  const { id, customer_id: customerId } = subscription.contract;
  const { rows } = await sql<{ id: number; status: string }>`select id, status from contracts
    where store_id = ${context.storeId}::integer and customer_id = ${customerId}::bigint and id <> ${id}::bigint and source <> ${GIFT}
    order by status <> 'ACTIVE', id desc limit 20`.execute(context.trx);
  const products = await productsReadOf(
    context,
    rows.map(one => one.id),
    speech.named,
  );
  return rows.map(one => ({
    ...one,
    products: productsInWords(products.get(one.id)),
    href: pathOf(customerId, one.id),
  }));
}

/** The words of what was done, where they name what is not there any more. */
const saidOf = (portal: Portal, told: string): string => portal.speech.phrase(told) ?? portal.say(told, valuesOf(portal, told));
function valuesOf({ subscription, speech, say }: Portal, told: string): Record<string, string> {
  if (told === 'orderSkipped') {
    const skipped = subscription.orders.filter(one => one.status === 'SKIPPED').sort((one, other) => other.cycle - one.cycle)[0];
    return skipped ? { order_date: speech.day(skipped.billing_at) } : {};
  }
  if (told !== 'discountApplied') return {};
  const one = subscription.discounts.findLast(({ code, rejection_reason: why }) => code && why === null);
  const amount =
    one?.type === 'PERCENTAGE'
      ? inFigures(Number(one.value) / 100, { style: 'percent', maximumFractionDigits: 2 })
      : one?.value
        ? speech.money(toMinor(one.value, subscription.contract.currency_code), subscription.contract.currency_code)
        : say('freeShipping');
  return { discount_code: one?.code ?? '', discount: amount };
}

async function overview(services: PageServices, portal: Portal, { told, page: pageAsked }: PageRequest['query']): Promise<PageAnswer> {
  const upsells = await upsellsFor(portal);
  await noteSeen(portal, upsells);
  const upgrades = await upgradesFor(portal);
  await noteUpgradeSeen(portal, upgrades);
  const [, upgraded] = /^portalUpgraded-(\d{1,15})$/.exec(told ?? '') ?? [];
  const [, profile] = /^portalAdded-(\d{1,15})$/.exec(told ?? '') ?? [];
  const said =
    profile !== undefined
      ? await addedWords(portal, Number(profile))
      : upgraded !== undefined
        ? await upgradedWords(portal, Number(upgraded))
        : told !== undefined && TOLD.includes(told)
          ? saidOf(portal, told)
          : undefined;
  const [actions, others, past] = [await actionsOf(portal), await othersOf(portal), await readPast(portal, numberOf(pageAsked))];
  return page(portal, {
    actions,
    upsells,
    upgrades: upgrades.html,
    others,
    past,
    streak: await streakSection(portal),
    mystery: await mysterySection(portal),
    loyalty: await loyaltySection(portal, services),
    gifts: await giftsSection(portal),
    ...(said === undefined ? {} : { said }),
  });
}

/** The question of an action; `notice` is said above it. */
async function asking(opened: Portal, id: string, asked: Asked, notice?: string): Promise<PageAnswer> {
  const action = actionNamed(await actionsOf(opened, asked, id), id, asked.of);
  if (!action) return saying(opened, notice ?? opened.say('portalUnavailable'), notice ? 409 : 403);
  if (action.noted && !action.refusal && !notice) await note(scopeOf(opened), { ...action.noted, place: 'PORTAL' });
  return question(opened, action, notice);
}

/** The page of a card, as the payment provider leads back to it. */
const placeOf = (services: PageServices, visit: Visit): Place => ({
  path: pathOf(visit.customerId, visit.contractId),
  query: { do: 'CARD' },
  open: work => enter(services, visit, work),
});
async function isHosted(services: PageServices, visit: Visit): Promise<boolean> {
  let takes: ReturnType<typeof takesCards> = null;
  await enter(services, visit, async opened => {
    takes = takesCards(opened);
    return nothingHere();
  });
  return takes === 'PROVIDER';
}

export const portal: PublicPage = {
  path: PORTAL_PATH,
  secret,
  // A field for each variant of a box.
  fields: 2100,
  languageOf: async (services, request) => (await visitOf(services, request))?.locale ?? undefined,
  async get(services, request) {
    const visit = await visitOf(services, request);
    if (!visit) return nothingHere();
    const { do: id, told, setup } = request.query;
    if (id === 'CARD' && setup !== undefined) return backFromHosted(services, placeOf(services, visit), request);
    if (id === LOYALTY) return showLoyalty(services, work => enter(services, visit, work), { told });
    return enter(services, visit, async opened => {
      if (id === undefined) return overview(services, opened, request.query);
      const own = OWN.get(id);
      if (own) return own.show(opened, { ...request, form: {} });
      return asking(opened, id, askedOf({ ...request, form: {} }));
    });
  },
  async post(services, request) {
    const visit = await visitOf(services, request);
    if (!visit) return nothingHere();
    const { customerId, contractId, transact } = visit;
    const { do: id = '', choice, v } = request.query;
    const own = OWN.get(id);
    if (id === 'CARD' && (await isHosted(services, visit))) return pressHosted(services, placeOf(services, visit), request);
    if (id === LOYALTY) return pressLoyalty(services, work => enter(services, visit, work), request);
    if (own)
      return send(
        own,
        request,
        work => enter(services, visit, work),
        async (charges, answer) => {
          const why = await chargeAll(services, visit, charges);
          return why === undefined ? answer : enter(services, visit, async opened => saying(opened, why, 409));
        },
      );
    const asked = askedOf(request);
    // What was filled in leads to the question first.
    if (choice === undefined) return enter(services, visit, opened => asking(opened, id, asked));
    let isOpen = false;
    const closed = await enter(services, visit, async () => {
      isOpen = true;
      return nothingHere();
    });
    if (!isOpen) return closed;
    const outcome = await perform(services, transact, {
      ...asked,
      customerId,
      contractId,
      id,
      choice,
      version: numberOf(v),
    });
    if (outcome.is === 'GONE') return nothingHere();
    if (outcome.is === 'REFUSED') return enter(services, visit, async opened => saying(opened, outcome.why, 409));
    // The same question as it is asked now, with the new choices below.
    if (outcome.is === 'OTHER') return enter(services, visit, opened => asking(opened, id, asked, opened.say('quickChanged')));
    const told = outcome.is === 'DONE' ? outcome.done : 'portalChanged';
    return { redirect: `${pathOf(customerId, contractId)}${at({ told })}` };
  },
};
