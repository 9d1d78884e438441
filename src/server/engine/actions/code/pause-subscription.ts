// Pauses a subscription.
import { t } from '../../../../domain/text/t.ts';
import { differs } from '../../changes.ts';
import { pauseAsAsked } from '../../edits/state-changes.ts';
import { syncSchedule } from '../../schedule.ts';
import * as status from '../../status.ts';
import { skip, type ActionCode } from '../action.ts';
import { ahead } from '../date-ahead.ts';

interface Pause {
  until: 'INDEFINITE' | 'DURATION' | 'DATE';
  intervalCount?: number;
  intervalType?: 'DAY' | 'WEEK' | 'MONTH' | 'YEAR';
  resumeDateEpoch?: number;
}

export const action: ActionCode<Pause> = {
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
