// The customer's page as HTML. All of it works without scripts: links lead to a question, buttons answer it.
import { escapeHtml, type PageAnswer } from '../../platform/http/public-pages.ts';
import { methodById } from '../subscriptions/engine/aggregate.ts';
import type { Address } from '../subscriptions/engine/delivery/delivery-options.ts';
import { nameOf } from '../subscriptions/engine/price.ts';
import { nextPlanned } from '../subscriptions/engine/schedule.ts';
import method from '../../../../schemas/entities/payment-method.json' with { type: 'json' };
import type { Action } from './action.ts';
import type { Portal, Say } from './portal.ts';
import type { Upsells } from './upsells.ts';

const BRANDS = new Map<string | null, string>(method.properties.brand.oneOf.map(one => [one.const, one.title]));
const STATUS: Readonly<Record<string, string>> = {
  ACTIVE: 'statusActive',
  PAUSED: 'statusPaused',
  CANCELLED: 'statusCancelled',
  EXPIRED: 'statusExpired',
  FAILED: 'portalFailed',
};

/** The address of a page of the portal, relative to the one that is shown. */
export const at = (token: string, query: Readonly<Record<string, string | number | undefined>> = {}): string =>
  `?${new URLSearchParams(
    Object.entries({ merchantToken: token, ...query }).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )}`;

const p = (text: string, kind = ''): string => (text.trim() ? `<p${kind && ` class="${kind}"`}>${escapeHtml(text)}</p>` : '');
const h2 = (text: string): string => `<h2>${escapeHtml(text)}</h2>`;
const link = (href: string, label: string, about = ''): string =>
  `<a href="${escapeHtml(href)}"${about && ` aria-label="${escapeHtml(`${label}: ${about}`)}"`}>${escapeHtml(label)}</a>`;
const nav = (name: string, links: readonly string[]): string =>
  links.length ? `<nav aria-label="${escapeHtml(name)}">${links.join('')}</nav>` : '';

/** Links of actions. */
const offering = (name: string, token: string, actions: readonly Action[], about = ''): string =>
  nav(
    name,
    actions.map(({ id, of, label }) => link(at(token, { do: id, of }), label, about)),
  );

function addressLines(given: unknown): string[] {
  const { firstName, lastName, company, address1, address2, zip, city, province, country, countryCode } = (given ?? {}) as Address;
  const joined = (...parts: (string | null | undefined)[]): string => parts.filter(Boolean).join(' ');
  return [
    joined(firstName, lastName),
    joined(company),
    joined(address1),
    joined(address2),
    joined(zip, city),
    joined(province, country ?? countryCode),
  ].filter(Boolean);
}

function card({ a, say }: Portal): string {
  const found = methodById(a, a.contract.payment_method_id);
  if (!found) return '';
  const brand = BRANDS.get(found.brand) ?? found.brand ?? '';
  return found.last_digits ? say('portalCard', { card: brand, last_digits: found.last_digits }) : brand;
}

export interface Shown {
  token: string;
  actions: readonly Action[];
  upsells: Upsells;
  others: readonly { id: number; products: string; href: string }[];
  /** What was done, or why not. */
  said?: string;
}

/** The page of one subscription. */
export function page(portal: Portal, { token, actions, upsells, others, said }: Shown): PageAnswer {
  const { a, work, say, speech } = portal;
  const { contract } = a;
  const next = nextPlanned(a, work.zone);
  const title = say('subscriptionName');
  const named = (...ids: string[]): Action[] => actions.filter(one => ids.includes(one.id));
  const products = a.lines.map(line => {
    const name = nameOf(line);
    const mine = actions.filter(one => one.of === line.id && one.id !== 'ADD');
    return (
      `<h3>${escapeHtml(say('quantityLine', { quantity: String(line.quantity), product_name: name }))}</h3>` +
      p(line.one_time_added ? say('oneTimeProduct') : '', 'quiet') +
      offering(name, token, mine, name)
    );
  });
  const status = contract.status === 'PAUSED' && contract.resume_at ? say('pausedUntil') : say(STATUS[contract.status] ?? '');
  const address = addressLines(contract.shipping_address);
  const html = [
    `<h1>${escapeHtml(title)}</h1>`,
    said ? `<p class="said" role="status">${escapeHtml(said)}</p>` : '',
    p(say('greeting')),
    p(`${status} · ${say('deliveredEvery')}`),
    next && contract.status === 'ACTIVE' ? p(`${say('nextOrderOn')} · ${say('totalLine')}`) : '',
    offering(say('upcomingOrdersHeading'), token, named('SKIP', 'UNSKIP', 'DATE', 'DELAY', 'NOW')),
    h2(say('productsHeading')),
    ...products,
    upsells.actions.length ? h2(upsells.heading || say('addProduct')) + p(upsells.text) : '',
    ...upsells.actions.map(one => p(one.question) + offering(one.question, token, [one], one.question)),
    address.length ? h2(say('addressHeading')) + `<p>${address.map(escapeHtml).join('<br>')}</p>` : '',
    card(portal) ? h2(say('portalPayment')) + p(card(portal)) : '',
    h2(say('manageButton')),
    offering(say('manageButton'), token, named('FREQUENCY', 'PAUSE', 'RESUME', 'REACTIVATE', 'CANCEL')),
    others.length ? h2(say('subscriptionsHeading')) : '',
    nav(
      say('subscriptionsHeading'),
      others.map(one => link(one.href, `#${one.id} ${one.products}`)),
    ),
    help(say),
  ];
  return { status: 200, title, html: html.join(''), language: speech.language };
}

/** The store writes it with links and bold words; here it is plain. */
const help = (say: Say): string => p(say('helpText').replace(/<[^<>]*>/g, ''), 'quiet');

/** The question before something is done, or why it can't be. */
export function question({ a, say, speech }: Portal, token: string, action: Action, to: string | undefined): PageAnswer {
  const { id, of, refusal, field, choices } = action;
  const needsField = field !== undefined && choices.length === 0;
  const hidden = Object.entries({ merchantToken: token, do: id, ...(of === undefined ? {} : { of: String(of) }) })
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`)
    .join('');
  const form = needsField
    ? `<form method="get">${hidden}<label for="to">${escapeHtml(field.label)}</label>` +
      `<input id="to" name="to" type="${field.type}" value="${field.value}" min="${field.min}" max="${field.max}" required>` +
      `<button type="submit">${escapeHtml(say('portalContinue'))}</button></form>`
    : choices
        .map(({ label }, choice) => {
          const address = escapeHtml(at(token, { do: id, of, to, choice, v: a.contract.version }));
          return `<form method="post" action="${address}"><button type="submit">${escapeHtml(label)}</button></form>`;
        })
        .join('');
  return {
    status: 200,
    title: action.label,
    html:
      `<h1>${escapeHtml(action.label)}</h1>` +
      p(refusal ?? (action.question === action.label ? '' : action.question)) +
      (refusal ? '' : form) +
      `<p>${link(at(token), id === 'CANCEL' ? say('cancelKeep') : say('back'))}</p>`,
    language: speech.language,
  };
}

/** A sentence alone, with the way back. */
export const saying = ({ say, speech }: Pick<Portal, 'say' | 'speech'>, token: string, text: string, status: number): PageAnswer => ({
  status,
  title: say('portalTitle'),
  html: `<h1>${escapeHtml(say('portalTitle'))}</h1>${p(text)}${token ? `<p>${link(at(token), say('back'))}</p>` : ''}`,
  language: speech.language,
});
