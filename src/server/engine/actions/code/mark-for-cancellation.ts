// Ends a subscription once its paid deliveries are sent.
import * as status from '../../status.ts';
import type { ActionCode } from '../action.ts';

export const action: ActionCode = {
  apply: (work, subscription) => status.markForCancellation(work, subscription, true),
};
