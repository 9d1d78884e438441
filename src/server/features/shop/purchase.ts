// A purchase as it is written down: the customer, how they pay, and the subscriptions. The shop buys by it, and so do the customers of a
// demo store.
import { sql } from 'kysely';
import type { Vaulted } from '../../platform/gateway/card-vault.ts';
import type { Address } from '../../../domain/places/address.ts';
import {
  addCard,
  type Aggregate,
  type ChargedBy,
  checkOut,
  checkOutGift,
  type EngineContext,
  type GiftPurchase,
  newIds,
  type SoldGift,
} from '../../engine/index.ts';
import { lockEmails, newCustomerRow } from '../customers/new-customer.ts';
import { forEngine, type BoughtBundle } from './bundles.ts';

export interface Buyer {
  /** Taken before, where something of the customer follows from it. */
  id?: number;
  email: string;
  firstName: string;
  lastName: string;
  phone?: string | null;
  countryCode: string;
  locale: string | null;
  /** Left out where gifts alone are bought. */
  address?: Address;
  /** Null where nothing is to be paid and none was entered. */
  card: Vaulted | null;
}
type CheckedOut = Parameters<typeof checkOut>[1];
export type Subscribed = Omit<CheckedOut, 'customerId' | 'paymentMethodId' | 'besides' | 'charged'> & { bundles?: readonly BoughtBundle[] };

/** A gift that is paid for, as it was sold. */
export interface Given {
  purchase: Omit<GiftPurchase, 'customerId'>;
  sold: SoldGift & { deliveryPrice: string };
}

export interface Bought {
  customerId: number;
  /** The customer was not there before, so that it is theirs who buys. */
  isNew: boolean;
  subscriptions: Aggregate[];
  gifts: Aggregate[];
}

/**
 * Writes a purchase that is paid at the moment of `context` (`source` Shopify): its customer, found by their e-mail or new, the card, a
 * subscription for each plan, and the gifts. No gift is ever charged again: with gifts alone no card is stored. Nothing of a
 * customer who was there before is changed. `charged`: what paid for it.
 * @throws Refusal 422 where something can't be bought any more
 */
export async function purchase(
  context: EngineContext,
  buyer: Buyer,
  bought: readonly Subscribed[],
  given: readonly Given[] = [],
  charged: ChargedBy | null = null,
): Promise<Bought> {
  const { id: customerId, isNew } = await customerFor(context, buyer);
  const subscriptions: Aggregate[] = [];
  const gifts: Aggregate[] = [];
  if (bought.length || !given.length) {
    const paymentMethodId = buyer.card ? await addCard(context, customerId, buyer.card) : null;
    for (const one of bought) subscriptions.push(await checkOut(context, { ...forEngine(one), customerId, paymentMethodId, charged }));
  }
  for (const one of given) gifts.push(await checkOutGift(context, { ...one.purchase, customerId }, { ...one.sold, charged }));
  return { customerId, isNew, subscriptions, gifts };
}

async function customerFor(context: EngineContext, buyer: Buyer): Promise<{ id: number; isNew: boolean }> {
  const { trx, storeId } = context;
  await lockEmails(trx, storeId, [buyer.email]);
  const { rows } = await sql<{ id: number }>`select id from customers where store_id = ${storeId}::integer
    and lower(email) = lower(${buyer.email}) and erased_at is null order by id limit 1`.execute(trx);
  const [known] = rows;
  if (known) return { id: known.id, isNew: false };
  const id = buyer.id ?? ((await newIds(trx, 'customers', 1)) as [number])[0];
  await trx
    .insertInto('customers')
    .values({ ...newCustomerRow(storeId, id, buyer, context.now()), locale: buyer.locale })
    .execute();
  if (buyer.address)
    await trx
      .insertInto('customer_addresses')
      .values({ store_id: storeId, customer_id: id, is_default: true, address: JSON.stringify(buyer.address) })
      .execute();
  return { id, isNew: true };
}
