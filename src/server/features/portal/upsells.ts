// The products that a customer is offered to add: those of the upsell profile that fits, with its words.
import type { PurchaseType } from '../offers/upsell.ts';
import { upsellsOf, type UpsellOffer } from '../offers/upsell.ts';
import { note } from '../offers/offer.ts';
import { nameOfVariant } from '../subscriptions/engine/price.ts';
import type { Scope } from '../offers/profiles.ts';
import type { Action } from './action.ts';
import type { Portal } from './portal.ts';

export interface Upsells {
  profileId: number;
  heading: string;
  text: string;
  actions: (Action & { price: string })[];
}
const NONE: Upsells = { profileId: 0, heading: '', text: '', actions: [] };
type Texts = Partial<Record<'heading' | 'subheading' | 'addButton' | 'successMessage', string>>;

export const scopeOf = ({ context, work, a }: Portal): Scope => ({ context, work, a });

export async function upsellsFor(portal: Portal): Promise<Upsells> {
  const { a, may, words, say, speech, planHas } = portal;
  const ways = [...(may.addOnce ? ['ONETIME'] : []), ...(may.addToSubscription ? ['SUBSCRIPTION'] : [])] as PurchaseType[];
  if (ways.length === 0 || a.contract.status !== 'ACTIVE' || !planHas('upsell')) return NONE;
  const offers = await upsellsOf(scopeOf(portal));
  const [first] = offers;
  if (!first) return NONE;
  const { profile } = first;
  const own = (key: keyof Texts): string =>
    words.find(a.contract.customer_locale, { ownerKind: 'upsell-profile', ownerId: String(profile.id), key })?.value ??
    (profile as Texts)[key] ??
    '';
  const action = (offer: UpsellOffer): Upsells['actions'] => {
    const offered = ways.flatMap(way => {
      const choice = offer.ways[way];
      return choice ? [{ way, choice }] : [];
    });
    const [shown] = offered;
    if (!shown) return [];
    const { variant, price } = shown.choice;
    const cost = speech.money(price, a.contract.currency_code);
    return [
      {
        id: 'ADD',
        of: variant.id,
        label: own('addButton') || say('addProduct'),
        question: `${nameOfVariant(variant)}, ${cost}`,
        price: cost,
        choices: offered.map(({ way }) => ({
          label: say(way === 'ONETIME' ? 'portalAddOnce' : 'portalAddAlways'),
          does: { add: variant.id, way },
        })),
        done: 'saved',
      },
    ];
  };
  return { profileId: profile.id, heading: own('heading'), text: own('subheading'), actions: offers.flatMap(action) };
}

/** Writes down that the offers were seen. */
export const noteSeen = async (portal: Portal, { profileId, actions }: Upsells): Promise<void> => {
  if (actions.length) await note(scopeOf(portal), { kind: 'UPSELL', profileId, happened: 'VIEWED', place: 'PORTAL' });
};
