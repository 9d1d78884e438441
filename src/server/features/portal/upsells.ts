// The upsells of the portal: products and bundles that a customer is offered to add to their subscription. Products come from the first
// upsell profile that fits the subscription, and are followed by the bundles of the general settings.
import { bundleUpsells } from '../offers/bundles.ts';
import { note } from '../offers/offer.ts';
import type { PurchaseType, Scope } from '../offers/profiles.ts';
import { upsellsOf, type UpsellOffer } from '../offers/upsell.ts';
import { nameOfVariant } from '../../engine/index.ts';
import type { Action, Choice } from './action.ts';
import type { Portal } from './portal.ts';
import { bundleWord, ownWords } from './profile-words.ts';

/** An action that adds what is offered. */
type UpsellAction = Action & {
  /** What it is called, in the customer's language. */
  product: string;
  /** For one piece, written in the customer's language with its currency. */
  price: string;
  /** The address of the picture. */
  image: string | null;
};

/** The section of the portal's page that shows upsells. */
export interface Upsells {
  /** The profile that its products and words come from; 0 if none fits. */
  profileId: number;
  /** The heading of the section. */
  heading: string;
  /** The profile's own heading below it; '' if it stands in `heading` already. */
  title: string;
  /** The profile's text below the headings. */
  text: string;
  /** One for each product or bundle; without any, the section is not shown. */
  actions: UpsellAction[];
}
const NO_UPSELLS: Upsells = { profileId: 0, heading: '', title: '', text: '', actions: [] };

/** The entity whose records hold the words of upsells. */
const PROFILE = 'upsell-profile';

export const scopeOf = ({ context, work, subscription }: Portal): Scope => ({ context, work, subscription });

const upsellsByPortal = new WeakMap<Portal, Promise<Upsells>>();
/**
 * What is offered to the customer; no actions if the subscription is not ACTIVE, if the store's plan has no upsells, or if the store lets
 * customers add nothing. Worked out once per portal, because its page needs it twice: as a section, and among its actions.
 */
export function upsellsFor(portal: Portal): Promise<Upsells> {
  let upsells = upsellsByPortal.get(portal);
  if (!upsells) upsellsByPortal.set(portal, (upsells = findUpsells(portal)));
  return upsells;
}

/** Records that the customer saw the upsells, for the reports on offers. Does nothing when there are none. */
export const noteSeen = async (portal: Portal, { profileId, actions }: Upsells): Promise<void> => {
  if (actions.length) await note(scopeOf(portal), { kind: 'UPSELL', profileId, happened: 'VIEWED', place: 'PORTAL' });
};

/** The sentence that the customer reads after adding a product of this profile: the profile's own, else the portal's "saved". */
export async function addedWords(portal: Portal, profileId: number): Promise<string> {
  const { successMessage } = await ownWords(portal, PROFILE, profileId, ['successMessage']);
  return successMessage || portal.say('saved');
}

async function findUpsells(portal: Portal): Promise<Upsells> {
  const { subscription, may, context, planHas } = portal;
  const allowedTypes: PurchaseType[] = [
    ...(may.addOnce ? ['ONETIME' as const] : []),
    ...(may.addToSubscription ? ['SUBSCRIPTION' as const] : []),
  ];
  if (allowedTypes.length === 0 || subscription.contract.status !== 'ACTIVE' || !planHas('upsell')) return NO_UPSELLS;
  const offers = await upsellsOf(scopeOf(portal));
  const profileId = offers[0]?.profile.id ?? 0;
  const words = await ownWords(portal, PROFILE, profileId, ['heading', 'subheading', 'addButton'], ['addButton']);
  const label = words.addButton || portal.say('addProduct');
  const actions = [
    ...offers.flatMap(offer => productAction(portal, offer, allowedTypes, label)),
    ...(await bundleActions(portal, allowedTypes, label)),
  ];
  if (actions.length === 0) return NO_UPSELLS;

  const profileHeading = words.heading ?? '';
  const text = words.subheading ?? '';
  // The general heading can't be translated, so only customers who read the store's primary language see it.
  const readsPrimary = portal.words.languageFor(subscription.contract.customer_locale) === portal.words.primary;
  if (!readsPrimary) return { profileId, heading: profileHeading, title: '', text, actions };
  const { bannerText } = await context.setting('upsell-general');
  return { profileId, heading: String(bannerText ?? ''), title: profileHeading, text, actions };
}

/** The action that adds a product; none if the customer may add it in no way in which it is offered. */
function productAction(portal: Portal, offer: UpsellOffer, allowedTypes: readonly PurchaseType[], label: string): UpsellAction[] {
  const { subscription, speech } = portal;
  const types = allowedTypes.filter(type => offer.ways[type]);
  // The price that is shown is that of the first button.
  const first = types[0] && offer.ways[types[0]];
  if (!first) return [];
  const { variant } = first;
  const product = nameOfVariant(speech.named(variant));
  const price = speech.money(first.price, subscription.contract.currency_code);
  return [
    {
      id: 'ADD',
      of: variant.id,
      label,
      question: `${product}, ${price}`,
      product,
      price,
      image: variant.image,
      choices: buttons(portal, types, type => ({ add: variant.id, way: type })),
      noted: { kind: 'UPSELL', profileId: offer.profile.id, happened: 'OPENED' },
      // The page of the portal reads the profile's id out of this key (pages/portal.ts), and shows addedWords().
      done: `portalAdded-${offer.profile.id}`,
    },
  ];
}

/** The actions that add bundles. They belong to no profile, so their events and words name profile 0. */
async function bundleActions(portal: Portal, allowedTypes: readonly PurchaseType[], label: string): Promise<UpsellAction[]> {
  const { subscription, speech } = portal;
  const offers = await bundleUpsells(scopeOf(portal));
  return offers.flatMap(({ bundle, image, price: amount, purchaseTypes }): UpsellAction[] => {
    const types = allowedTypes.filter(type => purchaseTypes.includes(type));
    if (types.length === 0) return [];
    const product = bundleWord(portal, bundle.id, 'name', bundle.name);
    const price = speech.money(amount, subscription.contract.currency_code);
    return [
      {
        id: 'ADD_BUNDLE',
        of: bundle.id,
        label,
        question: `${product}, ${price}`,
        product,
        price,
        image,
        choices: buttons(portal, types, type => ({ addBundle: bundle.id, way: type })),
        noted: { kind: 'UPSELL', profileId: 0, happened: 'OPENED' },
        done: 'saved',
      },
    ];
  });
}

/** One button for each purchase type: "To the next order", "To every order". */
const buttons = ({ say }: Portal, types: readonly PurchaseType[], does: (type: PurchaseType) => Choice['does']): Choice[] =>
  types.map(type => ({ label: say(type === 'ONETIME' ? 'portalAddOnce' : 'portalAddAlways'), does: does(type) }));
