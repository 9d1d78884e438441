// What a charge's outcome does to order, contract and recovery: paid, to be retried, or failed for good.
import { categoryOf } from '../../../domain/recovery/failure-codes.ts';
import { failureMessage, notifyAt, planRetry, type FinalReason, type RetryPlan } from '../../../domain/recovery/dunning.ts';
import { isHardDecline, type FinalAction } from '../../../domain/recovery/dunning-settings.ts';
import { planPlatformRefusal } from '../../../domain/schedule/inventory.ts';
import { toDecimal } from '../../../domain/money/money.ts';
import type { JsonObject } from '../../../contract/types.ts';
import type { Outcome } from '../../platform/gateway/gateway.ts';
import { isUsable, methodById, type Aggregate } from '../aggregate.ts';
import { takeBack } from './came-with.ts';
import { deleteLine } from '../edits/remove-line.ts';
import { mailPaymentFailed, mailStoreSide, mailToConfirm } from '../mails.ts';
import type { OrderLine } from '../price.ts';
import type { AttemptRow, OrderRow } from '../rows.ts';
import { deliveriesPerCharge, nextPlanned, oneIntervalAfter } from '../schedule.ts';
import { cancel, dunningOf, endIfOver, epoch, fail, pause, recover, skipRow, type DunningCase } from '../status.ts';
import { keepRate } from './rate-of-day.ts';
import { checkStockAt, giveUpStock, releaseStock, retryOf, stockOfLines, type RetryState } from './stock.ts';
import type { UnitOfWork } from '../unit-of-work.ts';

type Failure = Extract<Outcome, { ok: false }>;
/** TRY_BACKUP: the first attempt was refused and the backup method is to be charged at once. */
export type AppliedOutcome = 'TRY_BACKUP' | null;

/** Applies the gateway's answer to an attempt. */
export function applyOutcome(
  work: UnitOfWork,
  subscription: Aggregate,
  order: OrderRow,
  row: AttemptRow,
  outcome: Outcome,
): AppliedOutcome {
  subscription.at = work.at;
  order.unclear_since = null;
  // "Already paid" counts as success: the money is there, nothing is taken twice.
  if (outcome.ok || categoryOf(outcome.code).kind === 'PAID') {
    applyPaid(work, subscription, order, row, outcome.ok ? outcome.reference : outcome.message);
    return null;
  }
  releaseStock(work, order);
  return applyFailed(work, subscription, order, row, outcome);
}

/** The order is paid (or there was nothing to pay): counts, credits, discounts, one-time products, the end of a limited subscription. */
export function applyPaid(
  work: UnitOfWork,
  subscription: Aggregate,
  order: OrderRow,
  row: AttemptRow | null,
  reference: string | null,
): void {
  const c = subscription.contract;
  if (row) {
    row.ready = row.success = true;
    row.completed_at = work.at;
    row.gateway_reference = reference;
    row.error_code = row.error_message = row.error_category = null;
    c.last_payment_status = 'SUCCESS';
    c.last_payment_category = null;
  }
  order.status = 'PAID';
  order.processed_at = work.at;
  keepRate(work, order);
  order.fulfillment_status = 'UNFULFILLED';
  order.next_retry_at = null;
  order.error_code = order.error_message = order.error_category = null;
  const lines = order.lines as OrderLine[];
  countOrder(work, subscription, order, lines);
  c.successive_failed_cycles = 0;
  const via = closeAsRecovered(subscription, order, row);
  if (row) work.note(subscription, 'payment_attempted', tryOf(order, row));
  const note = work.note(subscription, 'order_placed', {
    orderId: order.id,
    orderNumber: order.order_number,
    total: toDecimal(order.total, order.currency_code),
    currencyCode: order.currency_code,
    dateEpoch: epoch(order.billing_at),
    ...(order.is_prepaid_delivery ? { isPrepaidDelivery: true, deliveriesLeft: c.prepaid_credits } : {}),
    ...(via ? { recovered: true, recoveredVia: via } : {}),
    ...(row ? chargeOf(subscription, row) : {}),
  });
  work.numberOrder(order, note);
  if (c.status === 'FAILED') recover(work, subscription, oneIntervalAfter(subscription, work.at, work.zone, work.settings.billingHour));
  endIfOver(work, subscription);
}

/** How an order was charged, for its entry in the log. */
function chargeOf(subscription: Aggregate, row: AttemptRow): JsonObject {
  const method = methodById(subscription, row.payment_method_id);
  return {
    attempt: row.attempt_number,
    trigger: row.trigger,
    ...(row.started_by ? { startedBy: row.started_by } : {}),
    ...(method
      ? {
          method: {
            brand: method.brand,
            lastDigits: method.last_digits,
            ...(method.paypal_account_email ? { paypalAccountEmail: method.paypal_account_email } : {}),
          },
        }
      : {}),
  };
}

