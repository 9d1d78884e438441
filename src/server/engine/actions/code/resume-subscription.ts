// Resumes a paused subscription.
import { firstOrderAt } from '../../edits/state-changes.ts';
import * as status from '../../status.ts';
import type { ActionCode } from '../action.ts';
import { ahead } from '../date-ahead.ts';

interface Begin {
  from: 'INTERVAL' | 'DATE';
  nextBillingDateEpoch?: number;
}

export const action: ActionCode<Begin> = {
  check: (input, now) => ahead(input.nextBillingDateEpoch, '/nextBillingDateEpoch', now),
  apply: (work, subscription, { nextBillingDateEpoch }) =>
    status.resume(work, subscription, firstOrderAt(work, subscription, nextBillingDateEpoch)),
};
