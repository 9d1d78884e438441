// Moves the next order, or all orders from it on, to another day.
import { addDays, dayNumber, dayOf, daysInMonth, instant, weekdayOf, type Day } from '../../../../domain/calendar/calendar.ts';
import { t } from '../../../../domain/text/t.ts';
import type { Aggregate } from '../../aggregate.ts';
import * as orders from '../../edits/orders.ts';
import { nextPlanned } from '../../schedule.ts';
import type { UnitOfWork } from '../../unit-of-work.ts';
import { skip, type ActionCode, type RowValues } from '../action.ts';
import { ahead } from '../date-ahead.ts';

interface Reschedule {
  mode: 'DATE' | 'DAYS' | 'WEEKDAY' | 'MONTHDAY' | 'FILE';
  scope: 'ALL' | 'NEXT';
  nextBillingDateEpoch?: number;
  days?: number;
  weekday?: number;
  monthDay?: number;
}

/** The day that an order of `day` is moved to. @throws Refusal for a row of a file without a valid date */
function target(day: Day, input: Reschedule, values: RowValues): Day | number {
  switch (input.mode) {
    case 'DAYS':
      return input.days ?? 0;
    case 'WEEKDAY':
      return ((input.weekday ?? 1) - weekdayOf(day) + 7) % 7;
    case 'MONTHDAY': {
      const wanted = input.monthDay ?? 1;
      const here = { ...day, day: Math.min(wanted, daysInMonth(day.year, day.month)) };
      const next = day.month === 12 ? { year: day.year + 1, month: 1 } : { year: day.year, month: day.month + 1 };
      const found = here.day >= day.day ? here : { ...next, day: Math.min(wanted, daysInMonth(next.year, next.month)) };
      return dayNumber(found) - dayNumber(day);
    }
    default: {
      const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(values.next_order_date ?? '');
      const [year, month, date] = match ? (match.slice(1).map(Number) as [number, number, number]) : [0, 0, 0];
      if (!match || month < 1 || month > 12 || date < 1 || date > daysInMonth(year, month))
        throw skip(
          values.next_order_date
            ? t`“${values.next_order_date.slice(0, 40)}” is not a date. Write it as YYYY-MM-DD.`
            : t`This row has no next_order_date.`,
        );
      return { year, month, day: date };
    }
  }
}

function moved(work: UnitOfWork, subscription: Aggregate, input: Reschedule, values: RowValues): number {
  if (input.mode === 'DATE') return input.nextBillingDateEpoch ?? 0;
  const next = nextPlanned(subscription, work.zone);
  if (!next) throw skip(t`This subscription has no order ahead to move.`);
  const found = target(dayOf(next.billingAt, work.zone), input, values);
  const at =
    typeof found === 'number'
      ? addDays(next.billingAt, found, work.zone)
      : instant(found, { hour: 12, minute: 0, second: 0, millisecond: 0 }, work.zone);
  return Math.floor(at / 1000);
}

export const action: ActionCode<Reschedule, { nextBillingDateEpoch: number }> = {
  check: (input, now) => ahead(input.mode === 'DATE' ? input.nextBillingDateEpoch : undefined, '/nextBillingDateEpoch', now),
  one: orders.reschedule,
  apply: (work, subscription, input, values) => {
    const at = moved(work, subscription, input, values);
    const next = nextPlanned(subscription, work.zone);
    if (next && dayNumber(dayOf(next.billingAt, work.zone)) === dayNumber(dayOf(at * 1000, work.zone)))
      throw skip(t`Its next order is on that day already.`);
    if (input.scope === 'NEXT') orders.rescheduleOneOrder(work, subscription, { billingDateEpoch: at });
    else orders.reschedule(work, subscription, { nextBillingDateEpoch: at });
  },
};