function countOrder(work: UnitOfWork, subscription: Aggregate, order: OrderRow, lines: readonly OrderLine[]): void {
  const c = subscription.contract;
  if (order.is_prepaid_delivery) {
    if (c.prepaid_credits > 0) work.credit(subscription, 'CONSUMED', -1, order.id, 'Delivery sent');
  } else {
    c.completed_orders += 1;
    order.order_number = c.completed_orders;
    const deliveries = deliveriesPerCharge(c);
    if (deliveries > 1) {
      work.credit(subscription, 'ADDED', deliveries, order.id, 'Paid in advance');
      work.credit(subscription, 'CONSUMED', -1, order.id, 'Delivery sent');
    }
    for (const discount of subscription.discounts) {
      if (discount.rejection_reason) continue;
      discount.usage_count += 1;
      if (discount.order_limit !== null) discount.order_limit -= 1;
    }
    subscription.discounts = subscription.discounts.filter(discount => discount.order_limit === null || discount.order_limit > 0);
  }
  const sent = new Set(lines.map(line => line.lineId));
  for (const line of subscription.lines.filter(one => one.one_time_added && sent.has(one.id))) deleteLine(work, subscription, line);
  for (const line of subscription.lines)
    if (line.one_time_removed_cycle !== null && line.one_time_removed_cycle <= order.cycle) line.one_time_removed_cycle = null;
}

function closeAsRecovered(subscription: Aggregate, order: OrderRow, row: AttemptRow | null): DunningCase['recoveredVia'] {
  const open = dunningOf(subscription);
  if (!row || open?.orderId !== order.id || (open.state !== 'IN_RECOVERY' && open.state !== 'LOST')) return null;
  const failedWith = retryOf(order)?.methodId;
  const via =
    row.trigger === 'BACKUP'
      ? 'BACKUP'
      : row.trigger === 'CARD_UPDATE' || (failedWith !== undefined && failedWith !== row.payment_method_id)
        ? 'CARD_UPDATE'
        : row.trigger === 'MANUAL'
          ? 'MANUAL'
          : 'RETRY';
  subscription.contract.dunning = {
    ...open,
    state: 'RECOVERED',
    nextRetryDateEpoch: null,
    recoveredVia: via,
    attemptsMade: order.attempts,
  } satisfies DunningCase;
  return via;
}

/** The charge was refused: stock rules, the backup method, a retry, or the end. Stock that was taken for it is given back before. */
export function applyFailed(work: UnitOfWork, subscription: Aggregate, order: OrderRow, row: AttemptRow, failure: Failure): AppliedOutcome {
  const { contract: c } = subscription;
  const category = categoryOf(failure.code);
  const nextOrderAt = nextPlanned(subscription, work.zone)?.billingAt ?? null;
  row.ready = true;
  row.success = false;
  row.completed_at = work.at;
  row.error_code = failure.code;
  row.error_message = failure.message;
  row.error_category = category.key;
  row.next_action_url = failure.nextActionUrl ?? null;
  work.note(subscription, 'payment_attempted', tryOf(order, row));
  order.status = 'FAILED';
  order.error_code = failure.code;
  order.error_message = failure.message;
  order.error_category = category.key;
  const before: RetryState = retryOf(order) ?? { kind: 'PAYMENT' };
  const state: RetryState = { ...before, firstFailedAt: before.firstFailedAt ?? work.at.getTime() };
  if (category.kind === 'INVENTORY') {
    takeBack(work, subscription, order);
    refusedForStock(work, subscription, order, state);
    return null;
  }
  c.last_payment_status = 'FAILED';
  c.last_payment_category = category.key;
  const { trigger } = row;
  // Tries that the platform refused for lack of stock, or that never reached the provider, were none of the payment.
  const isFirstPayment = row.attempt_number - (before.platformRefusals ?? 0) - (before.notCharged ?? 0) === 1;
  state.methodId = row.payment_method_id;
  order.retry = state;
  if (c.status !== 'ACTIVE' || state.isFinal) {
    takeBack(work, subscription, order);
    noteAttemptFailed(work, subscription, order, row);
    if (c.status !== 'ACTIVE') order.retry = { ...state, isFinal: true };
    return null;
  }
  if (isFirstPayment && category.kind !== 'STORE' && category.retry !== 'NEVER' && hasBackup(work, subscription)) {
    openCase(subscription, order, state, null, false, work);
    noteAttemptFailed(work, subscription, order, row);
    work.note(subscription, 'backup_payment_attempted', {
      orderId: order.id,
      orderNumber: order.order_number,
      paymentMethodId: c.backup_payment_method_id,
    });
    return 'TRY_BACKUP';
  }
  takeBack(work, subscription, order);
  const planned = state.plannedAt;
  if ((trigger === 'MANUAL' || trigger === 'CARD_UPDATE') && planned !== undefined && planned > work.at.getTime()) {
    // A try out of turn: the retry that was planned stays.
    order.next_retry_at = new Date(planned);
    noteAttemptFailed(work, subscription, order, row);
    openCase(subscription, order, state, order.next_retry_at, false, work);
    return null;
  }
  const retriesMade = (state.retriesMade ?? 0) + (trigger === 'RETRY' && before.kind === 'PAYMENT' ? 1 : 0);
  const storeSideRetries = (state.storeSideRetries ?? 0) + (trigger === 'RETRY' && before.kind === 'STORE' ? 1 : 0);
  const { dunning: settings } = work.settings;
  const plan = planRetry({
    settings,
    category: category.key,
    originalAt: order.billing_at.getTime(),
    attemptAt: work.at.getTime(),
    previousAttemptAt: state.lastAttemptAt ?? null,
    retriesMade,
    storeSideRetriesMade: storeSideRetries,
    nextOrderAt,
    failedCyclesInARow: c.successive_failed_cycles,
    zone: work.zone,
    billingHour: work.settings.billingHour,
  });
  follow(work, subscription, order, row, plan, {
    ...state,
    retriesMade,
    storeSideRetries,
    lastAttemptAt: work.at.getTime(),
    maxRetries: settings.retryAttempts,
  });
  return null;
}

