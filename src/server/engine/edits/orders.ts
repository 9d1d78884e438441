// What merchants do to single orders and to the schedule: skip, put back, move, delay, charge now.
import chargeDate from '../../../../schemas/common/charge-date.json' with { type: 'json' };
import { addDays, dateLabel, daysBetween } from '../../../domain/calendar/calendar.ts';
import type { UpcomingOrder } from '../../../domain/schedule/schedule.ts';
import { invalid, invalidState, notFound } from '../../platform/context.ts';
import { mayDeliverAt } from '../delivery/open-days.ts';
import { orderById, plannedFrom, usableMethod, type Aggregate } from '../aggregate.ts';
import { isGift } from '../gifts/gift.ts';
import { NO_METHOD } from '../guards.ts';
import { mailDelayed, mailRescheduled, mailSkipped, mailUnskipped } from '../mails.ts';
import { newOrder, placeOrder, type PendingCharge } from '../charging/place-order.ts';
import type { OrderRow } from '../rows.ts';
import {
  countAnew,
  deliveryOf,
  deliveryOfCharge,
  intervalAfter,
  nextPlanned,
  onChargeDay,
  onChosenDay,
  passedBy,
  plannedOf,
  sayEnded,
  syncSchedule,
  upcomingOrders,
  type Ended,
} from '../schedule.ts';
import { epoch, skipRow } from '../status.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import { intlLocale, later, t, translated } from '../../../domain/text/t.ts';

/** Orders further ahead than this are not shown, so nobody acts on them. */
const FARTHEST = 200;

const atEpoch = (seconds: number): Date => new Date(seconds * 1000);
const refuseDate = (pointer: string, rule: string, message: string) => invalid([{ pointer, rule, message }]);
const cycleOf = (orderId: number): number => orderId % 10_000;

/** The planned order that a call names; the next one when it names none. */
function ahead(work: UnitOfWork, a: Aggregate, orderId: number | undefined): UpcomingOrder | null {
  if (orderId === undefined) return nextPlanned(a, work.zone);
  if (Math.floor(orderId / 10_000) !== a.contract.id || cycleOf(orderId) > a.contract.next_cycle + FARTHEST) return null;
  return plannedOf(a, work.zone, cycleOf(orderId));
}

/** The row of a planned order; made when the schedule alone knew of it. */
function rowOf(work: UnitOfWork, a: Aggregate, planned: UpcomingOrder): OrderRow {
  const known = a.orders.find(order => order.cycle === planned.cycle);
  if (known) return known;
  const row = newOrder(a, planned, work.at);
  a.orders.push(row);
  return row;
}

const isAhead = (a: Aggregate, order: OrderRow): boolean => order.cycle >= a.contract.next_cycle;

/** Skips an order ahead, one that waits for stock, or one whose payment failed. Later orders keep their dates. */
export function skipOrder(work: UnitOfWork, a: Aggregate, { orderId, reason = 'MERCHANT' }: { orderId?: number; reason?: string }): void {
  const known = orderId === undefined ? undefined : orderById(a, orderId);
  let order: OrderRow;
  if (known && !isAhead(a, known)) {
    if (known.status !== 'FAILED' && known.status !== 'SCHEDULED') throw invalidState(t`Only scheduled orders can be skipped.`);
    order = known;
  } else {
    const planned = ahead(work, a, orderId);
    if (!planned) throw orderId === undefined ? invalidState(t`This subscription has no order ahead to skip.`) : notFound(later`order`);
    if (planned.status !== 'SCHEDULED') throw invalidState(t`Only scheduled orders can be skipped.`);
    order = rowOf(work, a, planned);
  }
  const before = order.status;
  skipRow(a, order, reason);
  syncSchedule(a, work.zone);
  work.note(a, 'order_skipped', {
    orderId: order.id,
    orderNumber: order.order_number,
    dateEpoch: epoch(order.billing_at),
    before: { status: before },
    after: { status: 'SKIPPED' },
    nextBillingDateEpoch: a.contract.next_billing_at ? epoch(a.contract.next_billing_at) : null,
  });
  mailSkipped(work, a, order.billing_at);
}

