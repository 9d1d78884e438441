// Cancels a subscription.
import * as status from '../../status.ts';
import type { ActionCode } from '../action.ts';
import { reasonOf } from '../../edits/cancellation-reason.ts';

interface Cancellation {
  cancellationReason: string;
  cancellationComment?: string;
}

export const action: ActionCode<Cancellation, Cancellation & { notifyCustomer?: boolean }> = {
  // Whether the customer hears of it is decided for the whole bulk action.
  one: async (work, subscription, { cancellationReason, cancellationComment, notifyCustomer = true }) =>
    status.cancel(work, subscription, {
      reason: await reasonOf(work.context, cancellationReason),
      comment: cancellationComment?.trim() || null,
      source: work.context.source === 'API' ? 'API' : work.context.source === 'Customer portal' ? 'CUSTOMER' : 'MERCHANT',
      notifyCustomer,
    }),
  apply: (work, subscription, { cancellationReason, cancellationComment }) =>
    status.cancel(work, subscription, {
      reason: cancellationReason,
      comment: cancellationComment?.trim() || null,
      source: 'MERCHANT',
      notifyCustomer: true,
    }),
};