function hasBackup(work: UnitOfWork, subscription: Aggregate): boolean {
  const { dunning } = work.settings;
  if (!dunning.backupPaymentEnabled) return false;
  const c = subscription.contract;
  if (c.backup_payment_method_id === null && dunning.backupAutoConfigure) {
    const other = subscription.methods.find(method => method.id !== c.payment_method_id && isUsable(method, work));
    if (other) {
      c.backup_payment_method_id = other.id;
      work.note(subscription, 'backup_payment_method_created', { paymentMethodId: other.id, isAutomatic: true });
    }
  }
  const backup = methodById(subscription, c.backup_payment_method_id);
  return backup !== undefined && backup.id !== c.payment_method_id && isUsable(backup, work);
}

const noteAttemptFailed = (work: UnitOfWork, subscription: Aggregate, order: OrderRow, row: AttemptRow): void => {
  work.note(subscription, 'payment_attempt_failed', tryOf(order, row));
};
/** A try that is over, as events tell of it: without an error it was paid. */
const tryOf = (order: OrderRow, row: AttemptRow) => ({
  orderId: order.id,
  orderNumber: order.order_number,
  amount: toDecimal(row.amount, row.currency_code),
  currencyCode: row.currency_code,
  errorCategory: row.error_category,
  errorCode: row.error_code,
  attempt: row.attempt_number,
  trigger: row.trigger,
});

/** Opens the recovery case of an order, or brings it up to date. */
function openCase(
  subscription: Aggregate,
  order: OrderRow,
  state: RetryState,
  nextRetryAt: Date | null,
  isLost: boolean,
  work: UnitOfWork,
  finalAction: DunningCase['finalAction'] = null,
): void {
  const { dunning } = work.settings;
  const made = state.retriesMade ?? 0;
  subscription.contract.dunning = {
    state: isLost ? 'LOST' : 'IN_RECOVERY',
    orderId: order.id,
    cycleNumber: order.cycle,
    firstFailedAtEpoch: Math.floor((state.firstFailedAt ?? work.at.getTime()) / 1000),
    attemptsMade: order.attempts,
    attemptsMax: dunning.retryAttempts + 1,
    retriesLeft: isLost ? 0 : Math.max(0, dunning.retryAttempts - made),
    nextRetryDateEpoch: nextRetryAt ? epoch(nextRetryAt) : null,
    lastErrorCategory: order.error_category ?? 'unexpected',
    lastErrorCode: order.error_code,
    isHardDecline: isHardDecline(dunning, categoryOf(order.error_code).key),
    successiveFailedCycles: subscription.contract.successive_failed_cycles,
    finalAction: finalAction ?? dunning.finalAction,
    recoveredVia: null,
  } satisfies DunningCase;
}

