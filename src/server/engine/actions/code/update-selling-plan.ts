// Puts the products of a subscription on another selling plan.
import { updateSellingPlan } from '../../edits/frequency.ts';
import type { ActionCode } from '../action.ts';

export const action: ActionCode<{ sellingPlanId: number }> = { apply: updateSellingPlan };