/** Puts a skipped order back on its date, while that date is ahead. */
export function unSkipOrder(work: UnitOfWork, a: Aggregate, { orderId }: { orderId: number }): void {
  const order = orderById(a, orderId);
  if (!order && !ahead(work, a, orderId)) throw notFound(later`order`);
  if (!order || order.status !== 'SKIPPED' || !isAhead(a, order) || order.billing_at <= work.at)
    throw invalidState(t`Only skipped orders whose date is still ahead can be put back.`);
  if (order.is_rescheduled) {
    order.status = 'SCHEDULED';
    order.skip_reason = null;
  } else a.orders = a.orders.filter(other => other !== order);
  syncSchedule(a, work.zone);
  work.note(a, 'order_unskipped', { orderId, orderNumber: order.order_number, dateEpoch: epoch(order.billing_at) });
  mailUnskipped(work, a, order.billing_at);
}

/** Moves the next order to a day; all later ones are counted from it. */
export function reschedule(work: UnitOfWork, a: Aggregate, { nextBillingDateEpoch }: { nextBillingDateEpoch: number }): void {
  const { before, after, ended } = moveAll(work, a, atEpoch(nextBillingDateEpoch), '/nextBillingDateEpoch');
  work.note(a, 'subscription_rescheduled', {
    before: { nextBillingDateEpoch: epoch(before) },
    after: { nextBillingDateEpoch: epoch(after) },
    ...sayEnded(ended),
  });
  mailRescheduled(work, a, after);
}

/** Moves the next order, and with it all later ones, by a number of days. */
export function delay(work: UnitOfWork, a: Aggregate, { days }: { days: number }): void {
  const next = nextPlanned(a, work.zone);
  if (!next) throw invalidState(t`This subscription has no order ahead to move.`);
  const { before, after, ended } = moveAll(work, a, new Date(addDays(next.billingAt, days, work.zone)), '/days');
  work.note(a, 'order_delayed', {
    days,
    before: { nextBillingDateEpoch: epoch(before) },
    after: { nextBillingDateEpoch: epoch(after) },
    ...sayEnded(ended),
  });
  mailDelayed(work, a, after);
}

export function moveAll(work: UnitOfWork, a: Aggregate, chosen: Date, pointer: string): { before: Date; after: Date; ended: Ended } {
  const next = nextPlanned(a, work.zone);
  if (!next) throw invalidState(t`This subscription has no order ahead to move.`);
  const after = onChargeDay(a.contract, onChosenDay(chosen, work.zone, work.settings.billingHour, new Date(next.billingAt)), work.zone);
  refuseUnfitDate(work, after, pointer);
  refuseUndeliverable(work, a, after, pointer);
  // With orders that were moved one by one the same date is a change: they lose their own dates.
  if (!a.orders.some(order => isAhead(a, order) && order.is_rescheduled)) refuseSame(after, new Date(next.billingAt), pointer, work.zone);
  const ended = countAnew(a, after, next.cycle, work.zone);
  syncSchedule(a, work.zone);
  if (!a.contract.next_billing_at || daysBetween(after.getTime(), a.contract.next_billing_at.getTime(), work.zone) !== 0)
    throw refuseDate(pointer, 'date', t`An order was placed on that day already. Choose a later date.`);
  return { before: new Date(next.billingAt), after, ended };
}

/** A date that is no other than before is refused: nothing would move, and the customer would get an e-mail about a new date. */
function refuseSame(date: Date, before: Date, pointer: string, zone: string): void {
  const billingAt = before.getTime();
  if (date.getTime() === billingAt)
    throw refuseDate(
      pointer,
      'unchanged',
      t`The order is due on ${dateLabel(billingAt, zone, intlLocale())} already. Choose another date.`,
    );
}

/** While Zapiet plans the deliveries of a store, what is charged on a day must be delivered on one that it has room on. */
function refuseUndeliverable(work: UnitOfWork, a: Aggregate, date: Date, pointer: string): void {
  if (!mayDeliverAt(work, deliveryOfCharge(a.contract, date, work.zone).getTime()))
    throw refuseDate(pointer, 'date', t`Choose another date, this one is not available.`);
}

/** Dates that an order can be charged on: after this moment, and within the bounds that every way in shares (common/charge-date.json). */
export function refuseUnfitDate(work: UnitOfWork, date: Date, pointer: string): void {
  if (date <= work.at) throw refuseDate(pointer, 'date', t`Choose a date after today.`);
  if (epoch(date) > chargeDate.maximum) throw refuseDate(pointer, 'maximum', chargeDate['x-errors'].maximum);
}

