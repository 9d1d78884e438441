// The schedule of a contract: its rows turned into what the rules of the domain count with, and its dates kept in step with them.
import { anchorOf, type Anchor, type AnchorType } from '../../domain/calendar/anchor.ts';
import { addDays, atBillingHour, clockOf, dayOf, instant } from '../../domain/calendar/calendar.ts';
import { multipleOf, type Interval, type IntervalUnit } from '../../domain/calendar/interval.ts';
import {
  oneIntervalLater,
  onAllowedDay,
  plannedOrders,
  upcoming,
  type CycleException,
  type Schedule,
  type UpcomingOrder,
} from '../../domain/schedule/schedule.ts';
import type { JsonObject } from '../../contract/types.ts';
import { isOpen, isSwappedOnce, LAST_CYCLE, type Aggregate } from './aggregate.ts';
import type { ContractRow, OrderRow } from './rows.ts';

export const billingOf = (c: ContractRow): Interval => ({
  interval: c.billing_interval as IntervalUnit,
  intervalCount: c.billing_interval_count,
});
export const deliveryOf = (c: Pick<ContractRow, 'delivery_interval' | 'delivery_interval_count'>): Interval => ({
  interval: c.delivery_interval as IntervalUnit,
  intervalCount: c.delivery_interval_count,
});
export const anchorOfContract = (c: ContractRow): Anchor | null =>
  anchorOf({ anchorType: c.anchor_type as AnchorType | null, anchorDay: c.anchor_day, anchorMonth: c.anchor_month });
/** How many deliveries one charge pays for. */
export const deliveriesPerCharge = (c: ContractRow): number => multipleOf(billingOf(c), deliveryOf(c)) ?? 1;

/** An exception: an order ahead that was skipped or moved. Placed orders lie below `next_cycle`. */
export const isException = (subscription: Pick<Aggregate, 'contract'>, order: OrderRow): boolean =>
  order.cycle >= subscription.contract.next_cycle && (order.status === 'SKIPPED' || order.status === 'SCHEDULED');
/** Charges under way: they count as made, so that the last order of a limited subscription is not placed twice. */
export const openCharges = (subscription: Pick<Aggregate, 'contract' | 'orders'>): number =>
  subscription.orders.filter(order => order.cycle < subscription.contract.next_cycle && isOpen(order) && !order.is_prepaid_delivery).length;

/** Deliveries under way whose credit is not used yet. */
const openDeliveries = (subscription: Pick<Aggregate, 'contract' | 'orders'>): number =>
  subscription.orders.filter(order => order.cycle < subscription.contract.next_cycle && isOpen(order) && order.is_prepaid_delivery).length;

/** Whether the dates of the schedule are delivery dates; else they are charge dates. */
export const isByDelivery = (c: ContractRow): boolean => c.schedule_type === 'DELIVERY';
/** The date of a row that the schedule speaks of. */
export const scheduleDateOf = (c: ContractRow, order: OrderRow): Date => (isByDelivery(c) ? order.delivery_at : order.billing_at);
/** The day on which an order is delivered that is charged at `chargeAt`. */
export const deliveryOfCharge = (c: ContractRow, chargeAt: Date, zone: string): Date =>
  new Date(addDays(chargeAt.getTime(), c.charge_offset_days, zone));
/** A chosen charge date, moved forward to a weekday on which this subscription is charged. */
export const onChargeDay = (c: ContractRow, chargeAt: Date, zone: string): Date =>
  new Date(onAllowedDay(chargeAt.getTime(), zone, c.billing_days));

/** The schedule of an active contract; null when it has none (paused without date, ended, failed). */
export function scheduleOf(subscription: Pick<Aggregate, 'contract' | 'orders'>, zone: string): Schedule | null {
  const c = subscription.contract;
  if (c.status !== 'ACTIVE' || !c.base_at) return null;
  const exceptions = new Map<number, CycleException>();
  for (const order of subscription.orders) {
    if (isException(subscription, order))
      exceptions.set(order.cycle, {
        status: order.status as 'SKIPPED' | 'SCHEDULED',
        movedTo: order.is_rescheduled ? scheduleDateOf(c, order).getTime() : null,
      });
  }
  let last: OrderRow | undefined;
  for (const order of subscription.orders) {
    if (order.cycle < c.next_cycle && order.status !== 'SKIPPED' && order.cycle >= c.next_cycle - 1 && (!last || order.cycle > last.cycle))
      last = order;
  }
  return {
    zone,
    billingHour: null,
    baseHour: c.base_hour,
    baseAt: c.base_at.getTime(),
    baseCycle: c.base_cycle,
    nextCycle: c.next_cycle,
    deliveryPolicy: deliveryOf(c),
    billingPolicy: billingOf(c),
    anchor: anchorOfContract(c),
    prepaidCreditsLeft: Math.max(0, c.prepaid_credits - openDeliveries(subscription)),
    completedOrders: c.completed_orders + openCharges(subscription),
    maxCycles: c.max_cycles,
    chargeOffsetDays: c.charge_offset_days,
    scheduleType: isByDelivery(c) ? 'DELIVERY' : 'BILLING',
    billingDays: isByDelivery(c) ? [] : c.billing_days,
    exceptions,
    lastOrderAt: last ? scheduleDateOf(c, last).getTime() : null,
    isMarkedForCancellation: c.is_marked_for_cancellation,
  };
}

