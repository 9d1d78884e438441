// Only reads: the file of the bulk action holds the subscription.
import type { ActionCode } from '../action.ts';

export const action: ActionCode = {
  apply: () => undefined,
};
