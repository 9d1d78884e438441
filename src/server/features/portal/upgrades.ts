// What a subscription may be upgraded to, as its customer sees it: a banner that can be put away, a page that compares, a list of all.
import { escapeHtml } from '../../platform/http/public-pages.ts';
import { note } from '../offers/offer.ts';
import { activeProfiles } from '../offers/profiles.ts';
import { textsFor, valuesOf } from '../offers/upgrade-texts.ts';
import { allUpgradesOf, type UpgradeOffer, type UpgradeProfile } from '../offers/upgrade.ts';
import { keyOf, type Action } from './action.ts';
import { at } from './at.ts';
import { h2, link, nav, p, pictured } from './elements.ts';
import { button } from './own/parts.ts';
import type { Portal } from './portal.ts';
import { scopeOf } from './upsells.ts';

export interface Upgrades {
  /** The banner, or the way to what was put away; empty where nothing is offered. */
  html: string;
  actions: Action[];
  /** The upgrade of the banner. */
  profileId: number | undefined;
}
/** An upgrade with its words. */
interface Worded {
  offer: UpgradeOffer;
  values: Record<string, string>;
  text(key: string): string;
}

const found = new WeakMap<Portal, Promise<Upgrades>>();
/** Looked for once for each portal, whose page shows them as a section and among what can be done. */
export function upgradesFor(portal: Portal): Promise<Upgrades> {
  let upgrades = found.get(portal);
  if (!upgrades) found.set(portal, (upgrades = findUpgrades(portal)));
  return upgrades;
}

/** The words of an upgrade by their keys: its own, else the store's, in the language of the customer. */
function wordsOf(portal: Portal, profile: UpgradeProfile, values: Record<string, string>): Worded['text'] {
  const { words, subscription } = portal;
  const entries = (['bannerTexts', 'drawerTexts'] as const).flatMap(group =>
    textsFor(scopeOf(portal), profile, group, words, subscription.contract.customer_locale, values),
  );
  return key => entries.find(one => one.fieldKey === key)?.value ?? '';
}

async function findUpgrades(portal: Portal): Promise<Upgrades> {
  const { subscription, planHas } = portal;
  if (subscription.contract.status !== 'ACTIVE' || !planHas('upgrades')) return { html: '', actions: [], profileId: undefined };
  const all = (await allUpgradesOf(scopeOf(portal))).map((offer): Worded => {
    const values = valuesOf(scopeOf(portal), offer, portal.speech);
    return { offer, values, text: wordsOf(portal, offer.profile, values) };
  });
  const [first] = all;
  if (!first) return { html: '', actions: [], profileId: undefined };
  const shown = all.find(({ offer }) => !offer.isPutAway);
  const away = shown && puttingAway(shown);
  const actions = [...all.map(one => accepting(portal, one)), ...(away ? [away] : []), ...(all.length > 1 ? [listing(portal, all)] : [])];
  const others = all.length > 1 ? [link(at({ do: 'UPGRADES' }), first.text('upgradeDrawerSeeAll'))] : [];
  const open = (one: Worded, label: string): string => link(at({ do: 'UPGRADE', of: one.offer.line.id }), label, one.values.new_product);
  const html =
    shown && away
      ? `<div class="offer">${h2(shown.text('upgradeBannerTitle'))}` +
        pictured(shown.offer.variant.image, p(shown.text('upgradeBannerDescription'))) +
        nav(shown.text('upgradeBannerTitle'), [open(shown, shown.text('upgradeBannerCta')), ...others]) +
        `${putAwayButton(portal, away)}</div>`
      : nav(first.text('upgradeOpenButton'), [open(first, first.text('upgradeOpenButton')), ...others]);
  return { html, actions, profileId: shown?.offer.profile.id };
}

