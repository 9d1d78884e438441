// Changes of where a subscription goes: with the saved address that is named in the place of one that is typed, and on the customer's
// other subscriptions that go to the same place.
import type { Aggregate } from '../aggregate.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import type { Address } from '../../../domain/places/address.ts';
import { type Destination, destination, othersAtAddress } from './contract-delivery.ts';

/** The change with the address that its input names or holds. */
export const sentTo =
  <I extends Destination>(change: (work: UnitOfWork, subscription: Aggregate, input: I & { address: Address }) => void) =>
  async (work: UnitOfWork, subscription: Aggregate, input: I): Promise<void> =>
    change(work, subscription, await destination(work, subscription, input));

/** Ids of the customer's other running subscriptions that go where this one goes. */
export const fromSameAddress = (work: UnitOfWork, subscription: Aggregate): Promise<number[]> =>
  othersAtAddress(work, subscription, subscription.contract.shipping_address as Address | null);
