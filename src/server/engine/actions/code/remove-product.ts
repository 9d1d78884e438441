// Takes a product out of the next order, or out of the subscription.
import * as lines from '../../edits/lines.ts';
import type { ActionCode } from '../action.ts';
import { linesOf } from '../lines-of-variants.ts';

export const action: ActionCode<{ variantId: number; once?: boolean }, { lineId: number; once?: boolean; orderId?: number }> = {
  one: lines.removeLine,
  apply: (work, subscription, { variantId, once = false }) => {
    for (const line of linesOf(subscription, [variantId])) lines.removeLine(work, subscription, { lineId: line.id, once });
  },
};