/** The orders ahead for a screen: ten, or twelve months. */
export function upcomingOrders(subscription: Aggregate, zone: string, from: Date, limit = 10): UpcomingOrder[] {
  const schedule = scheduleOf(subscription, zone);
  return schedule ? upcoming(schedule, { from: from.getTime(), limit }) : [];
}

/** The next order that will be placed; null when none will. */
export function nextPlanned(subscription: Aggregate, zone: string): UpcomingOrder | null {
  const schedule = scheduleOf(subscription, zone);
  if (!schedule) return null;
  for (const order of plannedOrders(schedule)) {
    if (order.cycle > LAST_CYCLE) return null;
    if (order.status === 'SCHEDULED') return order;
  }
  return null;
}

/** The order of a cycle as planned; null when the schedule never reaches it. */
export function plannedOf(subscription: Aggregate, zone: string, cycle: number): UpcomingOrder | null {
  const schedule = scheduleOf(subscription, zone);
  if (!schedule || cycle < schedule.nextCycle) return null;
  for (const order of plannedOrders(schedule)) {
    if (order.cycle === cycle) return order;
    if (order.cycle > cycle) return null;
  }
  return null;
}

/**
 * Keeps the dates of the contract in step after any change: `next_billing_at`, and the dates of skipped orders ahead. What was moved and is
 * no longer
 * reached by the schedule is dropped; what was skipped stays, so that it is not charged either when the schedule reaches it again.
 */
export function syncSchedule(subscription: Aggregate, zone: string): void {
  const c = subscription.contract;
  const schedule = scheduleOf(subscription, zone);
  if (!schedule) {
    c.next_billing_at = c.status === 'PAUSED' ? c.resume_at : null;
    return;
  }
  const ahead = new Map(subscription.orders.filter(order => isException(subscription, order)).map(order => [order.cycle, order]));
  let next: UpcomingOrder | null = null;
  for (const planned of plannedOrders(schedule)) {
    if (planned.cycle > LAST_CYCLE || (next && ahead.size === 0)) break;
    if (!next && planned.status === 'SCHEDULED') next = planned;
    const order = ahead.get(planned.cycle);
    if (!order) continue;
    ahead.delete(planned.cycle);
    order.billing_at = new Date(planned.billingAt);
    order.delivery_at = new Date(planned.deliveryAt);
    if (!order.is_rescheduled) order.scheduled_at = order.billing_at;
    order.is_prepaid_delivery = planned.isPrepaidDelivery;
    order.order_number = planned.orderNumber;
  }
  if (ahead.size) subscription.orders = subscription.orders.filter(order => order.status === 'SKIPPED' || ahead.get(order.cycle) !== order);
  c.next_billing_at = next ? new Date(next.billingAt) : null;
}

/**
 * What was arranged for single orders ahead and no longer applies: skipped orders that can't be put back any more, moved ones that lost
 * their own dates.
 */
export interface Ended {
  skipped: OrderRow[];
  moved: OrderRow[];
}
/** What ended, for an entry of the log: the dates in epoch seconds, earliest first; nothing where nothing did. */
export function sayEnded({ skipped, moved }: Ended): JsonObject {
  const dates = (orders: readonly OrderRow[]): number[] =>
    orders.map(order => Math.floor(order.billing_at.getTime() / 1000)).sort((x, y) => x - y);
  return skipped.length || moved.length ? { ended: { skipped: dates(skipped), moved: dates(moved) } } : {};
}

/** Skipped orders ahead that an order of a later cycle passes: they stay skipped for good. */
export const passedBy = (subscription: Aggregate, cycle: number): OrderRow[] =>
  subscription.orders.filter(order => isException(subscription, order) && order.status === 'SKIPPED' && order.cycle < cycle);

/**
 * Counts all orders from one of them on again: those that were moved lose their own dates, what was skipped stays skipped. The order of
 * `cycle` is charged at `chargeAt`.
 */
export function countAnew(subscription: Aggregate, chargeAt: Date, cycle: number, zone: string): Ended {
  const skipped = passedBy(subscription, cycle);
  const moved = subscription.orders.filter(order => isException(subscription, order) && order.status === 'SCHEDULED');
  subscription.orders = subscription.orders.filter(order => !moved.includes(order));
  for (const order of subscription.orders) if (isException(subscription, order)) order.is_rescheduled = false;
  rebase(subscription, chargeAt, cycle, zone);
  return { skipped, moved: moved.filter(order => order.is_rescheduled && order.cycle !== cycle) };
}

