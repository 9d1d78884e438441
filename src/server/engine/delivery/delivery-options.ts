// Ways to deliver and their prices, from what the store says about itself (stores.details): shipping options, locations, local delivery.
import { cleanAddress, type Address } from '../../../domain/places/address.ts';
import { toDecimal, toMinor } from '../../../domain/money/money.ts';
import { isOffered, profileFor, zoneFor, type ShippingProfile, type ShippingRate } from '../../../domain/shipping/profiles.ts';
import type { JsonObject } from '../../../contract/types.ts';
import type { EngineContext } from '../context.ts';
import { pieceInCharge } from '../price.ts';
import { convert, type RateDetails } from '../../platform/records/exchange-rates.ts';
import type { ContractRow, LineRow } from '../rows.ts';

export type StoreLocation = {
  id: number;
  name: string;
  address: Address;
  pickup?: boolean;
  pickupTime?: string;
  instructions?: string;
  pickupPrice?: string;
};
/** What a store tells about itself and its platform, in `stores.details`; money is in the store's currency. */
export interface StoreDetails extends RateDetails {
  /** Rates of the admin's own, where there are any; the feature of shipping profiles keeps them here. */
  shippingProfiles?: ShippingProfile[];
  shippingOptions?: {
    code: string;
    title: string;
    description?: string;
    price: string;
    freeAbove?: string;
    countries?: string[];
    maxWeightInGrams?: number;
  }[];
  locations?: StoreLocation[];
  localDelivery?: { code: string; title: string; description?: string; price: string; zipPrefixes?: string[]; countries?: string[] };
  /** Discount codes of the store's platform. */
  discountCodes?: StoreDiscountCode[];
}
export interface StoreDiscountCode {
  code: string;
  title?: string;
  type: 'PERCENTAGE' | 'FIXED_AMOUNT' | 'FREE_SHIPPING';
  value?: string | number;
  appliesOnEachItem?: boolean;
  targetType?: 'LINE_ITEM' | 'SHIPPING_LINE';
  /** Orders that it applies to; absent for ever. */
  orderLimit?: number | null;
  appliesOnSubscription?: boolean;
  isActive?: boolean;
  usageLimitReached?: boolean;
  /** Products that it is for; absent means all. */
  productIds?: number[];
}
export interface DeliveryOption {
  type: 'SHIPPING' | 'PICKUP' | 'LOCAL_DELIVERY';
  code: string;
  title: string;
  description: string;
  /** Minor units in the contract's currency; null when the store has no rate for it. */
  price: number | null;
  phoneRequired: boolean;
  pickupTime?: string;
  location?: StoreLocation;
}

type StoreFacts = Pick<EngineContext['store'], 'details' | 'currency_code'>;
export const detailsOf = (store: StoreFacts): StoreDetails => (store.details ?? {}) as StoreDetails;

/** A price of the store's own in the currency of a parcel; null without a rate. */
const converted = (store: StoreFacts, price: string, currency: string): number | null =>
  convert(store, toMinor(price, store.currency_code), store.currency_code, currency);

/** What is bought, as far as a delivery price depends on it. `subtotal` in minor units of the contract's currency. */
export interface Parcel {
  currency: string;
  subtotal: number;
  weightInGrams: number;
  /** Selling plan groups of the products, which say whose shipping profile counts. */
  groupIds?: readonly number[];
}
const groupsOf = (lines: readonly LineRow[]): number[] => lines.flatMap(({ plan_group_id: group }) => (group === null ? [] : [group]));
export const parcelOf = (contract: ContractRow, lines: readonly LineRow[]): Parcel => ({
  currency: contract.currency_code,
  subtotal: lines.reduce(
    (total, line) => total + pieceInCharge(line, contract.completed_orders + 1, 1, contract.currency_code) * line.quantity,
    0,
  ),
  weightInGrams: lines.reduce((total, line) => total + line.weight_in_grams * line.quantity, 0),
  groupIds: groupsOf(lines),
});

/** Every way the store can deliver a parcel to an address. Pickup needs no address. */
export function deliveryOptions(store: StoreFacts, parcel: Parcel, address: Address | null): DeliveryOption[] {
  return [...shippingOptions(store, parcel, address), ...localDeliveryOptions(store, parcel, address), ...pickupOptions(store, parcel)];
}

