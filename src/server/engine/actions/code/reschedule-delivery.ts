// Moves one prepaid delivery to another day of delivery, between its neighbors.
import { t } from '../../../../domain/text/t.ts';
import { invalidState } from '../../../platform/context.ts';
import { rescheduleDelivery } from '../../edits/orders.ts';
import type { ActionCode } from '../action.ts';

export const action: ActionCode<{ fulfillmentOrderId: number; fulfillAt: number }> = {
  apply: (work, subscription, { fulfillmentOrderId, fulfillAt }) => {
    if (!subscription.contract.is_prepaid) throw invalidState(t`Only deliveries of prepaid subscriptions are moved one by one.`);
    rescheduleDelivery(work, subscription, { orderId: fulfillmentOrderId, fulfillAt });
  },
};
