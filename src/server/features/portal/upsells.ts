// What a customer is offered to add: the products of the upsell profile that fits, with its words, then the store's bundles.
import { bundleUpsells } from '../offers/bundles.ts';
import { note } from '../offers/offer.ts';
import type { Scope } from '../offers/profiles.ts';
import { upsellsOf, type PurchaseType, type UpsellOffer } from '../offers/upsell.ts';
import { nameOfVariant } from '../../engine/index.ts';
import type { Action, Choice } from './action.ts';
import type { Portal } from './portal.ts';
import { bundleWord, ownWords } from './profile-words.ts';

export interface Upsells {
  profileId: number;
  /** Above all of them. */
  heading: string;
  /** Of the profile. */
  title: string;
  text: string;
  actions: (Action & { price: string; image: string | null })[];
}
const NONE: Upsells = { profileId: 0, heading: '', title: '', text: '', actions: [] };
const BY_PROFILE = 'upsell-profile';

export const scopeOf = ({ context, work, subscription }: Portal): Scope => ({ context, work, subscription });

const found = new WeakMap<Portal, Promise<Upsells>>();
/** Looked for once for each portal, whose page shows them as a section and among what can be done. */
export function upsellsFor(portal: Portal): Promise<Upsells> {
  let upsells = found.get(portal);
  if (!upsells) found.set(portal, (upsells = findUpsells(portal)));
  return upsells;
}

async function findUpsells(portal: Portal): Promise<Upsells> {
  const { subscription, may, context, planHas } = portal;
  const ways = [...(may.addOnce ? ['ONETIME'] : []), ...(may.addToSubscription ? ['SUBSCRIPTION'] : [])] as PurchaseType[];
  if (ways.length === 0 || subscription.contract.status !== 'ACTIVE' || !planHas('upsell')) return NONE;
  const offers = await upsellsOf(scopeOf(portal));
  const profileId = offers[0]?.profile.id ?? 0;
  const words = await ownWords(portal, BY_PROFILE, profileId, ['heading', 'subheading', 'addButton'], ['addButton']);
  const actions = [
    ...offers.flatMap(offer => product(portal, offer, ways, words.addButton)),
    ...(await bundles(portal, ways, words.addButton)),
  ];
  if (actions.length === 0) return NONE;
  const text = words.subheading ?? '';
  // The heading above all of them has no translations: it is for those who read the store's own language.
  const isOwn = portal.words.languageFor(subscription.contract.customer_locale) === portal.words.primary;
  if (!isOwn) return { profileId, heading: words.heading ?? '', title: '', text, actions };
  const { bannerText } = await context.setting('upsell-general');
  return { profileId, heading: String(bannerText ?? ''), title: words.heading ?? '', text, actions };
}

/** A button for each way in which something can be added. */
const choicesOf = ({ say }: Portal, ways: readonly PurchaseType[], does: (way: PurchaseType) => Choice['does']): Choice[] =>
  ways.map(way => ({ label: say(way === 'ONETIME' ? 'portalAddOnce' : 'portalAddAlways'), does: does(way) }));

function product(portal: Portal, offer: UpsellOffer, ways: readonly PurchaseType[], label: string | undefined): Upsells['actions'] {
  const { subscription, say, speech } = portal;
  const offered = ways.filter(way => offer.ways[way]);
  const shown = offered[0] && offer.ways[offered[0]];
  if (!shown) return [];
  const { variant, price } = shown;
  const cost = speech.money(price, subscription.contract.currency_code);
  return [
    {
      id: 'ADD',
      of: variant.id,
      label: label || say('addProduct'),
      question: `${nameOfVariant(speech.named(variant))}, ${cost}`,
      price: cost,
      image: variant.image,
      choices: choicesOf(portal, offered, way => ({ add: variant.id, way })),
      noted: { kind: 'UPSELL', profileId: offer.profile.id, happened: 'OPENED' },
      done: `portalAdded-${offer.profile.id}`,
    },
  ];
}

async function bundles(portal: Portal, ways: readonly PurchaseType[], label: string | undefined): Promise<Upsells['actions']> {
  const { subscription, say, speech } = portal;
  return (await bundleUpsells(scopeOf(portal))).flatMap(({ bundle, image, price, isForGood, mayBeOnce }) => {
    const offered = ways.filter(way => (way === 'ONETIME' ? mayBeOnce : isForGood));
    if (offered.length === 0) return [];
    const cost = speech.money(price, subscription.contract.currency_code);
    return [
      {
        id: 'ADD_BUNDLE',
        of: bundle.id,
        label: label || say('addProduct'),
        question: `${bundleWord(portal, bundle.id, 'name', bundle.name)}, ${cost}`,
        price: cost,
        image,
        choices: choicesOf(portal, offered, way => ({ addBundle: bundle.id, way })),
        noted: { kind: 'UPSELL' as const, profileId: 0, happened: 'OPENED' as const },
        done: 'saved',
      },
    ];
  });
}

/** What the profile says after something of it was added. */
export async function addedWords(portal: Portal, profileId: number): Promise<string> {
  const { successMessage } = await ownWords(portal, BY_PROFILE, profileId, ['successMessage']);
  return successMessage || portal.say('saved');
}

/** Writes down that the offers were seen. */
export const noteSeen = async (portal: Portal, { profileId, actions }: Upsells): Promise<void> => {
  if (actions.length) await note(scopeOf(portal), { kind: 'UPSELL', profileId, happened: 'VIEWED', place: 'PORTAL' });
};
