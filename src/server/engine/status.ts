// The changes of a contract's state and what comes with each: orders ahead, recovery, log and e-mails. Guards are asked before.
import type { JsonObject } from '../../contract/types.ts';
import type { Aggregate } from './aggregate.ts';
import { deleteLine } from './edits/remove-line.ts';
import { mailCancelled, mailExpired, mailMarkedForCancellation, mailPaused, mailReactivated, mailResumed } from './mails.ts';
import type { OrderRow } from './rows.ts';
import { endExceptions, rebase, sayEnded, syncSchedule, type Ended } from './schedule.ts';
import type { UnitOfWork } from './unit-of-work.ts';

/** A recovery case as the contract keeps it (payment-recovery: record `dunning`). */
export interface DunningCase {
  state: 'IN_RECOVERY' | 'RECOVERED' | 'LOST' | 'CLOSED';
  orderId: number;
  cycleNumber: number;
  firstFailedAtEpoch: number;
  attemptsMade: number;
  attemptsMax: number;
  retriesLeft: number;
  nextRetryDateEpoch: number | null;
  lastErrorCategory: string;
  lastErrorCode: string | null;
  isHardDecline: boolean;
  successiveFailedCycles: number;
  finalAction: 'SKIP' | 'PAUSE' | 'CANCEL' | 'NONE' | null;
  recoveredVia: 'RETRY' | 'BACKUP' | 'CARD_UPDATE' | 'MANUAL' | null;
}
export const dunningOf = (subscription: Aggregate): DunningCase | null => subscription.contract.dunning as DunningCase | null;

export const epoch = (at: Date): number => Math.floor(at.getTime() / 1000);
const epochOrNull = (at: Date | null): number | null => (at ? epoch(at) : null);

/** Ends the recovery of an order that is not tried again. */
export function closeCase(subscription: Aggregate, orderId?: number): void {
  const open = dunningOf(subscription);
  if (open?.state === 'IN_RECOVERY' && (orderId === undefined || open.orderId === orderId))
    subscription.contract.dunning = { ...open, state: 'CLOSED', nextRetryDateEpoch: null };
}

/** Skips one order for good and ends its recovery. */
export function skipRow(subscription: Aggregate, order: OrderRow, reason: string): void {
  order.status = 'SKIPPED';
  order.skip_reason = reason;
  order.next_retry_at = null;
  closeCase(subscription, order.id);
}

/** Orders that are retried or wait for stock stop: with a pause they are skipped; when the contract ends a failed one stays failed. */
function closeOpenOrders(subscription: Aggregate, reason: 'PAUSED' | 'ENDED'): void {
  for (const order of subscription.orders) {
    if (order.next_retry_at === null || order.status === 'PROCESSING') continue;
    if (reason === 'PAUSED' || order.status === 'SCHEDULED') skipRow(subscription, order, reason);
    else order.next_retry_at = null;
  }
  closeCase(subscription);
}

/** Ends the schedule, and with it what was skipped or moved ahead, which the answer names. */
function endSchedule(subscription: Aggregate, reason: 'PAUSED' | 'ENDED'): Ended {
  closeOpenOrders(subscription, reason);
  subscription.contract.base_at = null;
  subscription.contract.resume_at = null;
  return endExceptions(subscription);
}

/** Ends what is in the next orders only or left out of them, when a subscription ends: nothing of it comes with a reactivation. */
function endOneTimeChanges(work: UnitOfWork, subscription: Aggregate): void {
  for (const line of subscription.lines.filter(one => one.one_time_added)) deleteLine(work, subscription, line);
  for (const line of subscription.lines) line.one_time_removed_cycle = null;
}

/**
 * ACTIVE (or PAUSED, to change the end) to PAUSED. All orders ahead are removed, with what was skipped or moved among them; the log says
 * which. `resumeAt` null: until it is resumed.
 */
export function pause(work: UnitOfWork, subscription: Aggregate, resumeAt: Date | null, data: JsonObject = {}): void {
  const before = {
    status: subscription.contract.status,
    resumeDateEpoch: epochOrNull(subscription.contract.resume_at),
    nextBillingDateEpoch: epochOrNull(subscription.contract.next_billing_at),
  };
  const ended = endSchedule(subscription, 'PAUSED');
  subscription.contract.status = 'PAUSED';
  subscription.contract.paused_at ??= work.at;
  subscription.contract.resume_at = resumeAt;
  work.note(subscription, 'subscription_paused', {
    ...data,
    before,
    after: { status: 'PAUSED', resumeDateEpoch: epochOrNull(resumeAt) },
    ...sayEnded(ended),
  });
  mailPaused(work, subscription);
}

/** Starts the schedule over: the next order is due at `at`. */
function start(subscription: Aggregate, at: Date, zone: string): void {
  rebase(subscription, at, subscription.contract.next_cycle, zone);
  subscription.contract.resume_at = null;
  subscription.contract.paused_at = null;
  syncSchedule(subscription, zone);
}

/** PAUSED to ACTIVE; the first order is due at `nextAt`. */
export function resume(work: UnitOfWork, subscription: Aggregate, nextAt: Date, isByTimer = false): void {
  const before = { status: subscription.contract.status, resumeDateEpoch: epochOrNull(subscription.contract.resume_at) };
  subscription.contract.status = 'ACTIVE';
  start(subscription, nextAt, work.zone);
  work.note(subscription, 'subscription_resumed', {
    isByTimer,
    before,
    after: { status: 'ACTIVE', nextBillingDateEpoch: epochOrNull(subscription.contract.next_billing_at) },
  });
  mailResumed(work, subscription, subscription.contract.next_billing_at);
}

