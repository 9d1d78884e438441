// Adds a product to the next order, or to all orders from it on.
import * as lines from '../../edits/lines.ts';
import type { ActionCode } from '../action.ts';

export const action: ActionCode<lines.NewLine> = {
  one: lines.addLine,
  // An ended subscription gets one only where it has none that is still sold.
  variants: true,
  apply: (work, subscription, { variantId, quantity, type, discountType, discountValue }) =>
    lines.addLine(work, subscription, { variantId, quantity, type, discountType, discountValue }),
};
