// Leaves a product out of one order.
import * as lines from '../../edits/lines.ts';
import type { ActionCode } from '../action.ts';

export const action: ActionCode<{ lineId: number; orderId?: number }> = {
  apply: lines.skipLine,
};
