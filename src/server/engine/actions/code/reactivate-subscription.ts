// Makes a subscription that ended active again.
import { type ReactivateInput, reactivateAsAsked, startAgain } from '../../edits/state-changes.ts';
import type { ActionCode } from '../action.ts';
import { ahead } from '../date-ahead.ts';

interface Begin {
  from: 'INTERVAL' | 'DATE';
  nextBillingDateEpoch?: number;
}

export const action: ActionCode<Begin, ReactivateInput> = {
  variants: true,
  mayCharge: true,
  // Starting it again need not be the right to charge cards.
  alsoNeeds: input => ('chargeAtOnce' in input && input.chargeAtOnce ? ['subscriptionOrderActions'] : []),
  uncharged: startAgain,
  check: (input, now) => ahead(input.nextBillingDateEpoch, '/nextBillingDateEpoch', now),
  one: reactivateAsAsked,
  apply: (work, subscription, { nextBillingDateEpoch }) => {
    reactivateAsAsked(work, subscription, { nextBillingDateEpoch });
  },
};
