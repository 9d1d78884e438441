// Moves one order to another day; those after it keep their dates.
import * as orders from '../../edits/orders.ts';
import type { ActionCode } from '../action.ts';

export const action: ActionCode<{ orderId?: number; billingDateEpoch: number }> = {
  meansNext: true,
  apply: orders.rescheduleOneOrder,
};
