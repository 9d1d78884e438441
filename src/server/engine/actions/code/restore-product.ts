// Takes a change of one order back: a product that was left out, added or swapped once.
import { undoOneTime } from '../../edits/lines.ts';
import type { ActionCode } from '../action.ts';

export const action: ActionCode<{ lineId: number }> = {
  apply: undoOneTime,
};
