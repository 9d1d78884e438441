/** Out of stock: which lines lack stock, what the store's settings do about it, and what becomes of the order. */
import { addDays, daysBetween } from '../calendar/calendar.ts';

/** A line with what the platform knows of its stock (D031). */
export type InventoryLine = {
  inventory_management: string | null;
  inventory_policy: string;
  inventory_quantity: number;
  /** Quantity asked for. */
  quantity: number;
};

/** A line of an order. Lines of one bundle share its transaction id: the bundle is out when any of them is. */
export type StockLine = InventoryLine & { id: number; bundleTransactionId?: string | null };

export type InventorySettings = {
  trackingLocations: 'SMART' | 'SPECIFIC' | 'ALL';
  locationIds: readonly number[];
  whenSomeAvailable: 'ALLOW_ORDER' | 'PARTIAL_ORDER' | 'DELAY_ORDER' | 'SKIP_ORDER';
  whenNoneAvailable: 'ALLOW_ORDER' | 'DELAY_ORDER' | 'SKIP_ORDER';
  /** Days that an order may wait for stock, 1-60; null for no limit. */
  delayMaxDays: number | null;
  afterMaxDelay: 'SKIP_ORDER' | 'PAUSE' | 'CANCEL';
  notifyCustomer: boolean;
  notifyAdmin: boolean;
};

export const INVENTORY_DEFAULTS: InventorySettings = {
  trackingLocations: 'ALL',
  locationIds: [],
  whenSomeAvailable: 'ALLOW_ORDER',
  whenNoneAvailable: 'ALLOW_ORDER',
  delayMaxDays: 30,
  afterMaxDelay: 'SKIP_ORDER',
  notifyCustomer: true,
  notifyAdmin: true,
};

export type StockDecision = {
  /** Which lines have stock: all of them, some, or none. */
  available: 'ALL' | 'SOME' | 'NONE';
  action: InventorySettings['whenSomeAvailable'];
  /** Line ids to bill and send if the order is placed now. */
  billed: number[];
  /** Line ids left out of this order; recurring ones come back in the next, one-time ones stay for it. */
  omitted: number[];
};

/** How often an order is tried again when the platform itself refuses it for lack of stock although the settings allow it. */
export const PLATFORM_REFUSAL_TRIES = 5;

/** Out of stock only if stock is managed, the policy is deny and less is there than asked for (D068-D071). */
export function isOutOfStock(line: InventoryLine): boolean {
  return (
    Boolean(line.inventory_management) && line.inventory_policy.toLowerCase() === 'deny' && line.inventory_quantity - line.quantity < 0
  );
}

/** What to do with an order: the action for "none available" if every line is out (D072), for "some available" if some are (D073). */
export function stockDecision(
  lines: readonly StockLine[],
  settings: Pick<InventorySettings, 'whenSomeAvailable' | 'whenNoneAvailable'>,
): StockDecision {
  const bundlesOut = new Set(lines.filter(line => line.bundleTransactionId && isOutOfStock(line)).map(line => line.bundleTransactionId));
  const isOut = (line: StockLine) => isOutOfStock(line) || bundlesOut.has(line.bundleTransactionId ?? '');
  const all = lines.map(({ id }) => id);
  const out = lines.filter(isOut).map(({ id }) => id);
  if (out.length === 0) return { available: 'ALL', action: 'ALLOW_ORDER', billed: all, omitted: [] };
  if (out.length === lines.length)
    return {
      available: 'NONE',
      action: settings.whenNoneAvailable,
      billed: settings.whenNoneAvailable === 'ALLOW_ORDER' ? all : [],
      omitted: [],
    };
  switch (settings.whenSomeAvailable) {
    case 'ALLOW_ORDER':
      return { available: 'SOME', action: 'ALLOW_ORDER', billed: all, omitted: [] };
    case 'PARTIAL_ORDER':
      return { available: 'SOME', action: 'PARTIAL_ORDER', billed: all.filter(id => !out.includes(id)), omitted: out };
    default:
      return { available: 'SOME', action: settings.whenSomeAvailable, billed: [], omitted: [] };
  }
}

export type DelayPlan = { kind: 'CHECK_AGAIN'; at: number } | { kind: 'GIVE_UP'; action: InventorySettings['afterMaxDelay'] };

/** A delayed order is looked at daily at the billing hour, until its next look would come later than the days allowed after its date. */
export function planDelay(delay: {
  settings: Pick<InventorySettings, 'delayMaxDays' | 'afterMaxDelay'>;
  originalAt: number;
  checkedAt: number;
  zone: string;
  billingHour: number | null;
}): DelayPlan {
  const at = addDays(delay.checkedAt, 1, delay.zone, delay.billingHour);
  const { delayMaxDays, afterMaxDelay } = delay.settings;
  if (delayMaxDays !== null && daysBetween(delay.originalAt, at, delay.zone) > delayMaxDays)
    return { kind: 'GIVE_UP', action: afterMaxDelay };
  return { kind: 'CHECK_AGAIN', at };
}

/**
 * What follows when the platform refuses an order for lack of stock. The same rules apply as when we find it ourselves;
 * an order that they would allow or bill in part is tried daily, at most five times, then skipped.
 */
export function planPlatformRefusal(refusal: {
  action: StockDecision['action'];
  /** Tries that the platform has refused, this one included. */
  triesMade: number;
  settings: Pick<InventorySettings, 'delayMaxDays' | 'afterMaxDelay'>;
  originalAt: number;
  checkedAt: number;
  zone: string;
  billingHour: number | null;
}): DelayPlan {
  if (refusal.action === 'SKIP_ORDER') return { kind: 'GIVE_UP', action: 'SKIP_ORDER' };
  if (refusal.action === 'DELAY_ORDER') return planDelay(refusal);
  if (refusal.triesMade >= PLATFORM_REFUSAL_TRIES) return { kind: 'GIVE_UP', action: 'SKIP_ORDER' };
  return { kind: 'CHECK_AGAIN', at: addDays(refusal.checkedAt, 1, refusal.zone, refusal.billingHour) };
}
