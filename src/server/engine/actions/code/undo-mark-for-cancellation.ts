// Lets a subscription go on after its paid deliveries.
import * as status from '../../status.ts';
import type { ActionCode } from '../action.ts';

export const action: ActionCode = {
  apply: (work, subscription) => status.markForCancellation(work, subscription, false),
};
