// A line leaves a contract, and the discounts that were for it alone go with it.
import type { Aggregate } from '../aggregate.ts';
import type { LineRow } from '../rows.ts';
import type { UnitOfWork } from '../unit-of-work.ts';

/** Removes a line and the discounts that were for it alone. */
export function deleteLine(work: UnitOfWork, subscription: Aggregate, line: LineRow): void {
  subscription.lines = subscription.lines.filter(other => other !== line);
  for (const discount of subscription.discounts) {
    if (!discount.line_ids.includes(line.id)) continue;
    discount.line_ids = discount.line_ids.filter(id => id !== line.id);
    if (discount.line_ids.length > 0) continue;
    subscription.discounts = subscription.discounts.filter(other => other !== discount);
    work.note(subscription, 'discount_removed', { discountId: discount.id, title: discount.title, because: 'LAST_LINE_REMOVED' });
  }
}