/** Moves one order only; it stays between its neighbours. */
export function rescheduleOneOrder(
  work: UnitOfWork,
  a: Aggregate,
  { orderId, billingDateEpoch }: { orderId?: number; billingDateEpoch: number },
): void {
  moveOne(work, a, orderId, atEpoch(billingDateEpoch), { pointer: '/billingDateEpoch', isOrder: true, daysAfter: 0 });
}

/** The same for who speaks of the day of delivery, which may be some days after the charge. */
export function rescheduleDelivery(work: UnitOfWork, a: Aggregate, { orderId, fulfillAt }: { orderId: number; fulfillAt: number }): void {
  const daysAfter = a.contract.charge_offset_days;
  moveOne(work, a, orderId, new Date(addDays(fulfillAt * 1000, -daysAfter, work.zone)), {
    pointer: '/fulfillAt',
    isOrder: false,
    daysAfter,
  });
}

/** `daysAfter`: by how many days after its charge an order is spoken of. */
function moveOne(
  work: UnitOfWork,
  a: Aggregate,
  orderId: number | undefined,
  chosen: Date,
  { pointer, isOrder, daysAfter }: { pointer: string; isOrder: boolean; daysAfter: number },
): void {
  const said = (billingAt: number): string => dateLabel(addDays(billingAt, daysAfter, work.zone), work.zone, intlLocale());
  const known = orderId === undefined ? undefined : orderById(a, orderId);
  if (known && !isAhead(a, known))
    throw invalidState(
      known.status === 'SCHEDULED' ? t`This order waits for stock and can't be moved.` : t`Only scheduled orders can be moved.`,
    );
  const planned = ahead(work, a, orderId);
  if (!planned) throw orderId === undefined ? invalidState(t`This subscription has no order ahead to move.`) : notFound(later`order`);
  if (planned.status !== 'SCHEDULED') throw invalidState(t`Only scheduled orders can be moved.`);
  const { zone } = work;
  const date = onChargeDay(a.contract, onChosenDay(chosen, zone, work.settings.billingHour, new Date(planned.billingAt)), zone);
  refuseUnfitDate(work, date, pointer);
  refuseUndeliverable(work, a, date, pointer);
  if (date.getTime() === planned.billingAt)
    throw refuseDate(
      pointer,
      'unchanged',
      isOrder
        ? t`The order is due on ${said(planned.billingAt)} already. Choose another date.`
        : t`The delivery is due on ${said(planned.billingAt)} already. Choose another date.`,
    );
  const all = upcomingOrders(a, zone, work.at, FARTHEST);
  const others = all.filter(order => order.status === 'SCHEDULED');
  const following = others.find(order => order.cycle > planned.cycle);
  if (following && daysBetween(date.getTime(), following.billingAt, zone) <= 0)
    throw refuseDate(
      pointer,
      'date',
      isOrder
        ? t`Choose a date before the next order on ${said(following.billingAt)}.`
        : t`Choose a date before the next delivery on ${said(following.billingAt)}.`,
    );
  const placed = a.orders.filter(order => order.cycle < a.contract.next_cycle && order.status !== 'SKIPPED').at(-1);
  const previous = others.filter(order => order.cycle < planned.cycle).at(-1)?.billingAt ?? placed?.billing_at.getTime();
  if (previous !== undefined && daysBetween(previous, date.getTime(), zone) <= 0)
    throw refuseDate(
      pointer,
      'date',
      isOrder ? t`Choose a date after the order on ${said(previous)}.` : t`Choose a date after the delivery on ${said(previous)}.`,
    );
  // A skipped order keeps its day, and may be put back: nothing passes it.
  const skipped = all.filter(order => order.status === 'SKIPPED' && order.cycle < planned.cycle).at(-1);
  if (skipped && daysBetween(skipped.billingAt, date.getTime(), zone) <= 0)
    throw refuseDate(
      pointer,
      'date',
      isOrder
        ? t`Choose a date after the skipped order of ${said(skipped.billingAt)}, or put that order back and move it instead.`
        : t`Choose a date after the skipped delivery of ${said(skipped.billingAt)}, or put that delivery back and move it instead.`,
    );
  const row = rowOf(work, a, planned);
  row.is_rescheduled = true;
  row.billing_at = date;
  row.delivery_at = deliveryOfCharge(a.contract, date, zone);
  syncSchedule(a, zone);
  work.note(a, 'order_rescheduled', {
    orderId: row.id,
    orderNumber: row.order_number,
    before: { billingDateEpoch: Math.floor(planned.billingAt / 1000) },
    after: { billingDateEpoch: epoch(date) },
  });
  mailRescheduled(work, a, date);
}

