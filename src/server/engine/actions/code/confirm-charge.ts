// Settles a charge of which the payment provider can say nothing as paid, as a person found out.
import * as settling from '../../charging/unclear-charge.ts';
import type { ActionCode } from '../action.ts';

export const action: ActionCode<{ orderId: number }> = {
  apply: settling.confirmCharge,
};
