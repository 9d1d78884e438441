// Bills and delivers a subscription at other intervals.
import type { IntervalUnit } from '../../../../domain/calendar/interval.ts';
import { type BillingDetails, updateBillingDetails } from '../../edits/frequency.ts';
import type { ActionCode } from '../action.ts';
import { ahead } from '../date-ahead.ts';

interface Frequency {
  billingPolicy: { interval: IntervalUnit; intervalCount: number };
  isDeliveryOther?: boolean;
  deliveryPolicy?: { interval: IntervalUnit; intervalCount: number };
  nextBillingDateEpoch?: number;
  discountType?: 'OLD' | 'NEW';
}

export const action: ActionCode<Frequency, BillingDetails> = {
  check: (input, now) => ahead(input.nextBillingDateEpoch, '/nextBillingDateEpoch', now),
  one: updateBillingDetails,
  apply: (work, subscription, { billingPolicy, isDeliveryOther, deliveryPolicy, nextBillingDateEpoch, discountType }) =>
    updateBillingDetails(work, subscription, {
      billingPolicy,
      ...(isDeliveryOther && deliveryPolicy ? { deliveryPolicy } : {}),
      ...(nextBillingDateEpoch === undefined ? {} : { nextBillingDateEpoch }),
      discountType,
    }),
};
