// The conditions on state changes that the state alone does not show. Each gives the sentence that refuses, or null.
import { usableMethod, type Aggregate } from './aggregate.ts';
import { isGift } from './gifts/gift.ts';
import { deliveriesPerCharge } from './schedule.ts';
import { hasLiveLine } from './charging/stock.ts';
import type { UnitOfWork } from './unit-of-work.ts';
import { later, t, translated } from '../../domain/text/t.ts';

export type Guard = (work: UnitOfWork, subscription: Aggregate) => string | null;

export const BEING_PROCESSED = later`This subscription has an order being processed. Try again in a few minutes.`;

export const LAST_PRODUCT = later`A subscription must have at least one product.`;

export const NO_METHOD = later`This subscription has no valid payment method.`;

/**
 * Actions that a charge under way leaves free: none of them changes what is charged, when, or whether the subscription goes on. Another
 * card or backup is for the next charge; the one under way keeps its own. Every other action waits until the gateway has answered.
 */
const BESIDE_A_CHARGE: ReadonlySet<string> = new Set([
  'updateNote',
  'addOrderNote',
  'updateTags',
  'updateCustomAttributes',
  'updateLineItemAttributes',
  'updatePaymentMethod',
  'editPaymentMethod',
  'switchBackup',
  'removeBackup',
  'refundOrder',
]);

/** Actions that say what became of a charge: for one that waits for that, on its order, and never among those of the record. */
export const OF_AN_UNCLEAR_CHARGE: ReadonlySet<string> = new Set(['confirmCharge', 'chargeAgain']);

/** Whether a charge of the subscription is written down that the gateway has not answered yet. */
export const isBeingCharged = (subscription: Aggregate): boolean => subscription.orders.some(order => order.status === 'PROCESSING');

/** The sentence that refuses an action while an order of the subscription is being charged, or null. */
export function refusalWhileCharged(subscription: Aggregate, action: string): string | null {
  if (BESIDE_A_CHARGE.has(action) || !isBeingCharged(subscription)) return null;
  if (subscription.orders.some(order => order.unclear_since !== null)) {
    if (OF_AN_UNCLEAR_CHARGE.has(action)) return null;
    return t`The payment provider can’t tell whether an order of this subscription was charged. Settle that in the order history first.`;
  }
  return action === 'chargeNow' ? t`A charge for this order is already in progress.` : translated(BEING_PROCESSED);
}

export const guards: Readonly<Record<string, Guard>> = {
  canCreate: (_work, subscription) => (subscription.lines.length === 0 ? t`Add at least one product.` : null),
  canPause: (_work, subscription) => {
    return subscription.contract.is_marked_for_cancellation
      ? t`This subscription ends after its paid deliveries. Undo that before you pause it.`
      : null;
  },
  canResume: (work, subscription) =>
    subscription.contract.prepaid_credits > 0 || usableMethod(subscription, work) ? null : t`Add a payment method before resuming.`,
  canCancel: (work, subscription) => {
    const { min_cycles, completed_orders } = subscription.contract;
    const left = (min_cycles ?? 0) - completed_orders;
    // The merchant may always cancel; the screen names what is left of the minimum.
    if (work.context.source !== 'Customer portal' || left <= 0) return null;
    return left === 1
      ? t`This subscription can be cancelled after 1 more order.`
      : t`This subscription can be cancelled after ${left} more orders.`;
  },
  canMarkForCancellation: (_work, subscription) => {
    const { is_marked_for_cancellation, prepaid_credits } = subscription.contract;
    if (is_marked_for_cancellation) return t`This subscription already ends after its paid deliveries.`;
    if (deliveriesPerCharge(subscription.contract) === 1 || prepaid_credits === 0)
      return t`Only a prepaid subscription with paid deliveries left can end after them.`;
    return null;
  },
  canUndoMarkForCancellation: (_work, subscription) =>
    subscription.contract.is_marked_for_cancellation ? null : t`This subscription is not marked for cancellation.`,
  canReactivate: (work, subscription) => {
    if (!hasLiveLine(work, subscription)) return t`Add a product before reactivating.`;
    return isGift(subscription.contract) || usableMethod(subscription, work) ? null : t`Add a valid payment method before reactivating.`;
  },
  // Nothing is charged for a gift any more, so it has no payment method.
  chargeNow: (work, subscription) => (isGift(subscription.contract) || usableMethod(subscription, work) ? null : translated(NO_METHOD)),
};
