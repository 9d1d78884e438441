// The recipient's page as HTML: who gives what, with which words, what has come and what comes when; and the questions behind its buttons.
import { escapeHtml as e, type PageAnswer } from '../../../platform/http/public-pages.ts';
import { nameOf, nameOfVariant, productsRead, type SoldVariant, upcomingOrders } from '../../../engine/index.ts';
import { addressLines, changedAddressFields } from '../../../platform/http/address-fields.ts';
import { field, alarm } from '../../../platform/http/form-fields.ts';
import type { Option } from './options.ts';
import type { Visited } from './visit.ts';

const at = (query: Readonly<Record<string, string | number>>): string =>
  `?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`;
const p = (text: string, kind = ''): string =>
  text.trim() ? `<p${kind && ` class="${kind}"`}>${e(text).replaceAll('\n', '<br>')}</p>` : '';
const h2 = (text: string): string => `<h2>${e(text)}</h2>`;
const pictured = (image: string | null, words: string): string =>
  `<div class="product">${image ? `<img src="${e(image)}" alt="" width="64" height="64">` : ''}<div>${words}</div></div>`;
const back = ({ say }: Visited): string => `<p><a href="?">${e(say('back'))}</a></p>`;
const button = (address: string, label: string, about = '', isQuiet = false): string =>
  `<form method="post" action="${e(address)}"><button type="submit"${isQuiet ? ' class="second"' : ''}` +
  `${about && ` aria-label="${e(`${label}: ${about}`)}"`}>${e(label)}</button></form>`;

export const answer = (visited: Pick<Visited, 'speech'>, title: string, html: string, status = 200): PageAnswer => ({
  status,
  title,
  html,
  language: visited.speech.language,
});

const LABELS: Readonly<Record<Option, string>> = {
  DATE: 'giftReschedule',
  SKIP: 'giftSkip',
  NOW: 'giftOrderNow',
  SWAP: 'giftSwap',
  ADDRESS: 'giftEditAddress',
  THANKS: 'giftWriteThanks',
};
const links = ({ say }: Visited, options: readonly Option[], name: string): string =>
  options.length
    ? `<nav aria-label="${e(name)}">${options.map(one => `<a href="${at({ do: one })}">${e(say(LABELS[one]))}</a>`).join('')}</nav>`
    : '';

/** Whose page it is: the store's name, and from whom the gift is. */
function head({ context, gift, say }: Visited): string {
  const words = gift.message
    ? `<figure><figcaption class="quiet">${e(say('giftMessageTitle'))}</figcaption><blockquote class="said">${e(gift.message)}` +
      `</blockquote></figure>`
    : '';
  return `<p class="quiet">${e(context.store.name)}</p><h1>${e(say('giftPageTitle'))}</h1><p>${e(say('giftFrom'))}</p>${words}`;
}

/** A bar of as many parts as there are orders; the words above it say the same. */
function track({ gift }: Visited, done: number): string {
  const parts = Array.from({ length: gift.total_orders }, (_, i) => `<li${i < done ? ' class="reached"' : ''}></li>`);
  return `<ol class="track" aria-hidden="true">${parts.join('')}</ol>`;
}

function days(visited: Visited): string {
  const { context, gift, subscription, speech, say } = visited;
  const { zone } = visited.work;
  const past = subscription.orders
    .filter(one => one.status === 'PAID')
    .map(one => ({ at: one.delivery_at.getTime(), key: one.delivery_at > context.now() ? 'giftOrderPlanned' : 'giftOrderSent' }));
  const left = subscription.contract.prepaid_credits;
  const ahead =
    gift.status === 'CANCELLED'
      ? []
      : upcomingOrders(subscription, zone, context.now(), 60)
          .filter(one => one.status === 'SCHEDULED')
          .slice(0, left)
          .map(one => ({ at: one.deliveryAt, key: 'giftOrderPlanned' }));
  const all = [...past, ...ahead].sort((one, other) => one.at - other.at);
  const items = all.map(({ at: when, key }) => {
    const kind = key === 'giftOrderSent' ? ' class="quiet"' : '';
    return `<li${kind}>${e(say(key, { order_date: speech.day(new Date(when)) }))}</li>`;
  });
  return items.length ? `<ol>${items.join('')}</ol>` : '';
}

function thanks(visited: Visited, mayThank: boolean, typed: string, wrong: string | undefined): string {
  const { gift, say } = visited;
  if (gift.thanked_at !== null)
    return (
      `${h2(say('giftThanksYours'))}<blockquote class="quiet">${e(gift.thanks_message)}</blockquote>` + p(say('giftThanksSent'), 'quiet')
    );
  if (!mayThank) return '';
  return (
    `${h2(say('giftWriteThanks'))}${alarm(wrong)}<form method="post" action="${at({ do: 'THANKS' })}">` +
    field({ name: 'message', label: say('giftThanksPlaceholder'), value: typed, isRequired: true, isLong: true, maxLength: 500 }) +
    `<button type="submit">${e(say('giftWriteThanks'))}</button></form>`
  );
}

export interface Shown {
  options: readonly Option[];
  /** What was done, or why not. */
  told?: string | undefined;
  wrong?: string | undefined;
  typed?: string;
}

