// How the address of a subscription is changed, by the way in which it is delivered.
import { type Aggregate, delivery } from '../../engine/index.ts';

const METHODS = {
  SHIPPING: { action: 'updateShippingDetails', change: delivery.updateShippingDetails },
  LOCAL_DELIVERY: { action: 'updateLocalDeliveryAddress', change: delivery.updateLocalDeliveryAddress },
} as const;

const typeOf = (subscription: Aggregate): string => (subscription.contract.delivery_method as { type?: string } | null)?.type ?? 'NONE';
/** Undefined for a subscription that is picked up, or that sends nothing. */
export const addressed = (subscription: Aggregate): (typeof METHODS)[keyof typeof METHODS] | undefined =>
  METHODS[typeOf(subscription) as keyof typeof METHODS];
