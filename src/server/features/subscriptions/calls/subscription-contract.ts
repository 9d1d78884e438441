// The calls of a subscription contract that no action does.
export {
  availableDeliveryOptions,
  counts,
  customerAddresses,
  customerDetails,
  deliveryMethod,
  list,
  ordersHistory,
  ordersSchedule,
  pickupAddresses,
  read,
  readByShopifyId,
  sellingPlans,
} from '../reads.ts';
export { disputeEvidence } from '../evidence.ts';
export { preview } from '../preview.ts';
export { create } from '../create.ts';
export { creationChoices } from '../choices.ts';
