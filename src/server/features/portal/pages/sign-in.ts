// The way into the portal for customers without a link (D225): they name their e-mail address, and the link comes by e-mail. Whether an
// address is known is not to be seen, neither from the page nor from the time that it takes.
import { sql } from 'kysely';
import { isEmail } from '../../../../contract/validation/patterns.ts';
import { countAttempt } from '../../../platform/auth/attempts.ts';
import { inLanguage } from '../../../platform/languages.ts';
import { SIGN_IN_PATH } from '../../../platform/mail/account-link.ts';
import { mailByHand } from '../../../platform/mail/by-hand.ts';
import { nothingHere } from '../../../platform/http/page-refusals.ts';
import type { PageRequest, PageServices } from '../../../platform/http/page-request.ts';
import { escapeHtml, type PageAnswer, type PublicPage } from '../../../platform/http/public-pages.ts';
import { storeNamed } from '../../../platform/http/store-in-path.ts';
import { languageOfVisitor } from '../../../platform/texts/visitor-language.ts';
import { languagesOf } from '../../../platform/texts/values.ts';
import { type CustomerRow, hasPortal, isErased, portalLetter, transactIn, asCustomer, speaking, type Say } from '../../../engine/index.ts';
import { saying } from '../html.ts';
import { liveTheme } from '../../../platform/portal-look/theme.ts';
import { looking } from '../visit.ts';

interface Door {
  store: string;
  say: Say;
  language: string;
}

/** The page of a store, in the visitor's language and the look of its portal; the page that says so while the portal is off. */
async function atDoor(
  services: PageServices,
  request: PageRequest,
  storeId: number,
  page: (door: Door) => PageAnswer,
): Promise<PageAnswer> {
  return transactIn(
    services,
    storeId,
  )(async opened => {
    const context = asCustomer(services, opened);
    const languages = (await languagesOf(context)).filter(one => one.isPrimary || one.isPublished);
    const locale = languageOfVisitor(request.visitor?.languages ?? '', languages, languages[0]?.locale ?? 'en');
    const theme = await liveTheme(context);
    const speaker = await speaking(context, locale, theme);
    return inLanguage(speaker.speech.language, async () =>
      looking(
        (await hasPortal(context))
          ? page({ store: context.store.name, say: speaker.say, language: speaker.speech.language })
          : saying(speaker, speaker.say('portalOff'), 404, null),
        theme,
      ),
    );
  });
}

/** Whose page it is, and what it is. */
const head = ({ store, say }: Door): string => `<p class="quiet">${escapeHtml(store)}</p><h1>${escapeHtml(say('signInTitle'))}</h1>`;

function form(door: Door, { email = '', wrong }: { email?: string; wrong?: string } = {}): PageAnswer {
  const { say, language } = door;
  const error = wrong === undefined ? '' : `<p class="refused" id="wrong">${escapeHtml(wrong)}</p>`;
  const html =
    `${head(door)}<p>${escapeHtml(say('signInText'))}</p><form method="post">` +
    `<label for="email">${escapeHtml(say('signInEmail'))}</label>` +
    `<input id="email" name="email" type="email" autocomplete="email" required maxlength="254" value="${escapeHtml(email)}"` +
    `${wrong === undefined ? '' : ' aria-invalid="true" aria-describedby="wrong" autofocus'}>${error}` +
    `<button>${escapeHtml(say('signInButton'))}</button></form>`;
  return { status: wrong === undefined ? 200 : 422, title: say('signInTitle'), html, language };
}

const sent = (door: Door, email: string): PageAnswer => ({
  status: 200,
  title: door.say('signInTitle'),
  html: `${head(door)}<p role="status">${escapeHtml(door.say('signInSent', { customer_email: email }))}</p>`,
  language: door.language,
});

/** Sends the link where there is a customer with this address and a page of theirs. What keeps a letter back says nothing to anybody. */
async function sendLink(services: PageServices, storeId: number, email: string): Promise<void> {
  await transactIn(
    services,
    storeId,
  )(async opened => {
    const context = asCustomer(services, opened);
    const { rows } = await sql<CustomerRow>`select * from customers where store_id = ${storeId}::integer
      and lower(email) = ${email.toLowerCase()} order by id limit 1`.execute(context.trx);
    const [customer] = rows;
    if (!customer || isErased(customer.email)) return;
    const found = await portalLetter(context, customer, String(context.now().getTime()));
    if (found) await mailByHand(context.trx, storeId, found.letter, context.now());
  });
  services.mailer.kick();
}

export const signIn: PublicPage = {
  path: SIGN_IN_PATH,
  // What the store publishes.
  secret: null,
  async get(services, request) {
    const storeId = await storeNamed(services, request.params.store);
    return storeId ? atDoor(services, request, storeId, door => form(door)) : nothingHere();
  },
  async post(services, request) {
    const storeId = await storeNamed(services, request.params.store);
    if (!storeId) return nothingHere();
    const email = (request.form.email ?? '').trim();
    if (!isEmail(email))
      return atDoor(services, request, storeId, door => form(door, { email: email.slice(0, 254), wrong: door.say('signInWrong') }));
    const ip = request.visitor?.network ?? '';
    await services.db.asSystem(trx => countAttempt(trx, { email, ip, at: `portal ${storeId}` }));
    let isOn = false;
    const page = await atDoor(services, request, storeId, door => {
      isOn = true;
      return sent(door, email);
    });
    if (isOn) services.background(sendLink(services, storeId, email));
    return page;
  },
};
