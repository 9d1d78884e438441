// Stock: which lines can be sent, what the stock rules do to an order, and the pieces that orders take.
import { planDelay, stockDecision, type StockDecision, type StockLine } from '../../../domain/schedule/inventory.ts';
import type { Aggregate } from '../aggregate.ts';
import { mailOutOfStock } from '../mails.ts';
import type { LineRow, OrderRow } from '../rows.ts';
import { cancel, closeCase, epoch, pause, skipRow } from '../status.ts';
import type { UnitOfWork } from '../unit-of-work.ts';

/** What an order remembers between its tries, in `orders.retry`. Instants are epoch milliseconds. */
export interface RetryState {
  kind: 'PAYMENT' | 'STORE' | 'STOCK';
  firstFailedAt?: number;
  lastAttemptAt?: number;
  retriesMade?: number;
  storeSideRetries?: number;
  platformRefusals?: number;
  /** Tries of which a person found that nothing was charged. */
  notCharged?: number;
  maxRetries?: number;
  isLast?: boolean;
  /** The try that is planned; kept during a try out of turn. */
  plannedAt?: number;
  /** The recovery is over; a charge by hand may still succeed. */
  isFinal?: boolean;
  /** The method of the last failed try, to tell a card update from a plain retry. */
  methodId?: number | null;
}
export const retryOf = (order: OrderRow): RetryState | null => order.retry as RetryState | null;

/** A line whose variant is still sold; what was deleted in the store is not charged. */
export function isLive(work: UnitOfWork, line: LineRow): boolean {
  const variant = line.variant_id === null ? undefined : work.variants.get(line.variant_id);
  return variant !== undefined && !variant.deleted_at;
}

/** Whether a recurring line can still be sent at all. */
export const hasLiveLine = (work: UnitOfWork, subscription: Aggregate): boolean =>
  subscription.lines.some(line => !line.one_time_added && isLive(work, line));

/** What the stock rules say about lines; two lines of one variant share its stock. */
export function stockOfLines(work: UnitOfWork, lines: readonly LineRow[]): StockDecision {
  const asked = new Map<number, number>();
  const stock = lines.map((line): StockLine => {
    const variant = line.variant_id === null ? undefined : work.variants.get(line.variant_id);
    const before = line.variant_id === null ? 0 : (asked.get(line.variant_id) ?? 0);
    if (line.variant_id !== null) asked.set(line.variant_id, before + line.quantity);
    return {
      id: line.id,
      quantity: line.quantity,
      bundleTransactionId: line.bundle_transaction_id,
      inventory_management: variant?.inventory_management ?? null,
      inventory_policy: variant?.inventory_policy ?? 'continue',
      inventory_quantity: (variant?.inventory_quantity ?? 0) - before,
    };
  });
  return stockDecision(stock, work.settings.inventory);
}

/** Takes the pieces of an order out of stock; a failed charge gives them back. */
export function reserveStock(work: UnitOfWork, order: OrderRow): void {
  for (const line of order.lines as { variantId: number | null; quantity: number }[]) work.takeStock(line.variantId, line.quantity);
}
export function releaseStock(work: UnitOfWork, order: OrderRow): void {
  for (const line of order.lines as { variantId: number | null; quantity: number }[]) work.takeStock(line.variantId, -line.quantity);
}

export function skipForStock(work: UnitOfWork, subscription: Aggregate, order: OrderRow): void {
  subscription.contract.last_inventory_action = 'SKIP_ORDER';
  skipRow(subscription, order, 'OUT_OF_STOCK');
  work.note(subscription, 'order_skipped_out_of_stock', {
    orderId: order.id,
    orderNumber: order.order_number,
    dateEpoch: epoch(order.billing_at),
  });
  mailOutOfStock(work, subscription, order, 'SKIPPED');
}

/** The order waits: it is looked at again every day, until there is stock or the days allowed are over. */
export function delayForStock(work: UnitOfWork, subscription: Aggregate, order: OrderRow): void {
  const plan = planDelay({
    settings: work.settings.inventory,
    originalAt: order.scheduled_at.getTime(),
    checkedAt: work.at.getTime(),
    zone: work.zone,
    billingHour: work.settings.billingHour,
  });
  if (plan.kind === 'GIVE_UP') giveUpStock(work, subscription, order, plan.action);
  else checkStockAt(work, subscription, order, new Date(plan.at));
}

export function checkStockAt(work: UnitOfWork, subscription: Aggregate, order: OrderRow, at: Date): void {
  const isFirst = retryOf(order)?.kind !== 'STOCK';
  closeCase(subscription, order.id);
  order.status = 'SCHEDULED';
  order.next_retry_at = at;
  order.retry = { ...retryOf(order), kind: 'STOCK', plannedAt: at.getTime() } satisfies RetryState;
  subscription.contract.last_inventory_action = 'DELAY_ORDER';
  if (!isFirst) return;
  work.note(subscription, 'order_delayed_out_of_stock', {
    orderId: order.id,
    orderNumber: order.order_number,
    dateEpoch: epoch(order.billing_at),
    nextCheckEpoch: epoch(at),
  });
  mailOutOfStock(work, subscription, order, 'DELAYED');
}

export function giveUpStock(work: UnitOfWork, subscription: Aggregate, order: OrderRow, action: 'SKIP_ORDER' | 'PAUSE' | 'CANCEL'): void {
  skipForStock(work, subscription, order);
  if (subscription.contract.status !== 'ACTIVE') return;
  if (action === 'PAUSE') pause(work, subscription, null, { because: 'OUT_OF_STOCK' });
  if (action === 'CANCEL') cancel(work, subscription, { reason: 'Out of stock', comment: null, source: 'MERCHANT', notifyCustomer: true });
}
