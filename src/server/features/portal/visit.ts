// A visit of the pages of a customer: who comes by a link that is theirs, and whether it is still good (D225, D226).
import { signInPath } from '../../platform/mail/account-link.ts';
import type { LinkSecret } from '../../platform/http/link-secret.ts';
import type { PageRequest, PageServices } from '../../platform/http/page-request.ts';
import type { PageAnswer } from '../../platform/http/public-pages.ts';
import { madeAt, portalSettings, type Transact, transactIn, asCustomer, speaking, type CustomerContext } from '../../engine/index.ts';
import { saying } from './html.ts';
import { liveTheme, styleSheetOf, type Theme } from '../../platform/portal-look/theme.ts';

const MINUTE_MS = 60_000;

export interface Visit {
  customerId: number;
  contractId: number;
  transact: Transact;
  made: Date;
  locale: string | null;
}

/** A number in an address; 0 for all else. */
export const numberOf = (text: string | undefined): number => (/^\d{1,15}$/.test(text ?? '') ? Number(text) : 0);

/** Who comes by a link with a token that is theirs; undefined for all others. */
export async function visitOf(services: PageServices, { params, query }: PageRequest): Promise<Visit | undefined> {
  const [customerId, contractId, token] = [numberOf(params.customer), numberOf(params.subscription), query.merchantToken ?? ''];
  const { rows } = await services.db.ownerQuery<{ store_id: number; id: number; portal_token: string; locale: string | null }>(
    'select store_id, id, portal_token, locale from customers where store_id = any(array(select id from stores)) and id = $1',
    [customerId],
  );
  for (const row of rows) {
    const made = madeAt(row, token);
    if (made) return { customerId, contractId, transact: transactIn(services, row.store_id), made, locale: row.locale };
  }
  return undefined;
}

/** Opens the pages of the customer of a visit, or says why they stay closed. */
export const within = (
  services: PageServices,
  { transact, made, locale }: Visit,
  work: (context: CustomerContext) => Promise<PageAnswer>,
): Promise<PageAnswer> =>
  transact(async opened => {
    const context = asCustomer(services, opened);
    const found = await standing(context, made);
    if ('goodFor' in found) return work(context);
    const { closed } = found;
    const theme = await liveTheme(context);
    const speaker = await speaking(context, locale, theme);
    const again = closed === 'portalExpired' ? { href: signInPath(context.storeId), words: speaker.say('signInButton') } : undefined;
    return looking(saying(speaker, speaker.say(closed), closed === 'portalOff' ? 404 : 410, again ?? null), theme);
  });

/** A page with the look of a theme. */
export const looking = (answer: PageAnswer, theme: Theme): PageAnswer =>
  'html' in answer ? { ...answer, styleSheet: styleSheetOf(theme) } : answer;

/** Why a link made then opens nothing now; else for how many more milliseconds it is good. */
async function standing(context: CustomerContext, made: Date): Promise<{ closed: string } | { goodFor: number }> {
  const { isOn, linkMinutes = 1440 } = await portalSettings(context);
  if (isOn === false) return { closed: 'portalOff' };
  const age = context.now().getTime() - made.getTime();
  const goodFor = linkMinutes * MINUTE_MS - age;
  return goodFor < 0 || age < -5 * MINUTE_MS ? { closed: 'portalExpired' } : { goodFor };
}

/** All pages of a customer have one link. */
export const secret: LinkSecret = {
  query: 'merchantToken',
  scope: '/a/loop_subscriptions/customer/:customer',
  async goodFor(services, request) {
    const visit = await visitOf(services, request);
    const found = await visit?.transact(opened => standing(asCustomer(services, opened), visit.made));
    return found && 'goodFor' in found ? found.goodFor : 0;
  },
};
