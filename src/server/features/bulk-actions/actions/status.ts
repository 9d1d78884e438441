// Pause, resume, cancel, reactivate.
import * as status from '../../subscriptions/engine/status.ts';
import { firstOrderAt, pauseAsAsked, reactivateAsAsked } from '../../subscriptions/action-calls.ts';
import type { FieldError } from '../../../../contract/types.ts';
import type { ActionCode } from '../bulk-action.ts';

const ahead = (at: number | undefined, pointer: string, now: Date): FieldError[] =>
  at !== undefined && at * 1000 <= now.getTime() ? [{ pointer, rule: 'date', message: 'Choose a date after today.' }] : [];

interface Pause {
  until: 'INDEFINITE' | 'DURATION' | 'DATE';
  intervalCount?: number;
  intervalType?: 'DAY' | 'WEEK' | 'MONTH' | 'YEAR';
  resumeDateEpoch?: number;
}
interface Begin {
  from: 'INTERVAL' | 'DATE';
  nextBillingDateEpoch?: number;
}

export const pause: ActionCode<Pause> = {
  check: (input, now) => ahead(input.resumeDateEpoch, '/resumeDateEpoch', now),
  apply: pauseAsAsked,
};

export const resume: ActionCode<Begin> = {
  check: (input, now) => ahead(input.nextBillingDateEpoch, '/nextBillingDateEpoch', now),
  apply: (work, a, { nextBillingDateEpoch }) => status.resume(work, a, firstOrderAt(work, a, nextBillingDateEpoch)),
};

export const cancel: ActionCode<{ cancellationReason: string; cancellationComment?: string }> = {
  // Whether the customer hears of it is decided for the whole bulk action.
  apply: (work, a, { cancellationReason, cancellationComment }) =>
    status.cancel(work, a, {
      reason: cancellationReason,
      comment: cancellationComment?.trim() || null,
      source: 'MERCHANT',
      notifyCustomer: true,
    }),
};

export const reactivate: ActionCode<Begin> = {
  variants: true,
  check: (input, now) => ahead(input.nextBillingDateEpoch, '/nextBillingDateEpoch', now),
  apply: (work, a, { nextBillingDateEpoch }) => {
    reactivateAsAsked(work, a, { nextBillingDateEpoch });
  },
};

export { ahead };
