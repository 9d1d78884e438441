// How a contract is delivered: shipping, pickup or local delivery, its address and its price (D081).
import { sql } from 'kysely';
import { toDecimal } from '../../../domain/money/money.ts';
import type { JsonObject } from '../../../contract/types.ts';
import { invalid, invalidState } from '../../platform/context.ts';
import { addressErrors, cleanAddress, sameAddress, type Address } from '../../../domain/places/address.ts';
import type { Aggregate } from '../aggregate.ts';
import type { EngineContext } from '../context.ts';
import {
  deliveryOptions,
  localDeliveryOptions,
  parcelOf,
  pickupOptions,
  shippingOptions,
  type DeliveryOption,
} from './delivery-options.ts';
import { amountOf } from '../amount.ts';
import { followAddress, placeOf } from '../edits/order-schedule.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import { t } from '../../../domain/text/t.ts';

const refuse = (pointer: string, rule: string, message: string) => invalid([{ pointer, rule, message }]);
const recurring = (subscription: Aggregate) => subscription.lines.filter(line => !line.one_time_added);
const parcel = (subscription: Aggregate) => parcelOf(subscription.contract, recurring(subscription));
const typeOf = (subscription: Aggregate): string => (subscription.contract.delivery_method as { type?: string } | null)?.type ?? 'NONE';
const money = (subscription: Aggregate): string => toDecimal(subscription.contract.delivery_price, subscription.contract.currency_code);

function mustShip(subscription: Aggregate): void {
  if (!recurring(subscription).some(line => line.requires_shipping))
    throw invalidState(t`No product of this subscription needs to be delivered, so it has no delivery method.`);
}
function mustBe(subscription: Aggregate, type: 'SHIPPING' | 'PICKUP' | 'LOCAL_DELIVERY'): void {
  if (typeOf(subscription) === type) return;
  if (type === 'SHIPPING') throw invalidState(t`This subscription isn't delivered by shipping. Switch it to shipping first.`);
  if (type === 'PICKUP') throw invalidState(t`This subscription isn't delivered by pickup. Switch it to pickup first.`);
  throw invalidState(t`This subscription isn't delivered by local delivery. Switch it to local delivery first.`);
}
function checked(address: Address, options: { phone?: boolean } = {}): Address {
  const clean = cleanAddress(address);
  const errors = addressErrors(clean, '/address', options);
  if (errors.length) throw invalid(errors);
  return clean;
}
/** The option with a code, or the only one there is. */
function chosen(options: readonly DeliveryOption[], code: string | undefined, none: string): DeliveryOption {
  const option = code === undefined ? (options.length === 1 ? options[0] : undefined) : options.find(one => one.code === code);
  if (option) return option;
  throw refuse(
    '/optionCode',
    'DELIVERY_METHOD_REQUIRED',
    options.length === 0 ? none : t`Choose one of the ways of delivery that are offered.`,
  );
}
const described = ({ code, title, description }: DeliveryOption): JsonObject => ({ code, title, presentmentTitle: title, description });

function setPrice(subscription: Aggregate, option: DeliveryOption): void {
  if (option.price !== null) subscription.contract.delivery_price = option.price;
}
type DeliveryKey = 'shipping_address_updated' | 'delivery_method_changed';
/** Does a change of method or address, and records it as an event with what was before. */
function changeAndNote(work: UnitOfWork, subscription: Aggregate, key: DeliveryKey, change: () => void, more: JsonObject = {}): void {
  const before = {
    type: typeOf(subscription),
    deliveryPrice: money(subscription),
    shippingAddress: subscription.contract.shipping_address as JsonObject | null,
  };
  change();
  work.note(subscription, key, {
    before,
    after: {
      type: typeOf(subscription),
      deliveryPrice: money(subscription),
      shippingAddress: subscription.contract.shipping_address as JsonObject | null,
    },
    currencyCode: subscription.contract.currency_code,
    ...more,
  });
}
function setAddress(work: UnitOfWork, subscription: Aggregate, address: Address): void {
  const before = placeOf(subscription.contract);
  subscription.contract.shipping_address = address;
  if (address.countryCode) subscription.contract.country_code = address.countryCode;
  followAddress(work, subscription, before);
}

