// Money that was given back at the payment provider itself, or came back there after all: our books follow.
import { toDecimal } from '../../../domain/money/money.ts';
import type { KnownRefund } from '../../platform/gateway/stripe-records.ts';
import type { GatewayName } from '../../platform/gateway/gateway.ts';
import { orderById } from '../aggregate.ts';
import type { EngineContext } from '../context.ts';
import { tellRefunded } from './tell-refunded.ts';
import { UnitOfWork } from '../unit-of-work.ts';
import { refundable } from './refund.ts';

export interface RefundsThere {
  contractId: number;
  orderId: number;
  /** SHOP: a shop elsewhere took the money itself. */
  gateway: GatewayName | 'SHOP';
  /** Stands for a person of the store there. */
  by?: string;
  /** The provider's name of the charge, and all its refunds. */
  charge: string;
  refunds: readonly KnownRefund[];
}

/**
 * Writes down what was given back at the provider and not from here, each refund once; one that was done and failed later at the bank is
 * money that the store has again. Those that are under way here are settled by `takeRefund`.
 */
export async function followRefunds(
  context: EngineContext,
  { contractId, orderId, gateway, by = BY_PROVIDER, charge, refunds }: RefundsThere,
): Promise<void> {
  const { trx, storeId } = context;
  const work = await UnitOfWork.open(context);
  const [subscription] = await work.load([contractId], [orderId]);
  const order = subscription && orderById(subscription, orderId);
  if (!subscription || !order || order.status !== 'PAID') return;
  const ours = await trx
    .selectFrom('refunds')
    .select(['id', 'order_id', 'idempotency_key', 'gateway_reference', 'status', 'amount'])
    .where('store_id', '=', storeId)
    .where('charge_reference', '=', charge)
    .execute();
  for (const refund of refunds) {
    const mine = ours.find(one => one.gateway_reference === refund.reference || one.idempotency_key === refund.key);
    const about = {
      orderId,
      orderNumber: order.order_number,
      amount: toDecimal(refund.amount, order.currency_code),
      currencyCode: order.currency_code,
      by,
    };
    // A charge that paid several orders: the first one that costs as much.
    if (!mine && refund.status === 'DONE' && refund.amount <= refundable(order)) {
      await trx
        .insertInto('refunds')
        .values({
          store_id: storeId,
          order_id: orderId,
          contract_id: contractId,
          gateway,
          charge_reference: charge,
          idempotency_key: `${gateway.toLowerCase()}-${refund.reference}`,
          gateway_reference: refund.reference,
          amount: refund.amount,
          currency_code: order.currency_code,
          created_by: by,
          status: 'DONE',
          created_at: work.at,
          settled_at: work.at,
        })
        .execute();
      order.refunded += refund.amount;
      work.note(subscription, 'order_refunded', about);
      await tellRefunded(work, subscription, order, { amount: refund.amount, once: refund.reference });
    } else if (mine?.status === 'DONE' && mine.order_id === orderId && refund.status === 'FAILED') {
      await trx
        .updateTable('refunds')
        .set({ status: 'FAILED', error_message: CAME_BACK })
        .where('store_id', '=', storeId)
        .where('id', '=', mine.id)
        .execute();
      order.refunded -= mine.amount;
      work.note(subscription, 'refund_failed', { ...about, message: CAME_BACK });
    }
  }
  await work.flush();
}
/** Stands for a person of the store at the provider. */
const BY_PROVIDER = 'Stripe';
const CAME_BACK = 'The customer’s bank refused the refund: the money is back at the store.';
