// What of a contract changed in a piece of work, and what follows from it.
import type { Aggregate } from './aggregate.ts';
import { hasChanged, type ContractRow } from './rows.ts';

export const differs = (before: object | undefined | null, after: object): boolean => !before || hasChanged(before, after);

const partDiffers = (rows: readonly { id: number }[], before: ReadonlyMap<number, object>): boolean =>
  rows.length !== before.size || rows.some(row => differs(before.get(row.id), row));
export const isChanged = (subscription: Aggregate): boolean =>
  differs(subscription.before.contract, subscription.contract) ||
  partDiffers(subscription.lines, subscription.before.lines) ||
  partDiffers(subscription.discounts, subscription.before.discounts) ||
  partDiffers(subscription.orders, subscription.before.orders);

/** Columns that no fact of a contract follows from: neither prices nor products, neither frequency nor the text that is searched. */
const APART: ReadonlySet<string> = new Set<keyof ContractRow>([
  'status',
  'base_at',
  'base_hour',
  'base_cycle',
  'next_billing_at',
  'paused_at',
  'resume_at',
  'cancelled_at',
  'is_marked_for_cancellation',
  'cancellation_reason',
  'cancellation_comment',
  'tags',
  'note',
  'next_order_note',
  'custom_attributes',
  'version',
  'updated_at',
]);
/** Whether what changed may change the facts that a contract repeats (refreshContract): most moves of its state and all notes don't. */
export const touchesFacts = (subscription: Aggregate): boolean =>
  !subscription.before.contract ||
  hasChanged(subscription.before.contract, subscription.contract, APART) ||
  partDiffers(subscription.lines, subscription.before.lines) ||
  partDiffers(subscription.discounts, subscription.before.discounts);
