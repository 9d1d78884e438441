// Another way of delivery, among those that the store offers for the address and the products of a subscription.
import type { Address } from '../../../domain/places/address.ts';
import { act, type Aggregate, delivery, type UnitOfWork } from '../../engine/index.ts';
import type { Action, Choice, Delivering } from './action.ts';
import type { Portal } from './portal.ts';

type Option = ReturnType<typeof delivery.optionsFor>[number];
interface Method {
  type?: string;
  shipping?: { shippingOption?: Described };
  pickup?: { pickupOption?: Described };
  localDelivery?: { localDeliveryOption?: Described };
}
interface Described {
  code?: string;
  title?: string;
}

const optionOf = ({ shipping, pickup, localDelivery }: Method): Described | undefined =>
  shipping?.shippingOption ?? pickup?.pickupOption ?? localDelivery?.localDeliveryOption;
const methodOf = ({ subscription }: Portal): Method => (subscription.contract.delivery_method ?? {}) as Method;

/** How it is delivered now, in the words of the store. */
export const deliveryNow = (portal: Portal): string => optionOf(methodOf(portal))?.title ?? '';

/** The other ways, each with what it costs; nothing where there is none, or customers may not choose. */
export function deliveryAction(portal: Portal): Action[] {
  const { subscription, work, may, say } = portal;
  const present = methodOf(portal);
  if (!may.changeDeliveryMethod || !present.type || !['ACTIVE', 'PAUSED', 'FAILED'].includes(subscription.contract.status)) return [];
  const address = subscription.contract.shipping_address as Address | null;
  const now = optionOf(present)?.code;
  const options = delivery.optionsFor(work, subscription, null);
  const choices = options.flatMap((option): Choice[] => {
    if (option.price === null || (option.type === present.type && option.code === now)) return [];
    const change = changeTo(option, present.type === option.type, address);
    return change ? [{ about: aboutOf(portal, option), label: say('changeDelivery'), does: { deliver: change } }] : [];
  });
  const isPickupAlone = choices.length > 0 && options.every(one => one.type === 'PICKUP' || one.code === now);
  const action: Action = {
    id: 'DELIVERY',
    label: say('changeDelivery'),
    title: say(isPickupAlone ? 'zapietChoosePickup' : 'zapietHeading'),
    question: '',
    choices,
    done: 'saved',
  };
  // Nothing reaches the address any more: that is said where it is changed.
  const isOutOfReach = address !== null && options.every(one => one.price === null);
  return choices.length ? [action] : isOutOfReach ? [{ ...action, refusal: say('zapietNotEligible') }] : [];
}

function aboutOf({ say, speech, subscription }: Portal, { type, title, description, price, location }: Option): string[] {
  const kind = { SHIPPING: 'zapietShipping', PICKUP: 'zapietPickup', LOCAL_DELIVERY: 'zapietDelivery' }[type];
  const cost = price ? speech.money(price, subscription.contract.currency_code) : say('freeShipping');
  const where = location ? say('zapietPickupAt', { pickup_location: location.name }) : description;
  return [title, `${say(kind)} · ${cost}`, ...(where && where !== title ? [where] : [])];
}

/** What is to be called; undefined where the store would have to know more: it brings nothing itself without a phone number. */
function changeTo({ type, code }: Option, isSame: boolean, address: Address | null): Delivering | undefined {
  if (type === 'PICKUP') return { way: isSame ? 'updatePickupDetails' : 'updateToPickup', optionCode: code };
  if (!address) return undefined;
  if (type === 'SHIPPING') return { way: isSame ? 'updateShippingDetails' : 'updateToShipping', optionCode: code };
  return address.phone && !isSame ? { way: 'updateToLocalDelivery', optionCode: code } : undefined;
}

type Ways = Record<Delivering['way'], (work: UnitOfWork, on: Aggregate, optionCode: string) => void>;
const addressOf = ({ contract }: Aggregate): Address => contract.shipping_address as Address;
const WAYS: Ways = {
  updatePickupDetails: (work, on, optionCode) => delivery.updatePickupDetails(work, on, { optionCode }),
  updateToPickup: (work, on, optionCode) => delivery.updateToPickup(work, on, { optionCode }),
  updateShippingDetails: (work, on, optionCode) => delivery.updateShippingDetails(work, on, { address: addressOf(on), optionCode }),
  updateToShipping: (work, on, optionCode) => delivery.updateToShipping(work, on, { address: addressOf(on), optionCode }),
  updateToLocalDelivery: (work, on) =>
    delivery.updateToLocalDelivery(work, on, { address: addressOf(on), phone: addressOf(on).phone ?? '' }),
};

/** Changes how it is delivered, to the address that it has. @throws Refusal 409, 422 */
export async function deliver({ context, subscription }: Portal, { way, optionCode }: Delivering): Promise<void> {
  await act(context, subscription.contract.id, { action: way }, (work, on) => WAYS[way](work, on, optionCode));
}
