// Selling plans and groups for tests: right ones, to be made wrong one field at a time.
import type { JsonObject } from '../../../../src/contract/types.ts';

/** A monthly plan as the form holds it. */
export const monthly = (over: JsonObject = {}): JsonObject => ({
  name: 'Delivered monthly',
  optionLabel: '1 month',
  recurringDeliveryPolicyInterval: 'MONTH',
  recurringDeliveryPolicyIntervalCount: 1,
  isPrepaid: false,
  hasAnchor: false,
  fixedDiscountType: 'PERCENTAGE',
  fixedDiscountValue: 10,
  ...over,
});
export const weekly = (over: JsonObject = {}): JsonObject =>
  monthly({ name: 'Delivered weekly', optionLabel: '1 week', recurringDeliveryPolicyInterval: 'WEEK', ...over });

let count = 0;
/** A group as the form sends it; every one has an internal name of its own. */
export const group = (over: JsonObject = {}): JsonObject => ({
  name: 'Subscribe and save',
  merchantCode: `test-${(count += 1)}`,
  optionLabel: 'Deliver every',
  sellingPlans: [monthly()],
  ...over,
});
