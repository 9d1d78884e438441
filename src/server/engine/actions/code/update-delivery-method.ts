// Sends the orders of a subscription another way.
import { t } from '../../../../domain/text/t.ts';
import type { Address } from '../../../../domain/places/address.ts';
import * as delivery from '../../delivery/contract-delivery.ts';
import { fromSameAddress, sentTo } from '../../delivery/sent-to.ts';
import { skip, type ActionCode } from '../action.ts';

export const action: ActionCode<{ optionCode: string; keepShippingPrice?: boolean }, delivery.ShippingDetails> = {
  others: fromSameAddress,
  one: sentTo(delivery.updateShippingDetails),
  apply: (work, subscription, { optionCode, keepShippingPrice = false }) => {
    const address = subscription.contract.shipping_address as Address | null;
    if (!address) throw skip(t`This subscription has no shipping address.`);
    delivery.updateShippingDetails(work, subscription, { address, optionCode, keepShippingPrice });
  },
};