/** Minor units of a typed shipping price. @throws Refusal 422 */
export function shippingPriceOf(price: string, currency: string): number {
  const minor = amountOf(price, currency, '/deliveryPrice');
  if (minor < 0) throw refuse('/deliveryPrice', 'minimum', t`Enter a price of 0 or more.`);
  return minor;
}

/** Sets the shipping price of every recurring order by hand. */
export function updateShippingPrice(work: UnitOfWork, subscription: Aggregate, { deliveryPrice }: { deliveryPrice: string }): void {
  mustShip(subscription);
  const before = money(subscription);
  const price = shippingPriceOf(deliveryPrice, subscription.contract.currency_code);
  if (price === subscription.contract.delivery_price) return;
  subscription.contract.delivery_price = price;
  work.note(subscription, 'shipping_price_updated', {
    before,
    after: money(subscription),
    currencyCode: subscription.contract.currency_code,
  });
}

/** `addressId`: a saved address of the customer, instead of `address`. */
export interface Destination {
  address?: Address;
  addressId?: number | null;
}

/** A saved address of a customer. @throws Refusal 422 for another customer's, or one that is gone */
export async function savedAddress({ trx, storeId }: EngineContext, customerId: number, addressId: number): Promise<Address> {
  const row = await trx
    .selectFrom('customer_addresses')
    .select('address')
    .where('store_id', '=', storeId)
    .where('customer_id', '=', customerId)
    .where('id', '=', addressId)
    .executeTakeFirst();
  if (!row) throw refuse('/addressId', 'NOT_FOUND', t`This address is not saved for the customer any more. Choose another one.`);
  return row.address as Address;
}
/** Where to: the address given, or the saved one that is named. */
export async function destination<D extends Destination>(
  work: UnitOfWork,
  subscription: Aggregate,
  input: D,
): Promise<D & { address: Address }> {
  const address = input.addressId ? await savedAddress(work.context, subscription.contract.customer_id, input.addressId) : input.address;
  if (!address) throw refuse('/address', 'required', t`Enter an address`);
  return { ...input, address };
}
type Known<D extends Destination> = D & { address: Address };
export interface ShippingDetails extends Destination {
  optionCode?: string;
  keepShippingPrice?: boolean;
}

/** Address and shipping option of a shipped contract; the price is asked for again unless the present one is kept. */
export function updateShippingDetails(work: UnitOfWork, subscription: Aggregate, input: Known<ShippingDetails>): void {
  mustBe(subscription, 'SHIPPING');
  toShipping(work, subscription, input, 'shipping_address_updated');
}

/** Switches to shipping: needs an address and an option. */
export function updateToShipping(work: UnitOfWork, subscription: Aggregate, input: Known<ShippingDetails>): void {
  mustShip(subscription);
  toShipping(work, subscription, input, 'delivery_method_changed');
}

function toShipping(
  work: UnitOfWork,
  subscription: Aggregate,
  { address, optionCode, keepShippingPrice = false }: Known<ShippingDetails>,
  key: DeliveryKey,
): void {
  const clean = checked(address);
  const options = shippingOptions(work.context.store, parcel(subscription), clean);
  const present = (subscription.contract.delivery_method as { shipping?: { shippingOption?: { code?: string } } } | null)?.shipping
    ?.shippingOption?.code;
  const kept = options.some(one => one.code === present) ? present : undefined;
  const option = chosen(
    options,
    optionCode ?? kept ?? cheapest(options),
    t`The store doesn't ship to ${clean.country || clean.countryCode || ''}.`,
  );
  changeAndNote(work, subscription, key, () => {
    setAddress(work, subscription, clean);
    subscription.contract.delivery_method = { type: 'SHIPPING', shipping: { address: clean, shippingOption: described(option) } };
    if (!keepShippingPrice) setPrice(subscription, option);
  });
}

