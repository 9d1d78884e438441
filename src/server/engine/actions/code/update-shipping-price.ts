// Gives a subscription another shipping price: an amount, or what the present rates come to.
import { t } from '../../../../domain/text/t.ts';
import * as delivery from '../../delivery/contract-delivery.ts';
import { recomputeShipping } from '../../edits/store-prices.ts';
import { skip, type ActionCode } from '../action.ts';

export const action: ActionCode<{ rule: 'AMOUNT' | 'RECOMPUTE'; deliveryPrice?: string }, { deliveryPrice: string }> = {
  one: delivery.updateShippingPrice,
  apply: (work, subscription, { rule, deliveryPrice = '0' }) => {
    if (!subscription.lines.some(line => !line.one_time_added && line.requires_shipping))
      throw skip(t`No product of this subscription needs to be delivered.`);
    if (rule === 'RECOMPUTE') recomputeShipping(work, subscription);
    else delivery.updateShippingPrice(work, subscription, { deliveryPrice });
  },
};
