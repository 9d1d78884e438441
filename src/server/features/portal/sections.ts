// The sections of the page of a subscription, by the names that themes have for them. One with nothing to say is empty.
import { escapeHtml } from '../../platform/http/public-pages.ts';
import { sum, toMinor } from '../../../domain/money/money.ts';
import { hasDeliveryDays, linesOfBundle, nameOf, presentValue, pricedNext, productsRead } from '../../engine/index.ts';
import type { Action } from './action.ts';
import { boxesHeld } from './boxes.ts';
import { customSection } from './custom-section.ts';
import { deliveryNow } from './delivery.ts';
import { h2, link, nav, offering, p, pictured } from './elements.ts';
import { orderSummary, pastOrders, type PastOrders } from './orders.ts';
import { paymentSection } from './payment.ts';
import type { Portal } from './portal.ts';
import { bundleWord } from './profile-words.ts';
import type { ThemeSection } from '../../platform/portal-look/theme.ts';
import type { Upsells } from './upsells.ts';
import { addressLines } from '../../platform/http/address-fields.ts';

export interface Shown {
  actions: readonly Action[];
  upsells: Upsells;
  others: readonly { id: number; status: string; products: string; href: string }[];
  past: PastOrders;
  /** HTML of the streak. */
  streak: string;
  /** HTML of what a campaign keeps secret. */
  mystery: string;
  /** HTML of points and rewards. */
  loyalty: string;
  /** HTML of what it may be upgraded to. */
  upgrades: string;
  /** HTML of the gifts that the customer gave. */
  gifts: string;
  /** What was done, or why not. */
  said?: string;
}
type Section = (portal: Portal, shown: Shown) => string;

/** Other subscriptions by how they stand. */
const TABS = [
  { key: 'tabActive', statuses: ['ACTIVE', 'FAILED'] },
  { key: 'tabPaused', statuses: ['PAUSED'] },
  { key: 'tabCancelled', statuses: ['CANCELLED', 'EXPIRED'] },
];

const named = (actions: readonly Action[], ...ids: string[]): Action[] => actions.filter(one => ids.includes(one.id));
/** What has no place stands behind the others. */
const inOrder = ({ order: a = 1000 }: Action, { order: b = 1000 }: Action): number => a - b;
const inSection = (actions: readonly Action[], section: Action['section']): Action[] =>
  actions.filter(one => one.section === section).sort(inOrder);

/** A box: what it is called, what is in it, what it costs in an order, and the way to change that. */
function boxHtml(portal: Portal, { held, of }: ReturnType<typeof boxesHeld>[number], actions: readonly Action[]): string {
  const { subscription, say, speech, work } = portal;
  const lines = linesOfBundle(subscription, held.id);
  const worded = (key: string, own: string | null): string => bundleWord(portal, held.bundleId, key, own);
  const name = [worded('name', held.name), worded(`boxSizes.${held.boxSizeId}.name`, held.boxName)].filter(Boolean).join(': ');
  const priced = pricedNext(subscription, work.zone, work.settings.prepaidShippingCharge)?.priced.lines ?? [];
  const cost = sum(
    priced.filter(one => one.bundleTransactionId === held.id).map(one => toMinor(one.discountedPrice, subscription.contract.currency_code)),
  );
  const inside = lines.map(line => {
    const text = say('quantityLine', { quantity: String(line.quantity), product_name: nameOf(line) });
    return `<li>${escapeHtml(text)}</li>`;
  });
  const html =
    `<h3>${escapeHtml(name)}</h3>${p(cost ? speech.money(cost, subscription.contract.currency_code) : '')}` +
    `<ul>${inside.join('')}</ul>${p(held.isOnce ? say('oneTimeProduct') : '', 'quiet')}`;
  const mine = actions.filter(one => one.id === 'BOX' && one.of === of);
  return pictured(lines[0]?.image ?? null, html) + offering(name, mine, name);
}

