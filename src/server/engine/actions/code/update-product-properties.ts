// Changes the properties of a product.
import * as lines from '../../edits/lines.ts';
import type { ActionCode } from '../action.ts';

export const action: ActionCode<{ lineId: number; attributes: { key: string; value: string }[] }> = {
  apply: lines.updateLineAttributes,
};