/** Ways to ship: by the rates of the profile that the products belong to, without one by those of the store. */
export function shippingOptions(store: StoreFacts, parcel: Parcel, given: Address | null): DeliveryOption[] {
  if (!given?.countryCode) return [];
  const address = cleanAddress(given);
  const profile = profileFor(detailsOf(store).shippingProfiles ?? [], parcel.groupIds ?? []);
  if (!profile) return ownShippingOptions(store, parcel, address);
  // Ranges are in the store's currency; a parcel in a currency without a rate is worth nothing to them.
  const inStore = convert(store, parcel.subtotal, parcel.currency, store.currency_code) ?? 0;
  const measures = { weight: parcel.weightInGrams / 1000, value: Number(toDecimal(inStore, store.currency_code)) };
  return (zoneFor(profile, address)?.rates ?? [])
    .filter(rate => isOffered(rate, measures))
    .flatMap(rate => (rate.type === 'CARRIER' ? carried(store, rate, parcel, address) : [fixed(store, rate, parcel)]));
}

const fixed = (store: StoreFacts, rate: ShippingRate, parcel: Parcel): DeliveryOption => ({
  type: 'SHIPPING',
  code: rate.id,
  title: rate.name,
  description: rate.description ?? '',
  price: converted(store, rate.price, parcel.currency),
  phoneRequired: false,
});

/** What the carriers of the store ask, with what the rate adds to it. */
function carried(store: StoreFacts, rate: ShippingRate, parcel: Parcel, address: Address): DeliveryOption[] {
  const added = converted(store, rate.price, parcel.currency);
  return ownShippingOptions(store, parcel, address).map(option => ({
    ...option,
    code: `${rate.id}-${option.code}`,
    price: option.price === null || added === null ? null : Math.round(option.price * (1 + (rate.markup ?? 0) / 100)) + added,
  }));
}

function ownShippingOptions(store: StoreFacts, parcel: Parcel, address: Address): DeliveryOption[] {
  return (detailsOf(store).shippingOptions ?? [])
    .filter(
      option =>
        (!option.countries || option.countries.includes(address.countryCode as string)) &&
        (option.maxWeightInGrams === undefined || parcel.weightInGrams <= option.maxWeightInGrams),
    )
    .map((option): DeliveryOption => {
      const freeAbove = option.freeAbove === undefined ? null : converted(store, option.freeAbove, parcel.currency);
      const isFree = freeAbove !== null && parcel.subtotal >= freeAbove;
      return {
        type: 'SHIPPING',
        code: option.code,
        title: option.title,
        description: option.description ?? '',
        price: isFree ? 0 : converted(store, option.price, parcel.currency),
        phoneRequired: false,
      };
    });
}

export function localDeliveryOptions(store: StoreFacts, parcel: Parcel, given: Address | null): DeliveryOption[] {
  const address = given && cleanAddress(given);
  const local = detailsOf(store).localDelivery;
  const zip = (address?.zip ?? '').replaceAll(' ', '');
  if (
    !local ||
    !address ||
    (local.countries && !local.countries.includes(address.countryCode ?? '')) ||
    (local.zipPrefixes && !local.zipPrefixes.some(prefix => zip.startsWith(prefix)))
  )
    return [];
  return [
    {
      type: 'LOCAL_DELIVERY',
      code: local.code,
      title: local.title,
      description: local.description ?? '',
      price: converted(store, local.price, parcel.currency),
      phoneRequired: true,
    },
  ];
}

export function pickupOptions(store: StoreFacts, parcel: Parcel): DeliveryOption[] {
  return (detailsOf(store).locations ?? [])
    .filter(location => location.pickup)
    .map(location => ({
      type: 'PICKUP' as const,
      code: `LOCATION-${location.id}`,
      title: location.name,
      description: location.instructions ?? '',
      price: converted(store, location.pickupPrice ?? '0', parcel.currency),
      phoneRequired: false,
      ...(location.pickupTime ? { pickupTime: location.pickupTime } : {}),
      location,
    }));
}

export const wireOption = ({ price, ...option }: DeliveryOption, currency: string): JsonObject =>
  ({ ...option, price: price === null ? null : { amount: toDecimal(price, currency), currencyCode: currency } }) as JsonObject;

/**
 * What the present way of delivery costs by today's rates, minor units; null when the store no longer has it or no rate for the currency.
 */
export function recurringShippingPrice(store: StoreFacts, contract: ContractRow, lines: readonly LineRow[]): number | null {
  const method = contract.delivery_method as {
    type?: string;
    shipping?: { shippingOption?: Chosen };
    pickup?: { pickupOption?: Chosen };
    localDelivery?: { localDeliveryOption?: Chosen };
  } | null;
  const address = contract.shipping_address as Address | null;
  const present = method?.shipping?.shippingOption ?? method?.pickup?.pickupOption ?? method?.localDelivery?.localDeliveryOption;
  const options = deliveryOptions(store, parcelOf(contract, lines), address).filter(option => option.type === method?.type);
  // A rate with other bounds, or of another profile, is the same way of delivery if it is called the same.
  const option = options.find(({ code }) => code === present?.code) ?? options.find(({ title }) => title === present?.title);
  return option?.price ?? null;
}
interface Chosen {
  code?: string;
  title?: string;
}
