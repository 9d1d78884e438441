// A card that is entered on the payment provider's own page: the way there, and back with what came of it.
import type { PageAnswer } from '../../../platform/http/public-pages.ts';
import { escapeHtml as e } from '../../../platform/http/public-pages.ts';
import type { PageServices } from '../../../platform/http/page-request.ts';
import { NoOutcome } from '../../../platform/gateway/gateway.ts';
import { OutgoingError } from '../../../platform/outgoing/outgoing.ts';
import { portalBase, transactIn } from '../../../engine/index.ts';
import { beginSetup, openSetup, settleSetup, setupOf, type Settled, type Setup } from '../../payments/card-setups.ts';
import { hasTooMany, othersOf } from '../../payments/pay-by.ts';
import { at } from '../at.ts';
import { saying } from '../html.ts';
import { chargeAll } from '../perform.ts';
import type { Portal } from '../portal.ts';
import { closed, goTo, type Asked } from './own-page.ts';
import { answer, link } from './parts.ts';
import { alarm } from '../../../platform/http/form-fields.ts';
import { rich } from '../../../platform/texts/text-verbs.ts';

/** Where the page is: in the portal, or behind the link of a letter. */
export interface Place {
  /** Its path, which proves nothing by itself. */
  path: string;
  /** What the address says that the page is for, such as "do=CARD". */
  query: Readonly<Record<string, string>>;
  open(work: (portal: Portal) => Promise<PageAnswer>): Promise<PageAnswer>;
}

interface Notice {
  said?: string;
  refused?: string;
  status?: number;
}

/** The page with the button that leads to the provider's. */
export async function showHosted(
  portal: Portal,
  { query, form }: Asked,
  { said, refused, status = 200 }: Notice = {},
): Promise<PageAnswer> {
  const why = await closed(portal, 'CARD');
  if (why) return why;
  const { say, subscription, context } = portal;
  const { id, customer_id: customerId } = subscription.contract;
  const others = (await othersOf(context, { id, customerId })).length;
  const also = others
    ? `<label class="choice"><input type="checkbox" name="others" value="1"${form.others ? ' checked' : ''}>` +
      `<span>${e(say('portalCardOthers', { count: String(others) }))}</span></label>`
    : '';
  const isInPortal = query.do !== undefined;
  const html =
    alarm(refused) +
    (said === undefined ? '' : `<p class="said" role="status">${e(said)}</p>`) +
    `<p>${e(say('portalCardSecure'))}</p>${rich(say('paymentSecurityText'))}` +
    `<form method="post" action="${e(at(isInPortal ? { do: 'CARD' } : {}))}">${also}` +
    `<button type="submit">${e(say('portalCardGo'))}</button></form>${isInPortal ? link(say('back')) : ''}`;
  // Browsers hold the redirect that follows a form to this as well.
  return { ...answer(portal, say('portalAddCard'), html, status), formAction: context.config.vendorUrl ?? 'https:' } as PageAnswer;
}

/** The button was pressed: on to the provider's page, which is opened once however often that happens. */
export async function pressHosted(services: PageServices, place: Place, asked: Asked): Promise<PageAnswer> {
  // A page of before that is over is followed by a new one.
  for (let isAgain = false; ; isAgain = true) {
    let begun: { storeId: number; setup: Setup; language: string } | undefined;
    const page = await place.open(async portal => {
      begun = undefined;
      const why = await closed(portal, 'CARD');
      if (why) return why;
      const { context, subscription, speech, say } = portal;
      const { id: contractId, customer_id: customerId } = subscription.contract;
      if (await hasTooMany(context, customerId)) return showHosted(portal, asked, { refused: say('portalCardTooMany'), status: 409 });
      const others = asked.form.others === '1';
      const setup = await beginSetup(context, { gateway: 'STRIPE', contractId, customerId, others });
      begun = { storeId: context.storeId, setup, language: speech.language };
      return { redirect: '' };
    });
    if (!begun) return page;
    const { storeId, setup, language } = begun;
    const back = `${portalBase(services.config) ?? ''}${place.path}${at(place.query)}`;
    const settled = await answered(() => openSetup(services, storeId, { setup, back, language }));
    if (settled?.is === 'ENDED' && !isAgain) continue;
    return follow(services, place, { asked, storeId, setup, settled, isBack: false });
  }
}

/** The customer is back from the provider's page, in whichever way, and however often. */
export async function backFromHosted(services: PageServices, place: Place, asked: Asked): Promise<PageAnswer> {
  let found: { storeId: number; setup: Setup } | undefined;
  const page = await place.open(async portal => {
    found = undefined;
    const { context, subscription } = portal;
    const { id, customer_id: customerId } = subscription.contract;
    const setup = /^\d{1,15}$/.test(asked.query.setup ?? '') ? await setupOf(context, Number(asked.query.setup)) : undefined;
    // That of another subscription says nothing here.
    if (setup?.contractId !== id || setup.customerId !== customerId) return goTo(portal, { told: 'portalChanged' });
    found = { storeId: context.storeId, setup };
    return { redirect: '' };
  });
  if (!found) return page;
  const { storeId, setup } = found;
  const settled = await answered(() => settleSetup(services, storeId, setup));
  return follow(services, place, { asked, storeId, setup, settled, isBack: true });
}

/** Undefined: the provider gave no answer. */
async function answered(work: () => Promise<Settled>): Promise<Settled | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof NoOutcome || error instanceof OutgoingError) return undefined;
    throw error;
  }
}

async function follow(
  services: PageServices,
  place: Place,
  found: { asked: Asked; storeId: number; setup: Setup; settled: Settled | undefined; isBack: boolean },
): Promise<PageAnswer> {
  const { asked, storeId, setup, settled, isBack } = found;
  const { contractId, customerId } = setup;
  if (settled?.is === 'OPEN' && !isBack) return { redirect: settled.url };
  if (settled?.is === 'DONE') {
    const why = await chargeAll(services, { transact: transactIn(services, storeId), customerId, contractId }, settled.charges);
    return place.open(async portal =>
      why === undefined
        ? goTo(portal, { told: settled.isUsed ? 'portalPaymentChanged' : 'portalChanged' })
        : saying(portal, why, 409, 'do' in place.query ? undefined : null),
    );
  }
  return place.open(portal => {
    const { say } = portal;
    if (!settled && !isBack) return showHosted(portal, asked, { refused: say('portalCardUnreachable'), status: 502 });
    const hasLeft = asked.query.left !== undefined || settled?.is === 'ENDED';
    return showHosted(portal, asked, { said: say(hasLeft ? 'portalCardLeft' : 'portalCardWaiting') });
  });
}
