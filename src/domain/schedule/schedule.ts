/** The orders ahead of a subscription: when each is charged and delivered, and which are paid from prepaid credits. */
import { anchorFor, firstAnchor, nthAnchor, type Anchor } from '../calendar/anchor.ts';
import { addDays, clockOf, dayNumber, dayOf, instant, stepDate, stepDay, weekdayOf, type Day } from '../calendar/calendar.ts';
import { multipleOf, type Interval } from '../calendar/interval.ts';

export { stepDate } from '../calendar/calendar.ts';

/**
 * What a person or a rule did to one cycle. `movedTo` (epoch ms) is taken as it is, without anchor or billing hour; it
 * moves forward to a weekday that is allowed.
 */
export type CycleException = { status: 'SKIPPED' | 'SCHEDULED'; movedTo?: number | null };

/** Everything the dates depend on. Instants are epoch ms; a cycle is one delivery; cycle numbers only ever grow. */
export type Schedule = {
  /** IANA time zone of the store. */
  zone: string;
  /** Hour (0-23) at which the orders of a day start, or null for the clock time of `baseAt`. */
  billingHour: number | null;
  /** Hour of all cycles but the base where the clock jumped over it on that day; absent or null: the clock time of `baseAt`. */
  baseHour?: number | null;
  /** Date of cycle `baseCycle`, from which all others are counted: set again by "reschedule all", resume and reactivate. */
  baseAt: number;
  baseCycle: number;
  /** The first cycle that has not been placed yet; at least `baseCycle`. */
  nextCycle: number;
  deliveryPolicy: Interval;
  billingPolicy: Interval;
  anchor: Anchor | null;
  /** Deliveries that are paid and not sent. */
  prepaidCreditsLeft: number;
  /** Charges made so far, the checkout order counts as 1. */
  completedOrders: number;
  /** Charges after which the subscription ends by itself, or null for no end. */
  maxCycles: number | null;
  /** Days from charge to delivery, 0-30. */
  chargeOffsetDays: number;
  exceptions: ReadonlyMap<number, CycleException>;
  /** Whether `baseAt`, `movedTo` and the anchor speak of charge dates or of delivery dates (settings, order schedule). Default BILLING. */
  scheduleType?: 'BILLING' | 'DELIVERY';
  /** Weekdays (1 Monday to 7 Sunday) on which orders may fall; others move forward. Empty or absent means all. */
  billingDays?: readonly number[];
  /** Date of the latest order already placed; nothing is planned on its local day or before. */
  lastOrderAt?: number | null;
  /** Prepaid subscription that ends when the paid deliveries are sent. */
  isMarkedForCancellation?: boolean;
};

export type UpcomingOrder = {
  cycle: number;
  /**
   * Number of the charge that this order is or that paid for it; the checkout order is 1. A skipped order bears the
   * number that it would have, which the next one then takes.
   */
  orderNumber: number;
  billingAt: number;
  deliveryAt: number;
  status: 'SCHEDULED' | 'SKIPPED';
  isPrepaidDelivery: boolean;
  isRescheduled: boolean;
};

/** The date of a cycle by the rules alone, before anything was moved by hand. */
export function cycleDate(schedule: Schedule, cycle: number): number {
  return cycleDates(schedule)(cycle).at;
}

function cycleDates(schedule: Schedule): (cycle: number) => { day: Day; at: number } {
  const { zone, baseAt, baseCycle, billingHour, deliveryPolicy, billingDays } = schedule;
  const anchor = anchorFor(schedule.anchor, deliveryPolicy.interval);
  const baseDay = dayOf(baseAt, zone);
  const clock = clockOf(baseAt, zone, billingHour ?? schedule.baseHour ?? null);
  // The first step decides the anchor, the others are counted from there: no interval is cut short, no anchor used twice.
  const firstOnAnchor = anchor && firstAnchor(stepDay(baseDay, deliveryPolicy, 1), anchor);
  return cycle => {
    const n = cycle - baseCycle;
    const planned =
      n !== 0 && anchor && firstOnAnchor
        ? nthAnchor(firstOnAnchor, anchor, (n - 1) * deliveryPolicy.intervalCount)
        : stepDay(baseDay, deliveryPolicy, n);
    const day = nextAllowedDay(planned, billingDays);
    // The base itself may be the second of an hour that comes twice.
    const isBase = billingHour === null && dayNumber(day) === dayNumber(baseDay);
    return { day, at: isBase ? baseAt : instant(day, clock, zone) };
  };
}

/**
 * The orders ahead, one after the other, until the subscription ends by itself (for ever otherwise). Each lies on a
 * later local day than the one before: an order that would not is moved to the next allowed day after it.
 */
