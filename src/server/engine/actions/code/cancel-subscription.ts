// Cancels a subscription.
import * as status from '../../status.ts';
import type { ActionCode } from '../action.ts';

export const action: ActionCode<{ cancellationReason: string; cancellationComment?: string }> = {
  // Whether the customer hears of it is decided for the whole bulk action.
  apply: (work, subscription, { cancellationReason, cancellationComment }) =>
    status.cancel(work, subscription, {
      reason: cancellationReason,
      comment: cancellationComment?.trim() || null,
      source: 'MERCHANT',
      notifyCustomer: true,
    }),
};