/** A way of shipping as a shop elsewhere sold it; `price` in minor units of the contract's currency. */
export interface ShippedAs {
  address: Address;
  title: string;
  price: number;
}
/** Ships to the address, and at the price, of a shop elsewhere, whatever this store offers. */
export function shipAs(work: UnitOfWork, subscription: Aggregate, { address, title, price }: ShippedAs): void {
  const clean = cleanAddress(address);
  changeAndNote(work, subscription, 'delivery_method_changed', () => {
    setAddress(work, subscription, clean);
    const shippingOption = { code: title, title, presentmentTitle: title, description: '' };
    subscription.contract.delivery_method = { type: 'SHIPPING', shipping: { address: clean, shippingOption } };
    subscription.contract.delivery_price = price;
  });
}
const cheapest = (options: readonly DeliveryOption[]): string | undefined =>
  [...options].sort((x, y) => (x.price ?? Infinity) - (y.price ?? Infinity))[0]?.code;

/**
 * A subscription without a delivery method (nothing of it was shipped so far) gets one with the first product that needs shipping: to the
 * customer's own address, in the cheapest way. @throws Refusal 422 where no address is saved, or the store ships nothing there
 */
export async function mustBeDelivered(work: UnitOfWork, subscription: Aggregate): Promise<void> {
  if (typeOf(subscription) !== 'NONE' || !subscription.lines.some(line => line.requires_shipping)) return;
  const known =
    (subscription.contract.shipping_address as Address | null) ??
    ((
      await work.context.trx
        .selectFrom('customer_addresses')
        .select('address')
        .where('store_id', '=', work.context.storeId)
        .where('customer_id', '=', subscription.contract.customer_id)
        .orderBy('is_default', 'desc')
        .orderBy('id')
        .limit(1)
        .executeTakeFirst()
    )?.address as Address | null | undefined);
  if (!known)
    throw refuse(
      '/variantId',
      'DELIVERY_METHOD_REQUIRED',
      t`This product needs shipping, and the customer has no saved address. Save one for the customer first.`,
    );
  const isComplete = addressErrors(cleanAddress(known)).length === 0;
  if (!isComplete || shippingOptions(work.context.store, parcelOf(subscription.contract, subscription.lines), known).length === 0)
    throw refuse(
      '/variantId',
      'DELIVERY_METHOD_REQUIRED',
      t`This product needs shipping, and the store ships nothing to the saved address of the customer. Change the address first.`,
    );
  toShipping(work, subscription, { address: known }, 'delivery_method_changed');
}

/** Switches to pickup at one of the store's locations; there is no customer address then. */
export function updateToPickup(work: UnitOfWork, subscription: Aggregate, { optionCode }: { optionCode?: string }): void {
  mustShip(subscription);
  toPickup(work, subscription, optionCode, 'delivery_method_changed');
}
/** Another location for a contract that is picked up. */
export function updatePickupDetails(work: UnitOfWork, subscription: Aggregate, { optionCode }: { optionCode: string }): void {
  mustBe(subscription, 'PICKUP');
  toPickup(work, subscription, optionCode, 'delivery_method_changed');
}
function toPickup(work: UnitOfWork, subscription: Aggregate, optionCode: string | undefined, key: DeliveryKey): void {
  const option = chosen(pickupOptions(work.context.store, parcel(subscription)), optionCode, t`The store has no location for pickup.`);
  changeAndNote(work, subscription, key, () => {
    const location = option.location
      ? { id: option.location.id, name: option.location.name, address: option.location.address as JsonObject }
      : null;
    subscription.contract.delivery_method = { type: 'PICKUP', pickup: { pickupOption: { ...described(option), location } } };
    setPrice(subscription, option);
  });
}

export interface LocalDelivery extends Destination {
  phone?: string;
  instructions?: string;
}

