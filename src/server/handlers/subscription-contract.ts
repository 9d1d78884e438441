// The calls of a subscription contract.
export {
  addDiscount, addLine, adjustCredits, cancel, chargeNow, delay, markForCancellation, pause, pauseV2, reactivate, removeLine, reschedule, rescheduleOneOrder, resume, skipLineItem, skipOrder, swapLine,
  undoMarkForCancellation, unSkipOrder, updateBillingDetails, updateCustomAttributes, updateLineItemAttributes, updateLocalDeliveryAddress, updateLocalDeliveryDetails, updateNote, updatePickupDetails, updatePrice, updateSellingPlan, updateQuantity,
  updateShipping, updateShippingDetails, updateTags, updateToLocalDelivery, updateToPickup, updateToShipping,
} from '../subscriptions/actions.ts';
export {
  activity, availableDeliveryOptions, counts, credits, customerAddresses, customerDetails, deliveryMethod, list, ordersHistory, ordersSchedule, paymentErrors, pickupAddresses, read, readByShopifyId, sellingPlans,
} from '../subscriptions/reads.ts';
export { exportSubscriptions as export } from '../subscriptions/export.ts';
export { preview } from '../subscriptions/preview.ts';
export { create } from '../subscriptions/create.ts';
export { creationChoices } from '../subscriptions/choices.ts';
