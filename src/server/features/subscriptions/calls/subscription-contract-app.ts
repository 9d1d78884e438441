// The calls of a subscription contract that go to the app server (D150).
import type { JsonValue } from '../../../../contract/types.ts';
import { invalid, invalidState, type Context, type Handler } from '../../../platform/context.ts';
import {
  engineOf,
  epoch,
  type OrderRow,
  readContract,
  removeDiscount,
  requestUpdate,
  rescheduleDelivery,
  scheduleView,
  undoOneTime,
  updateMethod,
} from '../../../engine/index.ts';
import { charging, edit, type Named } from '../action-calls.ts';
import { t } from '../../../../domain/text/t.ts';

export { lastBillingAttempt } from '../reads.ts';

/** D151: another saved method of the same customer; an order in recovery is tried again with it. */
export const updatePaymentMethod: Handler = charging<Named & { customerPaymentMethodId: number }>('updatePaymentMethod', updateMethod);

/** Asks the customer by e-mail for a new payment method. */
export const editPaymentMethod: Handler = edit<Named>('editPaymentMethod', requestUpdate);

export const undoRemoveOneTime: Handler = edit<Named & { lineId: number }>('undoRemoveOneTime', undoOneTime);

export const removeDiscountCode: Handler = edit<Named & { discountId?: number; code?: string }>(
  'removeDiscountCode',
  (work, subscription, input) => {
    if (input.discountId === undefined && input.code === undefined)
      throw invalid([{ pointer: '/code', rule: 'required', message: t`Name the discount by its code or its id.` }]);
    removeDiscount(work, subscription, input);
  },
);

/** Moves one prepaid delivery to another day of delivery, between its neighbours. */
export const fulfillmentReschedule: Handler = edit<Named & { fulfillmentOrderId: number; fulfillAt: number }>(
  'fulfillmentReschedule',
  (work, subscription, { fulfillmentOrderId, fulfillAt }) => {
    if (!subscription.contract.is_prepaid) throw invalidState(t`Only deliveries of prepaid subscriptions are moved one by one.`);
    rescheduleDelivery(work, subscription, { orderId: fulfillmentOrderId, fulfillAt });
  },
);

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
