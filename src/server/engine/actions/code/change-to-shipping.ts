// Ships the orders that were picked up or delivered locally.
import * as delivery from '../../delivery/contract-delivery.ts';
import { sentTo } from '../../delivery/sent-to.ts';
import type { ActionCode } from '../action.ts';

export const action: ActionCode<delivery.ShippingDetails> = {
  apply: sentTo(delivery.updateToShipping),
};
