// Random actions as the admin makes them, on subscriptions in any state.
import { toDecimal } from '../../../../src/domain/money/money.ts';
import { Refusal } from '../../../../src/server/platform/context.ts';
import type { Aggregate } from '../../../../src/server/engine/aggregate.ts';
import { addDiscount } from '../../../../src/server/engine/edits/discounts.ts';
import { adjustCredits } from '../../../../src/server/engine/edits/details.ts';
import { updateBillingDetails } from '../../../../src/server/engine/edits/frequency.ts';
import { addLine, removeLine, skipLine, updatePrice, updateQuantity } from '../../../../src/server/engine/edits/lines.ts';
import { updateMethod } from '../../../../src/server/engine/edits/payment-methods.ts';
import { applyTerms } from '../../../../src/server/engine/edits/order-schedule.ts';
import { chargeNow, delay, reschedule, rescheduleOneOrder, skipOrder, unSkipOrder } from '../../../../src/server/engine/edits/orders.ts';
import { oneIntervalAfter } from '../../../../src/server/engine/schedule.ts';
import { cancel, markForCancellation, pause, reactivate, resume } from '../../../../src/server/engine/status.ts';
import type { UnitOfWork } from '../../../../src/server/engine/unit-of-work.ts';
import type { Random } from '../../../support/random.ts';
import { DAY, type Shop } from '../shop.ts';
import { EVERY } from './years-settings.ts';

/** One random action on a subscription as it was read a moment ago. Answers its name, and whether it was done or refused. */
export async function randomAction(shop: Shop, random: Random, subscription: Aggregate): Promise<{ action: string; isDone: boolean }> {
  const { id } = subscription.contract;
  const later = (days: number): number => Math.floor((shop.now.getTime() + days * DAY) / 1000);
  const order = random.chance(0.7) ? undefined : id * 10_000 + subscription.contract.next_cycle + random.between(0, 4);
  const line = (x: Aggregate): number => random.pick(x.lines).id;
  const list: [string, (work: UnitOfWork, subscription: Aggregate) => unknown][] = [
    ['pause', (work, x) => pause(work, x, random.chance(0.5) ? new Date(shop.now.getTime() + random.between(1, 90) * DAY) : null)],
    ['resume', (work, x) => resume(work, x, oneIntervalAfter(x, work.at, work.zone, work.settings.billingHour))],
    ['resume', (work, x) => resume(work, x, oneIntervalAfter(x, work.at, work.zone, work.settings.billingHour))],
    ['cancel', (work, x) => cancel(work, x, { reason: 'Other', comment: null, source: 'MERCHANT', notifyCustomer: false })],
    [
      'reactivate',
      (work, x) => {
        x.contract.max_cycles = null;
        reactivate(work, x, oneIntervalAfter(x, work.at, work.zone, work.settings.billingHour));
      },
    ],
    [
      'reactivate',
      (work, x) => {
        x.contract.max_cycles = null;
        reactivate(work, x, oneIntervalAfter(x, work.at, work.zone, work.settings.billingHour));
      },
    ],
    ['markForCancellation', (work, x) => markForCancellation(work, x, true)],
    ['undoMarkForCancellation', (work, x) => markForCancellation(work, x, false)],
    ['skipOrder', (work, x) => skipOrder(work, x, { orderId: order })],
    [
      'unSkipOrder',
      (work, x) => {
        // Orders that are skipped and still ahead are few: without one the next is skipped first.
        const skipped = (): number | undefined => x.orders.find(one => one.status === 'SKIPPED' && one.billing_at > work.at)?.id;
        if (skipped() === undefined) skipOrder(work, x, { orderId: order });
        unSkipOrder(work, x, { orderId: skipped() ?? id * 10_000 + 1 });
      },
    ],
    ['reschedule', (work, x) => reschedule(work, x, { nextBillingDateEpoch: later(random.between(-1, 60)) })],
    ['rescheduleOneOrder', (work, x) => rescheduleOneOrder(work, x, { orderId: order, billingDateEpoch: later(random.between(0, 90)) })],
    ['delay', (work, x) => delay(work, x, { days: random.between(1, 40) })],
    ['chargeNow', (work, x) => chargeNow(work, x, { orderId: x.contract.next_cycle + id * 10_000, keepSchedule: random.chance(0.5) })],
    [
      'chargeNow',
      (work, x) =>
        chargeNow(work, x, {
          orderId: x.orders.find(one => one.status === 'FAILED')?.id ?? id * 10_000 + x.contract.next_cycle,
          keepSchedule: random.chance(0.5),
        }),
    ],
    [
      'addLine',
      (work, x) =>
        addLine(work, x, {
          variantId: random.pick([1, 2, 3, 4]),
          type: random.pick(['ONE_TIME', 'RECURRING']),
          discountType: 'NONE',
          quantity: random.between(1, 2),
        }),
    ],
    ['removeLine', (work, x) => removeLine(work, x, { lineId: line(x) })],
    ['skipLineItem', (work, x) => skipLine(work, x, { lineId: line(x) })],
    // Nothing of the kind itself: any action of an active contract lets the update of its order schedule in.
    [
      'updateQuantity',
      (work, x) =>
        applyTerms(
          work,
          x,
          random.chance(0.4)
            ? { scheduleType: 'BILLING', billingDays: random.pick([[], [1, 4], [6]]), chargeOffsetDays: 0 }
            : { scheduleType: 'DELIVERY', billingDays: [], chargeOffsetDays: random.between(0, 30) },
        ),
    ],
    ['updateQuantity', (work, x) => updateQuantity(work, x, { lineId: line(x), quantity: random.between(1, 5) })],
    [
      'updatePrice',
      (work, x) => updatePrice(work, x, { lineId: line(x), price: toDecimal(random.between(0, 5000), x.contract.currency_code) }),
    ],
    [
      'addDiscount',
      (work, x) =>
        addDiscount(work, x, {
          title: 'Sorry',
          type: random.pick(['PERCENTAGE', 'FIXED_AMOUNT', 'FREE_SHIPPING']),
          value: String(random.between(1, 60)),
          orderLimit: random.pick([null, 1, 3]),
          appliesOnEachItem: random.chance(0.3),
        }),
    ],
    ['updateBillingDetails', (work, x) => updateBillingDetails(work, x, { billingPolicy: { ...random.pick(EVERY), anchorType: null } })],
    ['adjustCredits', (work, x) => adjustCredits(work, x, { credits: random.between(-2, 3), reason: 'test' })],
    ['updatePaymentMethod', (work, x) => updateMethod(work, x, { customerPaymentMethodId: random.pick(x.methods).id })],
  ];
  // Subscriptions that stand still are mostly set going again, so that something happens in ten years; those that are to end mostly go on.
  const { status, is_marked_for_cancellation: isEnding } = subscription.contract;
  const wanted = status === 'PAUSED' ? 'resume' : status !== 'ACTIVE' ? 'reactivate' : isEnding ? 'undoMarkForCancellation' : null;
  const among = wanted && random.chance(0.6) ? list.filter(([name]) => name === wanted) : list;
  const [action, change] = random.pick(among);
  try {
    await shop.act(id, action, change, { orderIds: [id * 10_000 + 1, ...(order === undefined ? [] : [order])] });
    return { action, isDone: true };
  } catch (error) {
    if (error instanceof Refusal) return { action, isDone: false };
    throw new Error(`${action} on contract ${id} failed`, { cause: error });
  }
}
