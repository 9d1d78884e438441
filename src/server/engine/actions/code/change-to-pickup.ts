// Has the orders picked up.
import * as delivery from '../../delivery/contract-delivery.ts';
import type { ActionCode } from '../action.ts';

export const action: ActionCode<{ optionCode?: string }> = {
  apply: delivery.updateToPickup,
};
