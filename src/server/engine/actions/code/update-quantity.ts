// Changes the quantity of a product.
import * as lines from '../../edits/lines.ts';
import type { ActionCode } from '../action.ts';
import { linesOf } from '../lines-of-variants.ts';

export const action: ActionCode<{ variantId: number; quantity: number }, { lineId: number; quantity: number }> = {
  one: lines.updateQuantity,
  apply: (work, subscription, { variantId, quantity }) => {
    for (const line of linesOf(subscription, [variantId])) lines.updateQuantity(work, subscription, { lineId: line.id, quantity });
  },
};