function follow(work: UnitOfWork, subscription: Aggregate, order: OrderRow, row: AttemptRow, plan: RetryPlan, state: RetryState): void {
  const category = categoryOf(row.error_code).key;
  const data = {
    orderId: order.id,
    orderNumber: order.order_number,
    amount: toDecimal(row.amount, row.currency_code),
    currencyCode: row.currency_code,
    errorCategory: category,
    errorCode: row.error_code,
    attempt: row.attempt_number,
  };
  if (plan.kind === 'RETRY' || plan.kind === 'STORE_SIDE_RETRY') {
    const at = new Date(plan.at);
    order.next_retry_at = at;
    order.retry = { ...state, kind: plan.kind === 'RETRY' ? 'PAYMENT' : 'STORE', plannedAt: plan.at, isLast: plan.isLast };
    openCase(subscription, order, state, at, false, work);
    work.note(subscription, plan.isLast ? 'payment_failed_last_retry' : 'payment_failed_retry', {
      ...data,
      nextRetryEpoch: epoch(at),
      retry: plan.retry,
      ...(plan.kind === 'STORE_SIDE_RETRY' ? { isStoreSide: true } : {}),
    });
    if (plan.kind === 'STORE_SIDE_RETRY') mailStoreSide(work, subscription, category, at);
    notifyFailure(work, subscription, order, row, plan, at, null);
    return;
  }
  if (plan.kind !== 'FINAL') return;
  order.retry = { ...state, isFinal: true, plannedAt: undefined };
  if (plan.reason === 'STORE_SIDE_USED_UP') mailStoreSide(work, subscription, category, null);
  else subscription.contract.successive_failed_cycles += 1;
  openCase(subscription, order, state, null, true, work, plan.action);
  work.note(subscription, 'payment_failed', { ...data, action: plan.action, reason: plan.reason });
  notifyFailure(work, subscription, order, row, plan, null, plan.action);
  finish(work, subscription, order, plan.action, plan.reason);
}

function notifyFailure(
  work: UnitOfWork,
  subscription: Aggregate,
  order: OrderRow,
  row: AttemptRow,
  plan: RetryPlan,
  nextRetryAt: Date | null,
  finalAction: string | null,
): void {
  const kind = failureMessage(plan);
  // It waits for the customer alone, so they get a letter about it whatever other letters they get.
  const isToConfirm = plan.kind === 'RETRY' && row.gateway === 'STRIPE' && row.error_code === 'AUTHENTICATION_REQUIRED' && nextRetryAt;
  const tellCustomer = !isToConfirm || !mailToConfirm(work, subscription, order, { attempt: row.attempt_number, nextRetryAt });
  if (!kind) return;
  const sendAfter = new Date(notifyAt(work.settings.dunning, work.at.getTime(), work.zone));
  mailPaymentFailed(work, subscription, order, {
    kind,
    category: categoryOf(row.error_code).key,
    nextRetryAt,
    finalAction,
    sendAfter,
    attempt: row.attempt_number,
    tellCustomer,
  });
}

/**
 * The final action: the order is skipped, the subscription paused or cancelled; with none, one that can't be charged ever stops billing.
 */
function finish(work: UnitOfWork, subscription: Aggregate, order: OrderRow, action: FinalAction | 'NONE', reason: FinalReason): void {
  if (action === 'SKIP') skipOrderUnpaid(subscription, order);
  else if (action === 'PAUSE') pause(work, subscription, null, { because: 'PAYMENT_FAILED' });
  else if (action === 'CANCEL')
    cancel(work, subscription, { reason: 'Payment failed', comment: null, source: 'DUNNING', notifyCustomer: true });
  else if (reason === 'NEVER_RETRIED' || reason === 'STORE_SIDE_USED_UP') fail(work, subscription, { orderId: order.id, reason });
}
function skipOrderUnpaid(subscription: Aggregate, order: OrderRow): void {
  const kept = subscription.contract.dunning;
  skipRow(subscription, order, 'PAYMENT_FAILED');
  subscription.contract.dunning = kept;
}

/** The platform itself refused for lack of stock: our stock rules, never the payment schedule, and no payment e-mail. */
function refusedForStock(work: UnitOfWork, subscription: Aggregate, order: OrderRow, state: RetryState): void {
  if (subscription.contract.status !== 'ACTIVE') return;
  const refusals = (state.platformRefusals ?? 0) + 1;
  const inOrder = new Set((order.lines as OrderLine[]).map(line => line.lineId));
  const ours = stockOfLines(
    work,
    subscription.lines.filter(line => inOrder.has(line.id)),
  );
  // Where our own numbers see no lack, the platform knows better: nothing is available.
  const action = ours.available === 'ALL' ? work.settings.inventory.whenNoneAvailable : ours.action;
  const plan = planPlatformRefusal({
    action,
    triesMade: refusals,
    settings: work.settings.inventory,
    originalAt: order.scheduled_at.getTime(),
    checkedAt: work.at.getTime(),
    zone: work.zone,
    billingHour: work.settings.billingHour,
  });
  order.retry = { ...state, platformRefusals: refusals };
  if (plan.kind === 'GIVE_UP') giveUpStock(work, subscription, order, plan.action);
  else checkStockAt(work, subscription, order, new Date(plan.at));
}