/** Switches to local delivery: needs an address in the area and a phone number. */
export function updateToLocalDelivery(work: UnitOfWork, subscription: Aggregate, input: Known<LocalDelivery>): void {
  mustShip(subscription);
  toLocalDelivery(work, subscription, input, 'delivery_method_changed');
}
/** Another address of a local delivery. */
export function updateLocalDeliveryAddress(work: UnitOfWork, subscription: Aggregate, { address }: { address: Address }): void {
  mustBe(subscription, 'LOCAL_DELIVERY');
  const present = localOption(subscription);
  toLocalDelivery(
    work,
    subscription,
    { address, phone: address.phone || present.phone, instructions: present.instructions },
    'shipping_address_updated',
  );
}
/** Phone number and instructions of a local delivery. */
export function updateLocalDeliveryDetails(
  work: UnitOfWork,
  subscription: Aggregate,
  { phone, instructions = '' }: { phone: string; instructions?: string },
): void {
  mustBe(subscription, 'LOCAL_DELIVERY');
  const [problem] = addressErrors({ lastName: '-', address1: '-', city: '-', countryCode: 'HK', phone }, '', { phone: true });
  if (problem) throw invalid([problem]);
  const method = subscription.contract.delivery_method as { localDelivery: { address: JsonObject; localDeliveryOption: JsonObject } };
  changeAndNote(
    work,
    subscription,
    'delivery_method_changed',
    () => {
      subscription.contract.delivery_method = {
        type: 'LOCAL_DELIVERY',
        localDelivery: {
          ...method.localDelivery,
          localDeliveryOption: { ...method.localDelivery.localDeliveryOption, phone, instructions },
        },
      };
    },
    { phone, instructions },
  );
}
const localOption = (subscription: Aggregate): { phone?: string; instructions?: string } =>
  (subscription.contract.delivery_method as { localDelivery?: { localDeliveryOption?: { phone?: string; instructions?: string } } } | null)
    ?.localDelivery?.localDeliveryOption ?? {};

function toLocalDelivery(
  work: UnitOfWork,
  subscription: Aggregate,
  { address, phone, instructions = '' }: Known<LocalDelivery>,
  key: DeliveryKey,
): void {
  const clean = checked({ ...address, phone: phone ?? address.phone }, { phone: true });
  const [option] = localDeliveryOptions(work.context.store, parcel(subscription), clean);
  if (!option)
    throw refuse(
      '/address/zip',
      'MISSING_LOCAL_DELIVERY_OPTIONS',
      t`The store doesn't deliver to this address itself. Choose shipping or pickup.`,
    );
  changeAndNote(work, subscription, key, () => {
    setAddress(work, subscription, clean);
    subscription.contract.delivery_method = {
      type: 'LOCAL_DELIVERY',
      localDelivery: {
        address: clean as JsonObject,
        localDeliveryOption: { ...described(option), phone: clean.phone ?? '', instructions },
      },
    };
    setPrice(subscription, option);
  });
}

/** Ids of the customer's other running contracts that go to the same address. */
export async function othersAtAddress(work: UnitOfWork, subscription: Aggregate, address: Address | null): Promise<number[]> {
  const { rows } = await sql<{ id: number; shipping_address: Address | null }>`
    select id, shipping_address from contracts where store_id = ${work.context.storeId}::integer
      and customer_id = ${subscription.contract.customer_id}::bigint and id <> ${subscription.contract.id}::bigint
      and status in ('ACTIVE', 'PAUSED') and delivery_type = ${typeOf(subscription)} order by id`.execute(work.context.trx);
  return rows.filter(row => sameAddress(row.shipping_address, address)).map(row => row.id);
}

/** What the store offers for an address and the products of a contract. */
export const optionsFor = (work: UnitOfWork, subscription: Aggregate, address: Address | null): DeliveryOption[] =>
  deliveryOptions(work.context.store, parcel(subscription), address ?? (subscription.contract.shipping_address as Address | null));