export function overview(visited: Visited, { options, told, wrong, typed = '' }: Shown): PageAnswer {
  const { gift, subscription, say, speech } = visited;
  const done = gift.total_orders - subscription.contract.prepaid_credits;
  const state = gift.status === 'CANCELLED' ? say('giftCancelled') : gift.status === 'COMPLETED' ? say('giftCompleted') : '';
  const next = options.length || gift.status === 'ACTIVE' ? p(state ? '' : say('giftNextOrder')) : '';
  const products = productsRead(subscription.contract, subscription.lines)
    .map(({ line, name, quantity }) =>
      pictured(line?.image ?? null, `<h3>${e(say('quantityLine', { quantity: String(quantity), product_name: name }))}</h3>`),
    )
    .join('');
  const address = addressLines(subscription.contract.shipping_address, speech.language);
  const ofOrders = options.filter(one => one === 'DATE' || one === 'SKIP' || one === 'NOW');
  const html = [
    told ? `<p class="said" role="status">${e(told)}</p>` : '',
    head(visited),
    `<section class="next-order">${h2(say('giftOrdersProgress'))}${track(visited, done)}${p(state)}${next}`,
    `${days(visited)}${links(visited, ofOrders, say('giftOrdersProgress'))}</section>`,
    `<section class="products">${h2(say('productsHeading'))}${products}${links(
      visited,
      options.filter(one => one === 'SWAP'),
      say('productsHeading'),
    )}</section>`,
    `<section class="delivery-details">${h2(say('addressHeading'))}${
      address.length ? `<p>${address.map(e).join('<br>')}</p>` : p(say('giftAddressMissing'))
    }${links(
      visited,
      options.filter(one => one === 'ADDRESS'),
      say('addressHeading'),
    )}</section>`,
    `<section class="thanks">${thanks(visited, options.includes('THANKS'), typed, wrong)}</section>`,
  ];
  return answer(visited, say('giftPageTitle'), html.join(''), wrong ? 422 : 200);
}

/** One sentence and the way back. */
export const saying = (visited: Visited, text: string, status: number): PageAnswer =>
  answer(visited, visited.say('giftPageTitle'), `<h1>${e(visited.say('giftPageTitle'))}</h1>${p(text)}${back(visited)}`, status);

/** A link that was good once: a new one goes to the address that the gift was sent to, and to no other. */
export function expired(visited: Visited, token: string, told?: string): PageAnswer {
  const { context, say } = visited;
  const html =
    `<p class="quiet">${e(context.store.name)}</p><h1>${e(say('giftPageTitle'))}</h1>` +
    (told ? `<p class="said" role="status">${e(told)}</p>` : p(say('giftExpired')) + button(at({ do: 'LINK', token }), say('giftNewLink')));
  return answer(visited, say('giftPageTitle'), html, 410);
}

const asking = (
  visited: Visited,
  title: string,
  html: string,
  { wrong, status = wrong ? 422 : 200 }: { wrong?: string | undefined; status?: number } = {},
) => answer(visited, title, `<h1>${e(title)}</h1>${alarm(wrong)}${html}${back(visited)}`, status);

/** The press or form of an action; `v`: the version of the gift that it was shown with. */
const pressed = (option: Option, { subscription }: Visited, more: Readonly<Record<string, string | number>> = {}): string =>
  at({ do: option, ...more, v: subscription.contract.version });

export function dateHtml(visited: Visited, bounds: { first: string; last: string }, value: string, wrong?: string): PageAnswer {
  const { say } = visited;
  const form =
    p(say('giftNextOrder')) +
    `<form method="post" action="${e(pressed('DATE', visited))}">` +
    field({ name: 'to', label: say('portalNewDay'), value, isRequired: true, type: 'date', min: bounds.first, max: bounds.last }) +
    `<button type="submit">${e(say('save'))}</button></form>`;
  return asking(visited, say('giftReschedule'), form, { wrong });
}

export const confirmHtml = (visited: Visited, option: 'SKIP' | 'NOW', wrong?: string): PageAnswer => {
  const { say } = visited;
  const question = p(say(option === 'SKIP' ? 'giftSkipConfirm' : 'giftOrderNowConfirm'));
  return asking(visited, say(LABELS[option]), question + button(pressed(option, visited), say(LABELS[option])), {
    wrong,
    status: wrong ? 409 : 200,
  });
};

export function swapHtml(visited: Visited, others: readonly SoldVariant[], wrong?: string): PageAnswer {
  const { subscription, say, speech } = visited;
  const lines = subscription.lines.filter(line => !line.one_time_added);
  const choices = lines.flatMap(line => [
    ...(lines.length > 1 ? [h2(nameOf(line))] : [p(nameOf(line), 'quiet')]),
    ...others.map(variant => {
      const name = nameOfVariant(speech.named(variant));
      return (
        pictured(variant.image ?? variant.product_image, `<h3>${e(name)}</h3>`) +
        button(pressed('SWAP', visited, { of: line.id, variant: variant.id }), say('swapProduct'), name, true)
      );
    }),
  ]);
  return asking(visited, say('giftSwap'), choices.join(''), { wrong, status: wrong ? 409 : 200 });
}

export function addressHtml(
  visited: Visited,
  typed: Readonly<Record<string, string>>,
  errors: ReadonlyMap<string, string>,
  wrong?: string,
): PageAnswer {
  const { context, subscription, speech, say } = visited;
  const { country, fields } = changedAddressFields({
    typed,
    present: subscription.contract.shipping_address,
    home: context.store.country_code,
    language: speech.language,
    label: say,
    errorOf: name => errors.get(name),
  });
  const form =
    `<form method="post" action="${e(pressed('ADDRESS', visited))}">${fields.map(field).join('')}` +
    `<input type="hidden" name="partsOf" value="${e(country)}"><button type="submit">${e(say('save'))}</button></form>`;
  return asking(visited, say('giftEditAddress'), form, { wrong, status: wrong || errors.size ? 422 : 200 });
}
