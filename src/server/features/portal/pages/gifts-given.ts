// The page of customers who gave gifts: what they gave, and what they may do with it: have the recipient's letter sent again, and end a
// gift where the store lets them.
import { sql } from 'kysely';
import { Refusal } from '../../../platform/context.ts';
import { inLanguage } from '../../../platform/languages.ts';
import { nothingHere } from '../../../platform/http/page-refusals.ts';
import type { PageRequest, PageServices } from '../../../platform/http/page-request.ts';
import { escapeHtml as e, type PageAnswer, type PublicPage } from '../../../platform/http/public-pages.ts';
import {
  act,
  type GiftRow,
  GIFTS_GIVEN_PATH,
  giftsGivenPath,
  leadingContract,
  pathOf,
  productsInWords,
  productsReadOf,
  refusalOf,
  sendGiftAgain,
  status,
  UnitOfWork,
  speaking,
  type CustomerContext,
} from '../../../engine/index.ts';
import { at } from '../at.ts';
import { link, p } from '../elements.ts';
import { giftHtml, giftsGivenBy, valuesOf, type Speaker } from '../gifts-given.ts';
import { button } from '../own/parts.ts';
import { liveTheme } from '../../../platform/portal-look/theme.ts';
import { looking, numberOf, secret, visitOf, within, type Visit } from '../visit.ts';
import { alarm } from '../../../platform/http/form-fields.ts';

/** What can be done with a gift, and what the page says afterwards. */
const OPTIONS = { MAIL: 'giftsGivenResent', CANCEL: 'giftsGivenCancelled' } as const;
type Option = keyof typeof OPTIONS;
const isOption = (text: string | undefined): text is Option => text !== undefined && Object.hasOwn(OPTIONS, text);
const LABELS: Readonly<Record<Option, string>> = { MAIL: 'giftsGivenResend', CANCEL: 'giftsGivenCancel' };

interface Given extends Speaker {
  context: CustomerContext;
  customerId: number;
  gifts: GiftRow[];
}

/** Opens the gifts of a visit; what is not there where the customer gave none. */
const enter = (services: PageServices, visit: Visit, work: (given: Given) => Promise<PageAnswer>): Promise<PageAnswer> =>
  within(services, visit, async opened => {
    const context: CustomerContext = { ...opened, isOfGift: true };
    const gifts = await giftsGivenBy(context, visit.customerId);
    if (gifts.length === 0) return nothingHere();
    const theme = await liveTheme(context);
    const { say, speech } = await speaking(context, visit.locale, theme);
    const values = { store_name: context.store.name, store_email: context.store.email };
    const given: Given = { context, customerId: visit.customerId, gifts, say: (key, more) => say(key, { ...values, ...more }), speech };
    return looking(await inLanguage(speech.language, () => work(given)), theme);
  });

async function mayDo({ context }: Given, gift: GiftRow, option: Option): Promise<boolean> {
  if (option === 'MAIL') return gift.received_at !== null && gift.status !== 'CANCELLED';
  if (gift.status !== 'UPCOMING' && gift.status !== 'ACTIVE') return false;
  const work = await UnitOfWork.open(context);
  const [subscription] = await work.load([gift.id]);
  return subscription !== undefined && refusalOf(work, subscription, 'cancel') === null;
}

const answer = ({ speech }: Given, title: string, html: string, code = 200): PageAnswer => ({
  status: code,
  title,
  html,
  language: speech.language,
});