export interface Cancellation {
  reason: string | null;
  comment: string | null;
  source: 'CUSTOMER' | 'MERCHANT' | 'API' | 'DUNNING' | 'FLOW' | 'SHOPIFY';
  notifyCustomer: boolean;
}

/** To CANCELLED. Orders ahead vanish, with what was skipped or moved among them and what was added or left out once; history stays. */
export function cancel(work: UnitOfWork, subscription: Aggregate, { reason, comment, source, notifyCustomer }: Cancellation): void {
  const before = { status: subscription.contract.status, nextBillingDateEpoch: epochOrNull(subscription.contract.next_billing_at) };
  const ended = endSchedule(subscription, 'ENDED');
  const c = subscription.contract;
  c.status = 'CANCELLED';
  c.cancelled_at = work.at;
  c.paused_at = null;
  c.is_marked_for_cancellation = false;
  c.cancellation_reason = reason;
  c.cancellation_comment = comment;
  c.cancellation_source = source;
  endOneTimeChanges(work, subscription);
  work.note(subscription, 'subscription_cancelled', {
    before,
    after: { status: 'CANCELLED' },
    reason,
    comment,
    cancellationSource: source,
    ...sayEnded(ended),
  });
  mailCancelled(work, subscription, notifyCustomer);
}

/** Prepaid: end when the paid deliveries are sent, or go on after all. */
export function markForCancellation(work: UnitOfWork, subscription: Aggregate, isMarked: boolean): void {
  subscription.contract.is_marked_for_cancellation = isMarked;
  work.note(subscription, isMarked ? 'marked_for_cancellation' : 'unmarked_for_cancellation', {
    deliveriesLeft: subscription.contract.prepaid_credits,
  });
  if (isMarked) mailMarkedForCancellation(work, subscription);
}

/** Deliveries that were paid and not sent when a prepaid subscription was cancelled are not restored with it: they went with its orders. */
export function dropCredits(work: UnitOfWork, subscription: Aggregate): void {
  const before = subscription.contract.prepaid_credits;
  if (subscription.contract.status !== 'CANCELLED' || before === 0) return;
  work.credit(subscription, 'ADJUSTED', -before, null, 'Not restored after the cancellation');
  work.note(subscription, 'prepaid_credits_adjusted', {
    type: 'ADJUSTED',
    credits: -before,
    reason: 'Not restored after the cancellation',
    before,
    after: 0,
  });
}

/** CANCELLED, EXPIRED or FAILED to ACTIVE; orders completed are kept. `maxCycles`: another maximum, null for none. */
export function reactivate(
  work: UnitOfWork,
  subscription: Aggregate,
  nextAt: Date,
  maxCycles: number | null = subscription.contract.max_cycles,
): void {
  const c = subscription.contract;
  const isOther = maxCycles !== c.max_cycles;
  const before = { status: c.status, ...(isOther ? { maxCycles: c.max_cycles } : {}) };
  c.max_cycles = maxCycles;
  c.status = 'ACTIVE';
  c.cancelled_at = c.expired_at = null;
  c.cancellation_reason = c.cancellation_comment = c.cancellation_source = null;
  c.successive_failed_cycles = 0;
  closeCase(subscription);
  start(subscription, nextAt, work.zone);
  work.note(subscription, 'subscription_reactivated', {
    before,
    after: { status: 'ACTIVE', nextBillingDateEpoch: epochOrNull(c.next_billing_at), ...(isOther ? { maxCycles } : {}) },
  });
  mailReactivated(work, subscription, c.next_billing_at);
}

/** ACTIVE to EXPIRED: the last order of a limited subscription was paid and delivered. */
export function expire(work: UnitOfWork, subscription: Aggregate): void {
  const ended = endSchedule(subscription, 'ENDED');
  subscription.contract.status = 'EXPIRED';
  subscription.contract.expired_at = work.at;
  endOneTimeChanges(work, subscription);
  work.note(subscription, 'subscription_expired', {
    completedOrders: subscription.contract.completed_orders,
    maxCycles: subscription.contract.max_cycles,
    ...sayEnded(ended),
  });
  mailExpired(work, subscription);
}

/** Ends a running subscription that has nothing left to place: its maximum is reached, or it was to end after its paid deliveries. */
export function endIfOver(work: UnitOfWork, subscription: Aggregate): void {
  const c = subscription.contract;
  if ((c.status !== 'ACTIVE' && c.status !== 'PAUSED') || c.prepaid_credits > 0) return;
  if (c.max_cycles !== null && c.completed_orders >= c.max_cycles) expire(work, subscription);
  else if (c.is_marked_for_cancellation)
    cancel(work, subscription, { reason: 'Paid deliveries sent', comment: null, source: 'MERCHANT', notifyCustomer: true });
}

/** ACTIVE to FAILED: the charge can't succeed and no try is left, so billing ends until the merchant acts. */
export function fail(work: UnitOfWork, subscription: Aggregate, data: JsonObject): void {
  const ended = endSchedule(subscription, 'ENDED');
  subscription.contract.status = 'FAILED';
  work.note(subscription, 'subscription_failed', { ...data, ...sayEnded(ended) });
}

/** FAILED to ACTIVE: a payment succeeded after all; the next order is due at `nextAt`. */
export function recover(work: UnitOfWork, subscription: Aggregate, nextAt: Date): void {
  subscription.contract.status = 'ACTIVE';
  start(subscription, nextAt, work.zone);
  work.note(subscription, 'subscription_reactivated', {
    before: { status: 'FAILED' },
    after: { status: 'ACTIVE', nextBillingDateEpoch: epochOrNull(subscription.contract.next_billing_at) },
    byPayment: true,
  });
}
