// Pause, resume, cancel, reactivate.
import { differs, status, syncSchedule } from '../../../engine/index.ts';
import { firstOrderAt, pauseAsAsked, reactivateAsAsked } from '../../subscriptions/action-calls.ts';
import type { FieldError } from '../../../../contract/types.ts';
import { skip, type ActionCode } from '../bulk-action.ts';
import { t } from '../../../../domain/text/t.ts';

const ahead = (at: number | undefined, pointer: string, now: Date): FieldError[] =>
  at !== undefined && at * 1000 <= now.getTime() ? [{ pointer, rule: 'date', message: t`Choose a date after today.` }] : [];

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
  undoing: {
    action: 'resume',
    // What was skipped, moved, added or left out once ahead is gone with the pause: only a plain schedule comes back exactly.
    remember: (_work, { contract, lines, orders }, subscription) =>
      contract?.status === 'ACTIVE' &&
      contract.next_billing_at &&
      lines.size === subscription.lines.length &&
      orders.size === subscription.orders.length &&
      subscription.orders.every(order => order.cycle < contract.next_cycle && !differs(orders.get(order.id), order))
        ? {
            nextAt: contract.next_billing_at.getTime(),
            baseAt: contract.base_at?.getTime() ?? null,
            baseHour: contract.base_hour,
            baseCycle: contract.base_cycle,
          }
        : undefined,
    apply: (work, subscription, { nextAt, baseAt, baseHour, baseCycle }) => {
      if (Number(nextAt) <= work.at.getTime()) throw skip(t`Its next order would be past its date. Resume it by hand.`);
      status.resume(work, subscription, new Date(Number(nextAt)));
      subscription.contract.base_at = baseAt === null ? null : new Date(Number(baseAt));
      subscription.contract.base_hour = baseHour as number | null;
      subscription.contract.base_cycle = Number(baseCycle);
      syncSchedule(subscription, work.zone);
    },
  },
  check: (input, now) => ahead(input.resumeDateEpoch, '/resumeDateEpoch', now),
  apply: pauseAsAsked,
};

export const resume: ActionCode<Begin> = {
  check: (input, now) => ahead(input.nextBillingDateEpoch, '/nextBillingDateEpoch', now),
  apply: (work, subscription, { nextBillingDateEpoch }) =>
    status.resume(work, subscription, firstOrderAt(work, subscription, nextBillingDateEpoch)),
};

export const cancel: ActionCode<{ cancellationReason: string; cancellationComment?: string }> = {
  // Whether the customer hears of it is decided for the whole bulk action.
  apply: (work, subscription, { cancellationReason, cancellationComment }) =>
    status.cancel(work, subscription, {
      reason: cancellationReason,
      comment: cancellationComment?.trim() || null,
      source: 'MERCHANT',
      notifyCustomer: true,
    }),
};

export const reactivate: ActionCode<Begin> = {
  variants: true,
  check: (input, now) => ahead(input.nextBillingDateEpoch, '/nextBillingDateEpoch', now),
  apply: (work, subscription, { nextBillingDateEpoch }) => {
    reactivateAsAsked(work, subscription, { nextBillingDateEpoch });
  },
};

export { ahead };