/** What the subscriber has beside what it would be. */
function compared(portal: Portal, { offer, values, text }: Worded): string {
  const row = (label: string, now: string | undefined, then: string | undefined): string =>
    `<tr><th scope="row">${escapeHtml(label)}</th><td>${escapeHtml(now ?? '')}</td><td>${escapeHtml(then ?? '')}</td></tr>`;
  const pieces = (quantity: number, product: string | undefined): string =>
    portal.say('quantityLine', { quantity: String(quantity), product_name: product ?? '' });
  const head = ['upgradeDrawerCurrentLabel', 'upgradeDrawerNewLabel'].map(key => `<th scope="col">${escapeHtml(text(key))}</th>`);
  const rows = [
    row(portal.say('productsHeading'), pieces(offer.line.quantity, values.current_product), pieces(offer.quantity, values.new_product)),
    row(text('upgradeDrawerFrequencyLabel'), values.current_frequency, values.new_frequency),
    row(text('upgradeDrawerPriceLabel'), values.current_price, values.new_price),
    ...(values.saving_per_order ? [row(text('upgradeDrawerSavingsLabel'), '', values.saving_per_order)] : []),
  ];
  return (
    pictured(offer.variant.image, '') +
    `<table class="compared"><thead><tr><td></td>${head.join('')}</tr></thead><tbody>${rows.join('')}</tbody></table>` +
    p(values.next_order_date ? text('upgradeDrawerNextOrderLabel') : '', 'quiet')
  );
}

function accepting(portal: Portal, one: Worded): Action {
  const { offer, values, text } = one;
  const [profileId, lineId] = [offer.profile.id, offer.line.id];
  return {
    id: 'UPGRADE',
    of: lineId,
    label: text('upgradeBannerCta'),
    title: text('upgradeDrawerTitle'),
    question: '',
    html: compared(portal, one),
    choices: [
      {
        label: text('upgradeDrawerConfirm'),
        for: values.new_product ?? '',
        does: { upgrade: { profileId, lineId }, price: offer.price, quantity: offer.quantity, frequency: offer.frequency },
      },
    ],
    back: text('upgradeDrawerCancel'),
    noted: { kind: 'UPGRADE', profileId, happened: 'OPENED' },
    done: `portalUpgraded-${profileId}`,
  };
}

const puttingAway = ({ offer, text }: Worded): Action => ({
  id: 'PUT_AWAY',
  of: offer.profile.id,
  label: text('upgradeBannerDismiss'),
  question: text('upgradeBannerTitle'),
  choices: [{ label: text('upgradeBannerDismiss'), isQuiet: true, does: { putAway: offer.profile.id } }],
  done: 'putAway',
});

function putAwayButton({ subscription }: Portal, action: Action): string {
  const { id, of, label, question, choices } = action;
  const choice = choices[0] && keyOf(action, choices[0]);
  return button(at({ do: id, of, choice, v: subscription.contract.version }), label, { quiet: true, about: question });
}

/** All of them, each with its line of the merchant. */
function listing({ words, subscription }: Portal, all: readonly Worded[]): Action {
  const shortOf = ({ id, shortDescriptionText }: UpgradeProfile): string => {
    const owner = { ownerKind: 'upgrade-profile', ownerId: String(id), key: 'shortDescriptionText.value' };
    return words.find(subscription.contract.customer_locale, owner)?.value ?? shortDescriptionText?.value ?? '';
  };
  const items = all.map(({ offer, values, text }) =>
    pictured(
      offer.variant.image,
      `<h2 class="item">${escapeHtml(values.new_product ?? '')}</h2>` +
        p(shortOf(offer.profile)) +
        p([values.new_price, values.new_frequency].join(' · '), 'quiet') +
        nav(values.new_product ?? '', [link(at({ do: 'UPGRADE', of: offer.line.id }), text('upgradeBannerCta'), values.new_product)]),
    ),
  );
  const title = all[0]?.text('upgradeDrawerSeeAll') ?? '';
  return { id: 'UPGRADES', label: title, title, question: '', html: items.join(''), choices: [], done: 'saved' };
}

/** What an upgrade says after it was taken. */
export async function upgradedWords(portal: Portal, profileId: number): Promise<string> {
  const profile = (await activeProfiles<UpgradeProfile>(portal.context, 'upgrade-profile')).find(one => one.id === profileId);
  return profile ? wordsOf(portal, profile, {})('upgradeDrawerSuccess') : portal.say('saved');
}

/** Writes down that the banner was seen. */
export async function noteUpgradeSeen(portal: Portal, { profileId }: Upgrades): Promise<void> {
  if (profileId !== undefined) await note(scopeOf(portal), { kind: 'UPGRADE', profileId, happened: 'VIEWED', place: 'PORTAL' });
}
