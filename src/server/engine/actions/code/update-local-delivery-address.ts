// Changes where a local delivery goes.
import * as delivery from '../../delivery/contract-delivery.ts';
import { fromSameAddress, sentTo } from '../../delivery/sent-to.ts';
import type { ActionCode } from '../action.ts';

export const action: ActionCode<delivery.Destination> = {
  others: fromSameAddress,
  apply: sentTo(delivery.updateLocalDeliveryAddress),
};
