// Selling plans for tests.
import type { IntervalUnit } from '../../src/domain/calendar/interval.ts';
import type { SellingPlan } from '../../src/domain/selling-plans/selling-plan.ts';

/** Every month, 10% off. */
export function monthly(changes: Partial<SellingPlan> = {}): SellingPlan {
  return {
    name: 'Delivered monthly',
    optionLabel: '1 month',
    category: 'SUBSCRIPTION',
    position: 1,
    ...every(1, 'MONTH'),
    fixedDiscountType: 'PERCENTAGE',
    fixedDiscountValue: 10,
    ...changes,
  };
}

/** Billing and delivery at one frequency. */
export function every(count: number, unit: IntervalUnit) {
  return {
    recurringBillingPolicyInterval: unit,
    recurringBillingPolicyIntervalCount: count,
    recurringDeliveryPolicyInterval: unit,
    recurringDeliveryPolicyIntervalCount: count,
  };
}
