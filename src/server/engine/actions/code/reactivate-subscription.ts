// Makes a subscription that ended active again.
import { reactivateAsAsked } from '../../edits/state-changes.ts';
import type { ActionCode } from '../action.ts';
import { ahead } from '../date-ahead.ts';

interface Begin {
  from: 'INTERVAL' | 'DATE';
  nextBillingDateEpoch?: number;
}

export const action: ActionCode<Begin> = {
  variants: true,
  check: (input, now) => ahead(input.nextBillingDateEpoch, '/nextBillingDateEpoch', now),
  apply: (work, subscription, { nextBillingDateEpoch }) => {
    reactivateAsAsked(work, subscription, { nextBillingDateEpoch });
  },
};