/**
 * Ends what was skipped or moved ahead, with the schedule: a pause, the end of a subscription. A skipped order stays skipped in the history
 * and nothing
 * is ever placed under its id: the orders after it begin with the next one. What is in one order only, or left out of one, stays with that
 * order: the
 * first, second, third of those that were left.
 */
export function endExceptions(subscription: Aggregate): Ended {
  const { contract: c } = subscription;
  const ahead = subscription.orders.filter(order => isException(subscription, order));
  const skipped = ahead.filter(order => order.status === 'SKIPPED');
  const moved = ahead.filter(order => order.status === 'SCHEDULED');
  subscription.orders = subscription.orders.filter(order => !moved.includes(order));
  if (skipped.length > 0) {
    const cycles = new Set(skipped.map(order => order.cycle));
    const first = c.next_cycle;
    c.next_cycle = Math.max(...cycles) + 1;
    const instead = (cycle: number): number =>
      cycle < first ? cycle : c.next_cycle + cycle - first - [...cycles].filter(other => other < cycle).length;
    for (const line of subscription.lines) {
      const left = line.one_time_removed_cycle;
      if (left !== null) line.one_time_removed_cycle = cycles.has(left) && !isSwappedOnce(line, subscription.lines) ? null : instead(left);
    }
    for (const line of subscription.lines) if (line.one_time_cycle !== null) line.one_time_cycle = instead(line.one_time_cycle);
  }
  return { skipped, moved: moved.filter(order => order.is_rescheduled) };
}

/** Counts the schedule from a new date: that is when the next order, of cycle `cycle`, is charged. */
export function rebase(subscription: Aggregate, chargeAt: Date, cycle: number, zone: string): void {
  subscription.contract.base_at = isByDelivery(subscription.contract) ? deliveryOfCharge(subscription.contract, chargeAt, zone) : chargeAt;
  subscription.contract.base_cycle = cycle;
  subscription.contract.next_cycle = cycle;
}

/**
 * A schedule whose first date fell into the hour that the clock jumps over remembers that hour: its first order comes later that day, all
 * others at it again.
 */
export function keepHour(subscription: Aggregate, zone: string, billingHour: number | null): void {
  const c = subscription.contract;
  if (c.base_at?.getTime() === subscription.before.contract?.base_at?.getTime()) return;
  const base = c.base_at?.getTime();
  const isLost = (at: number): boolean => at === atBillingHour(at, zone, billingHour);
  c.base_hour =
    base !== undefined &&
    billingHour !== null &&
    clockOf(base, zone, null).hour !== billingHour &&
    (isLost(base) || (isByDelivery(c) && isLost(addDays(base, -c.charge_offset_days, zone))))
      ? billingHour
      : null;
}

/**
 * The charge date of the order that comes one interval after one charged at `from`: on the anchor if there is one, at the billing hour if
 * there is one.
 * Where dates are delivery dates, deliveries are an interval apart and on the anchor.
 */
export function intervalAfter(subscription: Aggregate, interval: Interval, from: Date, zone: string, billingHour: number | null): Date {
  const days = isByDelivery(subscription.contract) ? subscription.contract.charge_offset_days : 0;
  const date = oneIntervalLater(addDays(from.getTime(), days, zone), interval, anchorOfContract(subscription.contract), zone, billingHour);
  return new Date(addDays(date, -days, zone));
}

/** The date of the first order after a resume or a reactivation: one interval after `from` (a delivery's when credits are left). */
export const oneIntervalAfter = (subscription: Aggregate, from: Date, zone: string, billingHour: number | null): Date =>
  intervalAfter(
    subscription,
    subscription.contract.prepaid_credits > 0 ? deliveryOf(subscription.contract) : billingOf(subscription.contract),
    from,
    zone,
    billingHour,
  );

/** A chosen day becomes the instant of an order: at the billing hour, else at the clock time of `like`, else as it is. */
export function onChosenDay(chosen: Date, zone: string, billingHour: number | null, like: Date | null): Date {
  if (billingHour !== null) return new Date(atBillingHour(chosen.getTime(), zone, billingHour));
  if (!like) return chosen;
  return new Date(instant(dayOf(chosen.getTime(), zone), clockOf(like.getTime(), zone, null), zone));
}

/**
 * The instant of a day that was chosen for orders of this contract: at the billing hour, else at the time of day of its last or first
 * order.
 */
export function atChosenTime(
  work: { zone: string; settings: { billingHour: number | null } },
  subscription: Aggregate,
  epochSeconds: number,
): Date {
  const like = subscription.contract.next_billing_at ?? subscription.orders.at(-1)?.billing_at ?? subscription.contract.created_at;
  return onChosenDay(new Date(epochSeconds * 1000), work.zone, work.settings.billingHour, like);
}
