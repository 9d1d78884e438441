// A payment that its customer disputes at their bank: shown on the order, told to the team, and a reason to pause if the store wants that.
import { toDecimal } from '../../../domain/money/money.ts';
import type { JsonObject } from '../../../contract/types.ts';
import type { KnownDispute } from '../../platform/gateway/stripe-records.ts';
import { orderById } from '../aggregate.ts';
import type { EngineContext } from '../context.ts';
import { mailDisputed } from '../mails.ts';
import { pause } from '../status.ts';
import { UnitOfWork } from '../unit-of-work.ts';

/** What an order keeps of its dispute. */
export type OrderDispute = Omit<KnownDispute, 'payment'>;

/** Writes down how a dispute stands; the same again changes nothing. */
export async function followDispute(
  context: EngineContext,
  { contractId, orderId }: { contractId: number; orderId: number },
  { payment: _payment, ...dispute }: KnownDispute,
): Promise<void> {
  const work = await UnitOfWork.open(context);
  const [subscription] = await work.load([contractId], [orderId]);
  const order = subscription && orderById(subscription, orderId);
  if (!subscription || !order) return;
  const before = order.dispute as OrderDispute | null;
  const isNew = before?.reference !== dispute.reference;
  if (!isNew && before.status === dispute.status && before.dueEpoch === dispute.dueEpoch && before.amount === dispute.amount) return;
  order.dispute = { ...dispute };
  const about: JsonObject = {
    orderId,
    orderNumber: order.order_number,
    amount: toDecimal(dispute.amount, order.currency_code),
    currencyCode: order.currency_code,
    disputeReason: dispute.reason,
  };
  if (isNew) {
    work.note(subscription, 'payment_disputed', { ...about, dueEpoch: dispute.dueEpoch });
    mailDisputed(work, subscription, order, dispute);
    if (work.settings.dunning.pauseOnDispute && subscription.contract.status === 'ACTIVE')
      pause(work, subscription, null, { because: 'PAYMENT_DISPUTED' });
  }
  const isOver = dispute.status === 'WON' || dispute.status === 'LOST' || dispute.status === 'CLOSED';
  if (isOver && (isNew || before.status !== dispute.status))
    work.note(subscription, 'dispute_closed', { ...about, disputeStatus: dispute.status });
  await work.flush();
}
