// Puts skipped orders ahead back, the earliest first.
import { t } from '../../../../domain/text/t.ts';
import * as orders from '../../edits/orders.ts';
import { skip, type ActionCode } from '../action.ts';

interface Count {
  count: number;
}

export const action: ActionCode<Count, { orderId: number }> = {
  undoing: {
    action: 'skipOrder',
    remember: (_work, was, subscription) => ({
      orderIds: [...was.orders.values()]
        .filter(before => before.status === 'SKIPPED' && subscription.orders.find(order => order.id === before.id)?.status !== 'SKIPPED')
        .map(order => order.id),
    }),
    apply: (work, subscription, { orderIds }) => {
      for (const orderId of orderIds as number[]) orders.skipOrder(work, subscription, { orderId });
    },
  },
  one: orders.unSkipOrder,
  apply: (work, subscription, { count }) => {
    const skipped = subscription.orders
      .filter(order => order.status === 'SKIPPED' && order.cycle >= subscription.contract.next_cycle && order.billing_at > work.at)
      .sort((x, y) => x.cycle - y.cycle)
      .slice(0, count);
    if (skipped.length === 0) throw skip(t`This subscription has no skipped order ahead.`);
    for (const order of skipped) orders.unSkipOrder(work, subscription, { orderId: order.id });
  },
};