/** The order that a charge by hand is for: the one named, else the next one, else the one whose payment failed last. */
function toCharge(
  work: UnitOfWork,
  a: Aggregate,
  orderId: number | undefined,
): {
  planned: Parameters<typeof placeOrder>[2];
  isNew: boolean;
  /** When it would have been charged (ms); null where nothing was planned. */ due: number | null;
} {
  const known = orderId === undefined ? undefined : orderById(a, orderId);
  if (known && !isAhead(a, known)) {
    if (known.status === 'PROCESSING') throw invalidState(t`A charge for this order is already in progress.`);
    if (known.status === 'PAID') throw invalidState(t`This order is already paid.`);
    if (known.status === 'SKIPPED') throw invalidState(t`Skipped orders can't be charged.`);
    return { planned: plannedFrom(known), isNew: false, due: known.billing_at.getTime() };
  }
  const now = { billingAt: work.at.getTime(), deliveryAt: deliveryOfCharge(a.contract, work.at, work.zone).getTime() };
  if (a.contract.status === 'PAUSED' && (orderId === undefined || cycleOf(orderId) === a.contract.next_cycle)) {
    const isPrepaidDelivery = a.contract.prepaid_credits > 0;
    return {
      planned: {
        ...now,
        cycle: a.contract.next_cycle,
        orderNumber: a.contract.completed_orders + (isPrepaidDelivery ? 0 : 1),
        isPrepaidDelivery,
      },
      isNew: true,
      due: null,
    };
  }
  const next = nextPlanned(a, work.zone);
  if (orderId !== undefined && next?.cycle !== cycleOf(orderId)) {
    const planned = ahead(work, a, orderId);
    if (!planned) throw notFound(later`order`);
    throw invalidState(
      planned.status === 'SKIPPED'
        ? t`Skipped orders can't be charged. Put the order back first.`
        : t`Only the next order can be charged now.`,
    );
  }
  if (!next) throw invalidState(t`This subscription has no order to charge.`);
  return { planned: { ...next, ...now }, isNew: true, due: next.billingAt };
}

/**
 * Charges an order at once. `keepSchedule` takes the order out of the schedule and leaves the rest as it is; otherwise the following order
 * comes one interval after now. The answer is the charge to take through the gateway, or null when nothing was to be paid.
 */
export function chargeNow(
  work: UnitOfWork,
  a: Aggregate,
  { orderId, keepSchedule = false }: { orderId?: number; keepSchedule?: boolean },
): PendingCharge | null {
  if (!isGift(a.contract) && !usableMethod(a, work)) throw invalidState(translated(NO_METHOD));
  const { planned, isNew, due } = toCharge(work, a, orderId);
  const wasActive = a.contract.status === 'ACTIVE';
  const ended: Ended = { skipped: passedBy(a, planned.cycle), moved: [] };
  const pending = placeOrder(work, a, planned, 'MANUAL');
  const order = a.orders.find(candidate => candidate.cycle === planned.cycle) as OrderRow;
  if (isNew && wasActive && a.contract.status === 'ACTIVE' && !keepSchedule) {
    const following = intervalAfter(a, deliveryOf(a.contract), work.at, work.zone, work.settings.billingHour);
    ended.moved = countAnew(a, following, planned.cycle + 1, work.zone).moved;
  }
  syncSchedule(a, work.zone);
  work.note(a, 'order_charged_now', {
    orderId: order.id,
    orderNumber: order.order_number,
    keepSchedule,
    wasFailed: !isNew,
    ...(due === null ? {} : { dueEpoch: Math.floor(due / 1000) }),
    nextBillingDateEpoch: a.contract.next_billing_at ? epoch(a.contract.next_billing_at) : null,
    ...sayEnded(ended),
  });
  return pending;
}
