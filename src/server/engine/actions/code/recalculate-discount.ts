// Works the discounts of selling plans out again.
import { recalculateDiscounts } from '../../edits/frequency.ts';
import type { ActionCode } from '../action.ts';

export const action: ActionCode = {
  apply: recalculateDiscounts,
};
