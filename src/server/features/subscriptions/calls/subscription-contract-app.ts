// The calls of a subscription contract that go to the app server (D150) and that no action does.
import type { JsonValue } from '../../../../contract/types.ts';
import type { Context } from '../../../platform/context.ts';
import { engineOf, epoch, type OrderRow, readContract, scheduleView } from '../../../engine/index.ts';

export { lastBillingAttempt } from '../reads.ts';

interface Named {
  id: number;
}

/** The deliveries of a prepaid contract: those sent, and those that are paid and ahead. */
export async function fulfillments(context: Context, { id, ahead: onlyAhead = false }: Named & { ahead?: boolean }): Promise<JsonValue> {
  const { subscription, work } = await readContract(engineOf(context), id);
  const sent = onlyAhead
    ? []
    : ((await context.trx
        .selectFrom('orders')
        .selectAll()
        .where('store_id', '=', context.storeId)
        .where('contract_id', '=', id)
        .where('status', '=', 'PAID')
        .orderBy('cycle', 'desc')
        .limit(50)
        .execute()) as OrderRow[]);
  const coming = scheduleView(work, subscription, context.now(), 53).filter(order => order.isPrepaidDelivery);
  // Those after the next charge are not paid yet.
  const lastPaid = coming.filter(order => order.status === 'SCHEDULED')[subscription.contract.prepaid_credits - 1];
  const ahead = onlyAhead ? coming.slice(0, lastPaid ? coming.indexOf(lastPaid) + 1 : 0) : coming;
  return [
    ...sent.toReversed().map(order => ({
      id: order.id,
      fulfillmentOrderId: order.id,
      orderId: order.id,
      status: order.fulfillment_status === 'FULFILLED' ? 'CLOSED' : 'OPEN',
      fulfillAt: epoch(order.delivery_at),
      isPrepaidDelivery: order.is_prepaid_delivery,
    })),
    ...ahead.map(order => ({
      id: order.id ?? null,
      fulfillmentOrderId: order.id ?? null,
      orderId: order.id ?? null,
      status: order.status === 'SKIPPED' ? 'SKIPPED' : 'SCHEDULED',
      fulfillAt: order.deliveryDateEpoch ?? null,
      isPrepaidDelivery: true,
    })),
  ];
}
