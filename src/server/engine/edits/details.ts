// Notes, tags, attributes and prepaid credits of a contract.
import type { JsonObject } from '../../../contract/types.ts';
import { invalid, invalidState } from '../../platform/context.ts';
import type { Aggregate } from '../aggregate.ts';
import { BEING_PROCESSED } from '../guards.ts';
import { deliveriesPerCharge } from '../schedule.ts';
import { endIfOver } from '../status.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import { t, translated } from '../../../domain/text/t.ts';
import { uniqueTags } from '../../../domain/text/tags.ts';

export function updateNote(work: UnitOfWork, subscription: Aggregate, { note }: { note: string }): void {
  const before = subscription.contract.note;
  if (before === note) return;
  subscription.contract.note = note;
  work.note(subscription, 'note_updated', { before, after: note });
}

/** Puts a note on the next order alone, in place of one that waits for it; empty: there is none. It is gone once that order is placed. */
export function addOrderNote(work: UnitOfWork, subscription: Aggregate, { note }: { note: string }): void {
  const before = subscription.contract.next_order_note;
  const after = note.trim();
  if (before === after) return;
  subscription.contract.next_order_note = after;
  work.note(subscription, 'order_note_updated', { before, after });
}

/** Replaces the tags; the same tag in another spelling counts once, the first spelling stays. */
export function updateTags(work: UnitOfWork, subscription: Aggregate, { tags }: { tags: string[] }): void {
  const before = subscription.contract.tags;
  const after = uniqueTags(tags);
  if (JSON.stringify(before) === JSON.stringify(after)) return;
  subscription.contract.tags = after;
  work.note(subscription, 'tags_updated', { before, after });
}

/** Replaces the attributes that are copied on every order. */
export function updateAttributes(
  work: UnitOfWork,
  subscription: Aggregate,
  { customAttributes }: { customAttributes: { key: string; value: string }[] },
): void {
  const twice = customAttributes.findIndex((one, index) => customAttributes.some((other, i) => i < index && other.key === one.key));
  if (twice >= 0)
    throw invalid([{ pointer: `/customAttributes/${twice}/key`, rule: 'unique', message: t`This name is in the list already.` }]);
  const before = subscription.contract.custom_attributes as JsonObject[];
  subscription.contract.custom_attributes = customAttributes;
  work.note(subscription, 'custom_attributes_updated', { before, after: customAttributes });
}

/** Books prepaid deliveries by hand: a reason is needed, and the balance never goes below zero. */
export function adjustCredits(
  work: UnitOfWork,
  subscription: Aggregate,
  { credits, type = 'ADJUSTED', reason }: { credits: number; type?: 'ADDED' | 'ADJUSTED' | 'REFUNDED'; reason: string },
): void {
  if (deliveriesPerCharge(subscription.contract) === 1) throw invalidState(t`Only prepaid subscriptions have credits.`);
  if (!reason.trim()) throw invalid([{ pointer: '/reason', rule: 'required', message: t`Enter a reason.` }]);
  if (credits === 0)
    throw invalid([{ pointer: '/credits', rule: 'range', message: t`Enter how many deliveries to add, or to take away with a minus.` }]);
  const change = type === 'REFUNDED' ? -Math.abs(credits) : type === 'ADDED' ? Math.abs(credits) : credits;
  const before = subscription.contract.prepaid_credits;
  if (before + change < 0) throw invalid([{ pointer: '/credits', rule: 'minimum', message: t`Credits can't go below zero.` }]);
  const isOver =
    before + change === 0 &&
    (subscription.contract.is_marked_for_cancellation ||
      (subscription.contract.max_cycles !== null && subscription.contract.completed_orders >= subscription.contract.max_cycles));
  if (isOver && subscription.orders.some(order => order.status === 'PROCESSING')) throw invalidState(translated(BEING_PROCESSED));
  work.credit(subscription, type, change, null, reason.trim());
  work.note(subscription, 'prepaid_credits_adjusted', {
    type,
    credits: change,
    reason: reason.trim(),
    before,
    after: subscription.contract.prepaid_credits,
  });
  // With the last delivery goes what would have ended it.
  endIfOver(work, subscription);
}
