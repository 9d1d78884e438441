// Charges an order again of whose charge the payment provider can say nothing, as a person found out.
import * as settling from '../../charging/unclear-charge.ts';
import type { ActionCode } from '../action.ts';

export const action: ActionCode<{ orderId: number }> = {
  mayCharge: true,
  apply: settling.chargeAgain,
};
