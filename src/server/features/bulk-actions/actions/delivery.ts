// How subscriptions are delivered and what that costs.
import { type Address, delivery } from '../../../engine/index.ts';
import { skip, type ActionCode } from '../bulk-action.ts';
import { recomputeShipping } from '../updates/store-updates.ts';
import { t } from '../../../../domain/text/t.ts';

export const shippingPrice: ActionCode<{ rule: 'AMOUNT' | 'RECOMPUTE'; deliveryPrice?: string }> = {
  apply: (work, subscription, { rule, deliveryPrice = '0' }) => {
    if (!subscription.lines.some(line => !line.one_time_added && line.requires_shipping))
      throw skip(t`No product of this subscription needs to be delivered.`);
    if (rule === 'RECOMPUTE') recomputeShipping(work, subscription);
    else delivery.updateShippingPrice(work, subscription, { deliveryPrice });
  },
};

export const deliveryMethod: ActionCode<{ optionCode: string; keepShippingPrice?: boolean }> = {
  apply: (work, subscription, { optionCode, keepShippingPrice = false }) => {
    const address = subscription.contract.shipping_address as Address | null;
    if (!address) throw skip(t`This subscription has no shipping address.`);
    delivery.updateShippingDetails(work, subscription, { address, optionCode, keepShippingPrice });
  },
};
