// The page of a gift's recipient, opened by the link in a letter about it: what was given, and what the store leaves to them.
import { Refusal } from '../../../platform/context.ts';
import type { LinkSecret } from '../../../platform/http/link-secret.ts';
import { nothingHere } from '../../../platform/http/page-refusals.ts';
import type { PageRequest } from '../../../platform/http/page-request.ts';
import type { PageAnswer, PublicPage } from '../../../platform/http/public-pages.ts';
import { isoDay } from '../../../../domain/calendar/calendar.ts';
import { cleanAddress } from '../../../../domain/places/address.ts';
import { GIFT_PATH, nextPlanned, sendGiftAgain } from '../../../engine/index.ts';
import { addressIn } from '../../../platform/http/address-fields.ts';
import { type Asked, carryOut, type Option, OPTIONS, daysFor, isOption, mayDo, othersOf, sayThanks } from '../recipient/options.ts';
import { addressHtml, confirmHtml, dateHtml, expired, overview, saying, swapHtml } from '../recipient/html.ts';
import { enter, visitOf, type Visited } from '../recipient/visit.ts';

/** What the page may say by its address, after what was done. */
const TOLD: Readonly<Record<Option, string>> = {
  DATE: 'giftMoved',
  SKIP: 'giftSkipped',
  NOW: 'giftSentNow',
  SWAP: 'giftSwapped',
  ADDRESS: 'addressSaved',
  THANKS: 'giftThanksSent',
};
const ALL_TOLD = new Set([...Object.values(TOLD), 'portalChanged']);

const secret: LinkSecret = {
  query: 'token',
  async goodFor(services, request) {
    const visit = await visitOf(services, request);
    return visit ? visit.transact(async ({ now }) => visit.goodFor(now())) : 0;
  },
};

async function optionsOf(visited: Visited): Promise<Option[]> {
  const found: Option[] = [];
  for (const one of OPTIONS) if (await mayDo(visited, one)) found.push(one);
  return found;
}

async function show(visited: Visited, { query, form }: PageRequest, refused?: Refusal): Promise<PageAnswer> {
  const { do: option, told } = query;
  const wrong = refused && (refused.errors?.[0]?.message ?? refused.message);
  if (option === undefined || !isOption(option) || option === 'THANKS')
    return overview(visited, {
      options: await optionsOf(visited),
      told: told !== undefined && ALL_TOLD.has(told) ? visited.say(told) : undefined,
      ...(option === 'THANKS' ? { wrong, typed: form.message ?? '' } : {}),
    });
  if (!(await mayDo(visited, option))) return saying(visited, visited.say('portalUnavailable'), 403);
  if (option === 'SWAP') return swapHtml(visited, await othersOf(visited), wrong);
  if (option === 'ADDRESS') {
    const errors = new Map((refused?.errors ?? []).map(({ pointer, message }) => [pointer.split('/').at(-1) ?? '', message]));
    return addressHtml(visited, form, errors, refused && errors.size === 0 ? visited.say('giftAddressRefused') : undefined);
  }
  if (option !== 'DATE') return confirmHtml(visited, option, wrong);
  const { work, subscription } = visited;
  const next = nextPlanned(subscription, work.zone);
  return dateHtml(visited, daysFor(visited), form.to ?? (next ? isoDay(next.billingAt, work.zone) : ''), wrong);
}

/** What was pressed, of the address and the form; undefined for what no page of ours sends. */
async function askedOf(visited: Visited, option: Exclude<Option, 'THANKS'>, { query, form }: PageRequest): Promise<Asked | undefined> {
  if (option === 'SKIP' || option === 'NOW') return { option };
  if (option === 'ADDRESS') return { option, address: cleanAddress(addressIn(form)) };
  if (option === 'SWAP') {
    const [lineId, variantId] = [Number(query.of), Number(query.variant)];
    return (await othersOf(visited)).some(({ id }) => id === variantId) ? { option, lineId, variantId } : undefined;
  }
  const { first, last } = daysFor(visited);
  const to = form.to ?? '';
  if (!/^\d{4}-\d{2}-\d{2}$/.test(to) || to < first || to > last || Number.isNaN(Date.parse(to))) {
    const message = visited.say('giftDateRefused');
    throw new Refusal(422, 'VALIDATION', message, [{ pointer: '/to', rule: 'date', message }]);
  }
  return { option, to };
}

async function take(visited: Visited, request: PageRequest): Promise<PageAnswer> {
  const { do: option = '', v } = request.query;
  if (!isOption(option)) return nothingHere();
  const home = (told: string): PageAnswer => ({ redirect: `${GIFT_PATH.replace(':gift', String(visited.gift.id))}?told=${told}` });
  if (option === 'THANKS' && visited.gift.thanked_at !== null) return home(TOLD.THANKS);
  if (!(await mayDo(visited, option))) return saying(visited, visited.say('portalUnavailable'), 403);
  if (option === 'THANKS') {
    await sayThanks(visited, request.form.message ?? '');
    return home(TOLD.THANKS);
  }
  // Pressed twice, or changed meanwhile: nothing more is done, and the page shows how it is now.
  if (String(visited.subscription.contract.version) !== v) return home('portalChanged');
  const asked = await askedOf(visited, option, request);
  if (!asked) return saying(visited, visited.say('portalUnavailable'), 409);
  await carryOut(visited, asked);
  return home(TOLD[option]);
}

/** A letter with a new link, to the recipient. How often one was asked for is said, and nothing about the address. */
async function sendLink(visited: Visited, token: string): Promise<PageAnswer> {
  try {
    await sendGiftAgain(visited.work, visited.subscription, visited.gift);
    return expired(visited, token, visited.say('giftNewLinkSent'));
  } catch (error) {
    if (!(error instanceof Refusal) || error.status >= 500) throw error;
    return expired(visited, token, visited.say('giftNewLinkWait'));
  }
}

export const recipient: PublicPage = {
  path: GIFT_PATH,
  secret,
  async get(services, request) {
    const visit = await visitOf(services, request);
    if (!visit) return nothingHere();
    return enter(services, visit, async (visited, isOpen) =>
      isOpen ? show(visited, { ...request, form: {} }) : expired(visited, request.query.token ?? ''),
    );
  },
  async post(services, request) {
    const visit = await visitOf(services, request);
    if (!visit) return nothingHere();
    const isLink = request.query.do === 'LINK';
    try {
      const answered = await enter(
        services,
        visit,
        async (visited, isOpen) =>
          isOpen && !isLink
            ? take(visited, request)
            : isLink
              ? sendLink(visited, request.query.token ?? '')
              : expired(visited, request.query.token ?? ''),
        true,
      );
      services.mailer.kick();
      return answered;
    } catch (error) {
      if (!(error instanceof Refusal) || error.status >= 500) throw error;
      return enter(services, visit, visited => show(visited, request, error));
    }
  },
};