async function overview(given: Given, told?: { key: string; gift: GiftRow }, wrong?: string): Promise<PageAnswer> {
  const { context, customerId, gifts, say } = given;
  const parts: string[] = [];
  const ids = gifts.map(({ id }) => id);
  const products = await productsReadOf(context, ids, given.speech.named);
  for (const gift of gifts) {
    const values = valuesOf(gift, given);
    const links: string[] = [];
    for (const option of ['MAIL', 'CANCEL'] as const)
      if (await mayDo(given, gift, option)) links.push(link(at({ do: option, of: gift.id }), say(LABELS[option]), values.recipient_name));
    const ways = links.length ? `<nav aria-label="${e(say('giftsGivenFor', values))}">${links.join('')}</nav>` : '';
    parts.push(giftHtml(gift, given, productsInWords(products.get(gift.id)), ways));
  }
  const own = await leadingContract(context, customerId);
  const none = `<h2>${e(say('subscriptionsEmptyTitle'))}</h2>${p(say('subscriptionsEmptyText'), 'quiet')}`;
  const back = own === null ? none : `<hr><p>${link(pathOf(customerId, own), say('back'))}</p>`;
  const said = told ? `<p class="said" role="status">${e(say(told.key, valuesOf(told.gift, given)))}</p>` : '';
  const title = `<p class="quiet">${e(context.store.name)}</p><h1>${e(say('giftsGivenTitle'))}</h1>`;
  const html = `${said}${alarm(wrong)}${title}${parts.join('')}${back}`;
  return answer(given, say('giftsGivenTitle'), html, wrong ? 409 : 200);
}

async function show(given: Given, { query }: PageRequest): Promise<PageAnswer> {
  const { do: option, of, told } = query;
  const gift = given.gifts.find(({ id }) => id === numberOf(of));
  const { say } = given;
  if (!isOption(option) || !gift) {
    const key = gift && Object.values(OPTIONS).find(one => one === told);
    return overview(given, key && gift ? { key, gift } : undefined);
  }
  if (!(await mayDo(given, gift, option))) return overview(given, undefined, say('portalUnavailable'));
  const { recipient_name: about = '', ...others } = valuesOf(gift, given);
  const values = { ...others, recipient_name: about, orders_left: String(gift.total_orders - gift.completed_orders) };
  const title = say(LABELS[option]);
  const html =
    `<h1>${e(title)}</h1>${p(say(`${LABELS[option]}Confirm`, values))}` +
    button(at({ do: option, of: gift.id, v: gift.version }), title, { about }) +
    `<p>${link(at(), say('back'))}</p>`;
  return answer(given, title, html);
}

async function take(given: Given, { query }: PageRequest): Promise<PageAnswer> {
  const { context, customerId, gifts, say } = given;
  const { do: option, of, v } = query;
  const gift = gifts.find(({ id }) => id === numberOf(of));
  if (!gift || !isOption(option)) return nothingHere();
  // Two presses at once: the second waits here, and finds what the first did.
  await sql`select 1 from contracts where store_id = ${context.storeId}::integer and id = ${gift.id}::bigint for update`.execute(
    context.trx,
  );
  const now = (await giftsGivenBy(context, customerId)).find(({ id }) => id === gift.id) ?? gift;
  if (!(await mayDo(given, now, option)))
    return overview({ ...given, gifts: await giftsGivenBy(context, customerId) }, undefined, say('portalUnavailable'));
  if (option === 'MAIL') {
    const work = await UnitOfWork.open(context);
    const [subscription] = await work.load([gift.id]);
    if (subscription) await sendGiftAgain(work, subscription, now);
  } else {
    if (String(now.version) !== v) return { redirect: giftsGivenPath(customerId) };
    await act(context, gift.id, { action: 'cancel' }, (work, subscription) =>
      status.cancel(work, subscription, { reason: null, comment: null, source: 'CUSTOMER', notifyCustomer: false }),
    );
  }
  return { redirect: `${giftsGivenPath(customerId)}${at({ told: OPTIONS[option], of: gift.id })}` };
}

export const giftsGiven: PublicPage = {
  path: GIFTS_GIVEN_PATH,
  secret,
  languageOf: async (services, request) => (await visitOf(services, request))?.locale ?? undefined,
  async get(services, request) {
    const visit = await visitOf(services, request);
    return visit ? enter(services, visit, given => show(given, request)) : nothingHere();
  },
  async post(services, request) {
    const visit = await visitOf(services, request);
    if (!visit) return nothingHere();
    try {
      const answered = await enter(services, visit, given => take(given, request));
      services.mailer.kick();
      return answered;
    } catch (error) {
      if (!(error instanceof Refusal) || error.status >= 500) throw error;
      return enter(services, visit, given => overview(given, undefined, error.message));
    }
  },
};
