// D151: charges another saved method of the same customer; an order in recovery is tried again with it.
import { updateMethod } from '../../edits/payment-methods.ts';
import type { ActionCode } from '../action.ts';

export const action: ActionCode<{ customerPaymentMethodId: number }> = {
  mayCharge: true,
  apply: updateMethod,
};
