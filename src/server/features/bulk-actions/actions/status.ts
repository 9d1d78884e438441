// Pause, resume, cancel, reactivate.
import * as status from '../../subscriptions/engine/status.ts';
import { firstOrderAt, pauseAsAsked, reactivateAsAsked } from '../../subscriptions/action-calls.ts';
import type { FieldError } from '../../../../contract/types.ts';
import type { BulkAction } from '../bulk-action.ts';

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

export const pause: BulkAction<Pause> = {
  key: 'PAUSE_SUBSCRIPTION',
  group: 'STATUS',
  label: 'Pause',
  description: 'Stops all orders of active subscriptions until they are resumed.',
  form: 'bulk-pause-subscription',
  permission: 'changeSubscriptionStatus',
  action: 'pause',
  states: ['ACTIVE'],
  otherwise: 'This subscription is already paused.',
  check: (input, now) => ahead(input.resumeDateEpoch, '/resumeDateEpoch', now),
  apply: pauseAsAsked,
};

export const resume: BulkAction<Begin> = {
  key: 'RESUME_SUBSCRIPTION',
  group: 'STATUS',
  label: 'Resume',
  description: 'Starts paused subscriptions again.',
  form: 'bulk-resume-subscription',
  permission: 'changeSubscriptionStatus',
  action: 'resume',
  check: (input, now) => ahead(input.nextBillingDateEpoch, '/nextBillingDateEpoch', now),
  apply: (work, a, { nextBillingDateEpoch }) => status.resume(work, a, firstOrderAt(work, a, nextBillingDateEpoch)),
};

export const cancel: BulkAction<{ cancellationReason: string; cancellationComment?: string }> = {
  key: 'CANCEL_SUBSCRIPTION',
  group: 'STATUS',
  label: 'Cancel',
  description: 'Ends subscriptions. Orders that were placed stay as they are.',
  form: 'bulk-cancel-subscription',
  permission: 'changeSubscriptionStatus',
  action: 'cancel',
  confirmAbove: 100,
  // Whether the customer hears of it is decided for the whole bulk action.
  apply: (work, a, { cancellationReason, cancellationComment }) =>
    status.cancel(work, a, {
      reason: cancellationReason,
      comment: cancellationComment?.trim() || null,
      source: 'MERCHANT',
      notifyCustomer: true,
    }),
};

export const reactivate: BulkAction<Begin> = {
  key: 'REACTIVATE_SUBSCRIPTION',
  group: 'STATUS',
  label: 'Reactivate',
  description: 'Starts cancelled, expired or failed subscriptions again.',
  form: 'bulk-reactivate-subscription',
  permission: 'changeSubscriptionStatus',
  action: 'reactivate',
  variants: true,
  check: (input, now) => ahead(input.nextBillingDateEpoch, '/nextBillingDateEpoch', now),
  apply: (work, a, { nextBillingDateEpoch }) => {
    reactivateAsAsked(work, a, { nextBillingDateEpoch });
  },
};

export { ahead };