export function* plannedOrders(schedule: Schedule): Generator<UpcomingOrder, void, undefined> {
  const { zone, maxCycles, billingDays } = schedule;
  const dateOf = cycleDates(schedule);
  const deliveriesPerCharge = multipleOf(schedule.billingPolicy, schedule.deliveryPolicy) ?? 1;
  let charges = schedule.completedOrders;
  let credits = schedule.prepaidCreditsLeft;
  let last: Day | null = schedule.lastOrderAt == null ? null : dayOf(schedule.lastOrderAt, zone);
  for (let cycle = schedule.nextCycle; ; cycle += 1) {
    const isPrepaidDelivery = credits > 0;
    const isOver = schedule.isMarkedForCancellation || (maxCycles !== null && charges >= maxCycles);
    if (!isPrepaidDelivery && isOver) return;
    const exception = schedule.exceptions.get(cycle);
    let { day, at } = exception?.movedTo == null ? dateOf(cycle) : movedDate(exception.movedTo, zone, billingDays);
    if (last && dayNumber(day) <= dayNumber(last)) {
      day = nextAllowedDay(stepDay(last, { interval: 'DAY', intervalCount: 1 }, 1), billingDays);
      at = instant(day, clockOf(at, zone, schedule.billingHour), zone);
    }
    // Read back, as a zone may have left out the very day (Samoa had no 30 December 2011).
    last = dayOf(at, zone);
    const status = exception?.status ?? 'SCHEDULED';
    yield {
      cycle,
      orderNumber: isPrepaidDelivery ? Math.max(1, charges) : charges + 1,
      ...chargeAndDelivery(schedule, at),
      status,
      isPrepaidDelivery,
      isRescheduled: exception?.movedTo != null,
    };
    if (status === 'SKIPPED') continue;
    if (isPrepaidDelivery) credits -= 1;
    else {
      charges += 1;
      credits = deliveriesPerCharge - 1;
    }
  }
}

/** The next `limit` orders or `months` from `from` (epoch ms), whichever is less; the very next order is always listed. */
export function upcoming(
  schedule: Schedule,
  { from, limit = 10, months = 12 }: { from: number; limit?: number; months?: number },
): UpcomingOrder[] {
  const until = stepDate(from, { interval: 'MONTH', intervalCount: 1 }, months, schedule.zone);
  const orders: UpcomingOrder[] = [];
  for (const order of plannedOrders(schedule)) {
    if (orders.length > 0 && (orders.length >= limit || order.billingAt > until)) break;
    orders.push(order);
  }
  return orders;
}

/** The next order that will be placed (skipped ones passed over), or null when the subscription is at its end. */
export function nextOrder(schedule: Schedule): UpcomingOrder | null {
  for (const order of plannedOrders(schedule)) if (order.status === 'SCHEDULED') return order;
  return null;
}

/** The next order that is charged (skipped ones and prepaid deliveries passed over), or null when none will be. */
export function nextCharge(schedule: Schedule): UpcomingOrder | null {
  for (const order of plannedOrders(schedule)) if (order.status === 'SCHEDULED' && !order.isPrepaidDelivery) return order;
  return null;
}

/** One interval after `from`, on the anchor if there is one: the first order after a resume, a reactivation or a charge out of turn. */
export function oneIntervalLater(
  from: number,
  interval: Interval,
  anchor: Anchor | null,
  zone: string,
  billingHour: number | null,
): number {
  const day = stepDay(dayOf(from, zone), interval, 1);
  const suited = anchorFor(anchor, interval.interval);
  return instant(suited ? firstAnchor(day, suited) : day, clockOf(from, zone, billingHour), zone);
}

/** An instant at the same time of day on the first allowed day, on or after its own. */
export function onAllowedDay(at: number, zone: string, billingDays: readonly number[] | undefined): number {
  return movedDate(at, zone, billingDays).at;
}
function movedDate(at: number, zone: string, billingDays: readonly number[] | undefined): { day: Day; at: number } {
  const wanted = dayOf(at, zone);
  const day = nextAllowedDay(wanted, billingDays);
  return { day, at: day === wanted ? at : instant(day, clockOf(at, zone, null), zone) };
}

/** The first day on or after a day whose weekday is allowed. */
export function nextAllowedDay(day: Day, billingDays: readonly number[] | undefined): Day {
  if (!billingDays || billingDays.length === 0) return day;
  for (let ahead = 0; ahead < 7; ahead += 1) {
    const candidate = ahead === 0 ? day : stepDay(day, { interval: 'DAY', intervalCount: 1 }, ahead);
    if (billingDays.includes(weekdayOf(candidate))) return candidate;
  }
  throw new RangeError('Billing days must be numbers from 1 (Monday) to 7 (Sunday).');
}

function chargeAndDelivery(schedule: Schedule, at: number): { billingAt: number; deliveryAt: number } {
  const { zone, chargeOffsetDays } = schedule;
  if (chargeOffsetDays === 0) return { billingAt: at, deliveryAt: at };
  return schedule.scheduleType === 'DELIVERY'
    ? { billingAt: addDays(at, -chargeOffsetDays, zone), deliveryAt: at }
    : { billingAt: at, deliveryAt: addDays(at, chargeOffsetDays, zone) };
}