const SECTIONS: Record<Exclude<ThemeSection['key'], 'custom_section'>, Section> = {
  upgrade_banner: (_, { upgrades }) => upgrades,
  next_order({ subscription, work, say, speech }, { actions }) {
    const offered = offering(say('upcomingOrdersHeading'), inSection(actions, 'next_order'));
    const next =
      subscription.contract.status === 'ACTIVE' ? pricedNext(subscription, work.zone, work.settings.prepaidShippingCharge) : undefined;
    const isPaid = next?.planned.isPrepaidDelivery === true && next.priced.total === 0;
    const credits = subscription.contract.prepaid_credits > 0 ? p(say('portalCredits')) : '';
    const summary = next && !isPaid ? orderSummary({ say, speech }, next.priced, subscription.contract.currency_code) : '';
    const delivered = next && hasDeliveryDays(work) ? p(say('zapietDateLine'), 'quiet') : '';
    return (
      (next ? p(`${say('nextOrderOn')} · ${say(isPaid ? 'portalPaidDelivery' : 'totalLine')}`) : '') +
      delivered +
      summary +
      credits +
      offered
    );
  },
  streak_banner: (_, { streak }) => streak,
  mystery_reward: (_, { mystery }) => mystery,
  loyalty: (_, { loyalty }) => loyalty,
  products(portal, { actions }) {
    const { subscription, say, speech } = portal;
    const boxes = boxesHeld(portal);
    const inBox = new Set(boxes.map(({ held }) => held.id));
    const alone = subscription.lines.filter(line => !inBox.has(line.bundle_transaction_id ?? ''));
    const products = productsRead(subscription.contract, alone).map(({ line, name, quantity, isOneTime }) => {
      const mine = actions.filter(one => line && one.of === line.id && !one.id.startsWith('ADD')).sort(inOrder);
      const words =
        `<h3>${escapeHtml(say('quantityLine', { quantity: String(quantity), product_name: name }))}</h3>` +
        p(line ? speech.money(presentValue(subscription, line), subscription.contract.currency_code) : '') +
        p(isOneTime ? say('oneTimeProduct') : '', 'quiet');
      return pictured(line?.image ?? null, words) + offering(name, mine, name);
    });
    return h2(say('productsHeading')) + boxes.map(one => boxHtml(portal, one, actions)).join('') + products.join('');
  },
  upsell({ say }, { upsells }) {
    if (!upsells.actions.length) return '';
    const offers = upsells.actions.map(one =>
      pictured(one.image, p(`${one.product}\n${one.price}`), offering(one.question, [one], one.question)),
    );
    return h2(upsells.heading || say('addProduct')) + p(upsells.title) + p(upsells.text, 'quiet') + offers.join('');
  },
  discounts({ subscription, say }, { actions }) {
    const there = subscription.discounts.flatMap(one => (one.rejection_reason === null ? [one.code || one.title] : []));
    const ways = named(actions, 'DISCOUNT');
    if (there.length + ways.length === 0) return '';
    return h2(say('discountHeading')) + p([...new Set(there)].join(', ')) + offering(say('discountHeading'), ways);
  },
  delivery_details(portal, { actions }) {
    const { subscription, say, speech } = portal;
    const lines = addressLines(subscription.contract.shipping_address, speech.language);
    const address = lines.length ? h2(say('addressHeading')) + `<p>${lines.map(escapeHtml).join('<br>')}</p>` : '';
    const ways = named(actions, 'ADDRESS', 'DELIVERY');
    return address + p(deliveryNow(portal), 'quiet') + offering(say('addressHeading'), ways);
  },
  payment_details: (portal, { actions }) => paymentSection(portal, actions),
  schedule_actions({ say }, { actions }) {
    const offered = offering(say('frequencyHeading'), named(actions, 'FREQUENCY'));
    return offered && h2(say('frequencyHeading')) + offered;
  },
  subscription_actions({ say }, { actions }) {
    const offered = offering(say('manageButton'), inSection(actions, 'subscription_actions'));
    return offered && h2(say('manageButton')) + offered;
  },
  order_history: (portal, { past }) => pastOrders(portal, past),
  other_subscriptions({ say }, { others }) {
    if (others.length === 0) return '';
    const kinds = TABS.map(({ key, statuses }) => ({ key, of: others.filter(one => statuses.includes(one.status)) }));
    const lists = kinds.flatMap(({ key, of }) => {
      const links = of.map(one => {
        const name = say('a11yManageSubscription', { subscription_number: `#${one.id}` });
        return link(one.href, `#${one.id} ${one.products}`, '', name);
      });
      return links.length ? [`<h3>${escapeHtml(say(key))}</h3>${nav(say(key), links)}`] : [];
    });
    return h2(say('subscriptionsHeading')) + lists.join('');
  },
  gifts_given: (_, { gifts }) => gifts,
  /** The store writes it with links and bold words; here it is plain. */
  help({ say }, { actions }) {
    const choice = named(actions, 'ADVERTISING');
    return p(say('helpText').replace(/<[^<>]*>/g, ''), 'quiet') + offering(choice[0]?.label ?? '', choice);
  },
};

const sectionOf = (portal: Portal, shown: Shown, one: ThemeSection): string =>
  one.key === 'custom_section' ? customSection(portal, one) : SECTIONS[one.key](portal, shown);

/** The sections that the theme shows, in its order; CSS of the store's own may name each by its class. */
export const sectionsOf = (portal: Portal, shown: Shown): string =>
  `<div class="sections">${portal.theme.sections
    .filter(one => one.isVisible !== false)
    .map(one => ({ name: one.key.replaceAll('_', '-'), html: sectionOf(portal, shown, one) }))
    .map(({ name, html }) => html && `<section class="${name}">${html}</section>`)
    .join('')}</div>`;
