// Puts a subscription on another selling plan: its frequency, its minimum and maximum, its prices.
import { updateSellingPlan } from '../../edits/frequency.ts';
import type { ActionCode } from '../action.ts';

export const action: ActionCode<{ sellingPlanId: number }> = {
  apply: updateSellingPlan,
};
