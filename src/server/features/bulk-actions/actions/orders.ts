// What is done to the orders ahead: skip, put back, move, charge.
import { sql } from 'kysely';
import { addDays, dayNumber, dayOf, daysInMonth, instant, weekdayOf, type Day } from '../../../../domain/calendar/calendar.ts';
import { type Aggregate, nextPlanned, orderIdOf, orders, retryOf, type UnitOfWork } from '../../../engine/index.ts';
import { namedOrder, skip, type ActionCode, type Charging, type RowValues } from '../bulk-action.ts';
import { ahead } from './status.ts';
import { t } from '../../../../domain/text/t.ts';

interface Count {
  count: number;
}

export const skipOrder: ActionCode<Count> = {
  undoing: {
    action: 'unSkipOrder',
    remember: (_work, was, subscription) => ({
      orderIds: subscription.orders
        .filter(order => order.status === 'SKIPPED' && was.orders.get(order.id)?.status !== 'SKIPPED')
        .map(order => order.id),
    }),
    apply: (work, subscription, { orderIds }) => {
      for (const orderId of (orderIds as number[]).toReversed()) orders.unSkipOrder(work, subscription, { orderId });
    },
  },
  apply: (work, subscription, { count }) => {
    for (let i = 0; i < count; i++) orders.skipOrder(work, subscription, {});
  },
};

export const unskipOrder: ActionCode<Count> = {
  undoing: {
    action: 'skipOrder',
    remember: (_work, was, subscription) => ({
      orderIds: [...was.orders.values()]
        .filter(before => before.status === 'SKIPPED' && subscription.orders.find(order => order.id === before.id)?.status !== 'SKIPPED')
        .map(order => order.id),
    }),
    apply: (work, subscription, { orderIds }) => {
      for (const orderId of orderIds as number[]) orders.skipOrder(work, subscription, { orderId });
    },
  },
  apply: (work, subscription, { count }) => {
    const skipped = subscription.orders
      .filter(order => order.status === 'SKIPPED' && order.cycle >= subscription.contract.next_cycle && order.billing_at > work.at)
      .sort((x, y) => x.cycle - y.cycle)
      .slice(0, count);
    if (skipped.length === 0) throw skip(t`This subscription has no skipped order ahead.`);
    for (const order of skipped) orders.unSkipOrder(work, subscription, { orderId: order.id });
  },
};

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

export const reschedule: ActionCode<Reschedule> = {
  check: (input, now) => ahead(input.mode === 'DATE' ? input.nextBillingDateEpoch : undefined, '/nextBillingDateEpoch', now),
  apply: (work, subscription, input, values) => {
    const at = moved(work, subscription, input, values);
    const next = nextPlanned(subscription, work.zone);
    if (next && dayNumber(dayOf(next.billingAt, work.zone)) === dayNumber(dayOf(at * 1000, work.zone)))
      throw skip(t`Its next order is on that day already.`);
    if (input.scope === 'NEXT') orders.rescheduleOneOrder(work, subscription, { billingDateEpoch: at });
    else orders.reschedule(work, subscription, { nextBillingDateEpoch: at });
  },
};

interface Charge {
  which: 'NEXT' | 'FAILED' | 'OVERDUE';
  keepSchedule?: boolean;
}

/** What was next when it was prepared may have been charged since, by hand, by a link or by itself: nobody asked for the one behind it. */
function refuseSecond({ context: { askedAt } }: UnitOfWork, { contract, orders: all }: Aggregate): void {
  const last = all.filter(order => order.cycle < contract.next_cycle && order.status !== 'SKIPPED').at(-1);
  const chargedAt = last && (last.status === 'FAILED' ? retryOf(last)?.firstFailedAt : last.processed_at?.getTime());
  if (askedAt && chargedAt !== undefined && chargedAt >= askedAt.getTime())
    throw skip(t`An order was charged after this bulk action was prepared. Prepare another one to charge the next order.`);
}

/** The order that is charged: named, so that a repeated row can never charge the next one. */
function orderToCharge(work: UnitOfWork, subscription: Aggregate, which: Charge['which']): number {
  if (which === 'FAILED') {
    const failed = subscription.orders.filter(order => order.status === 'FAILED').sort((x, y) => y.cycle - x.cycle)[0];
    if (!failed) throw skip(t`No payment of this subscription has failed.`);
    return failed.id;
  }
  refuseSecond(work, subscription);
  if (subscription.contract.status === 'PAUSED' && which === 'NEXT')
    return orderIdOf(subscription.contract.id, subscription.contract.next_cycle);
  const next = nextPlanned(subscription, work.zone);
  if (!next) throw skip(t`This subscription has no order to charge.`);
  if (which === 'OVERDUE' && next.billingAt > work.at.getTime()) throw skip(t`No order of this subscription is past its date.`);
  return orderIdOf(subscription.contract.id, next.cycle);
}

export const chargeOrder: ActionCode<Charge> = {
  variants: true,
  orderIds: async ({ trx, storeId }, contractIds, { which }) => {
    if (which !== 'FAILED') return [];
    const { rows } = await sql<{ id: number }>`select o.id from unnest(${contractIds}::bigint[]) as c(id) cross join lateral (
      select id from orders where store_id = ${storeId}::integer and contract_id = c.id and status = 'FAILED' order by cycle desc
        limit 1) o`.execute(trx);
    return rows.map(row => row.id);
  },
  // Tried again, it is the same order: one that was paid meanwhile is left alone, and the one after it is nobody's wish.
  apply: (work, subscription, { which, keepSchedule = false }, values): Charging =>
    orders.chargeNow(work, subscription, { orderId: namedOrder(values) ?? orderToCharge(work, subscription, which), keepSchedule }),
};
