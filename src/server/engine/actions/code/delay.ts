// Moves the next order, and with it all others, by days.
import * as orders from '../../edits/orders.ts';
import type { ActionCode } from '../action.ts';

export const action: ActionCode<{ days: number }> = {
  meansNext: true,
  apply: orders.delay,
};
