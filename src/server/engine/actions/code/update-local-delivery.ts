// Changes the phone and the instructions of a local delivery.
import * as delivery from '../../delivery/contract-delivery.ts';
import type { ActionCode } from '../action.ts';

export const action: ActionCode<{ phone: string; instructions?: string }> = {
  apply: delivery.updateLocalDeliveryDetails,
};
