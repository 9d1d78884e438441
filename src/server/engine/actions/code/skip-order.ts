// Skips the next orders of a subscription.
import * as orders from '../../edits/orders.ts';
import type { ActionCode } from '../action.ts';

interface Count {
  count: number;
}

export const action: ActionCode<Count, { orderId?: number }> = {
  undoing: {
    action: 'unSkipOrder',
    remember: (_work, was, subscription) => ({
      orderIds: subscription.orders
        .filter(order => order.status === 'SKIPPED' && was.orders.get(order.id)?.status !== 'SKIPPED')
        .map(order => order.id),
    }),
    apply: (work, subscription, { orderIds }) => {
      for (const orderId of (orderIds as number[]).toReversed()) orders.unSkipOrder(work, subscription, { orderId });
    },
  },
  meansNext: true,
  one: orders.skipOrder,
  apply: (work, subscription, { count }) => {
    for (let i = 0; i < count; i++) orders.skipOrder(work, subscription, {});
  },
};
