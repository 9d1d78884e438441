// Changes where the orders are picked up.
import * as delivery from '../../delivery/contract-delivery.ts';
import type { ActionCode } from '../action.ts';

export const action: ActionCode<{ optionCode: string }> = {
  apply: delivery.updatePickupDetails,
};
