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

/** Orders further ahead than this are not shown, so they can't be acted on. */
const FARTHEST = 200;

const atEpoch = (seconds: number): Date => new Date(seconds * 1000);
const refuseDate = (pointer: string, rule: string, message: string) => invalid([{ pointer, rule, message }]);
const cycleOf = (orderId: number): number => orderId % 10_000;

/** The planned order that a call names; the next one when it names none. */
function ahead(work: UnitOfWork, subscription: Aggregate, orderId: number | undefined): UpcomingOrder | null {
  if (orderId === undefined) return nextPlanned(subscription, work.zone);
  if (Math.floor(orderId / 10_000) !== subscription.contract.id || cycleOf(orderId) > subscription.contract.next_cycle + FARTHEST)
    return null;
  return plannedOf(subscription, work.zone, cycleOf(orderId));
}

/** The row of a planned order; made when the schedule alone knew of it. */
function rowOf(work: UnitOfWork, subscription: Aggregate, planned: UpcomingOrder): OrderRow {
  const known = subscription.orders.find(order => order.cycle === planned.cycle);
  if (known) return known;
  const row = newOrder(subscription, planned, work.at);
  subscription.orders.push(row);
  return row;
}

const isAhead = (subscription: Aggregate, order: OrderRow): boolean => order.cycle >= subscription.contract.next_cycle;

/** Skips an order ahead, one that waits for stock, or one whose payment failed. Later orders keep their dates. */
export function skipOrder(work: UnitOfWork, subscription: Aggregate, input: { orderId?: number; reason?: string }): void {
  mailSkipped(work, subscription, skipWithoutMail(work, subscription, input));
}

/** The same without its letter, for several that have one together. Gives the date of the order. */
export function skipWithoutMail(
  work: UnitOfWork,
  subscription: Aggregate,
  { orderId, reason = 'MERCHANT' }: { orderId?: number; reason?: string },
): Date {
  const known = orderId === undefined ? undefined : orderById(subscription, orderId);
  let order: OrderRow;
  if (known && !isAhead(subscription, known)) {
    if (known.status !== 'FAILED' && known.status !== 'SCHEDULED') throw invalidState(t`Only scheduled orders can be skipped.`);
    order = known;
  } else {
    const planned = ahead(work, subscription, orderId);
    if (!planned) throw orderId === undefined ? invalidState(t`This subscription has no order ahead to skip.`) : notFound(later`order`);
    if (planned.status !== 'SCHEDULED') throw invalidState(t`Only scheduled orders can be skipped.`);
    order = rowOf(work, subscription, planned);
  }
  const before = order.status;
  skipRow(subscription, order, reason);
  syncSchedule(subscription, work.zone);
  work.note(subscription, 'order_skipped', {
    orderId: order.id,
    orderNumber: order.order_number,
    dateEpoch: epoch(order.billing_at),
    before: { status: before },
    after: { status: 'SKIPPED' },
    nextBillingDateEpoch: subscription.contract.next_billing_at ? epoch(subscription.contract.next_billing_at) : null,
  });
  return order.billing_at;
}

/** Puts a skipped order back on its date, while that date is ahead. */
export function unSkipOrder(work: UnitOfWork, subscription: Aggregate, { orderId }: { orderId: number }): void {
  const order = orderById(subscription, orderId);
  if (!order && !ahead(work, subscription, orderId)) throw notFound(later`order`);
  if (!order || order.status !== 'SKIPPED' || !isAhead(subscription, order) || order.billing_at <= work.at)
    throw invalidState(t`Only skipped orders whose date is still ahead can be put back.`);
  if (order.is_rescheduled) {
    order.status = 'SCHEDULED';
    order.skip_reason = null;
  } else subscription.orders = subscription.orders.filter(other => other !== order);
  syncSchedule(subscription, work.zone);
  work.note(subscription, 'order_unskipped', { orderId, orderNumber: order.order_number, dateEpoch: epoch(order.billing_at) });
  mailUnskipped(work, subscription, order.billing_at);
}

/** Moves the next order to a day; all later ones are counted from it. */
export function reschedule(work: UnitOfWork, subscription: Aggregate, { nextBillingDateEpoch }: { nextBillingDateEpoch: number }): void {
  const { before, after, ended } = moveAll(work, subscription, atEpoch(nextBillingDateEpoch), '/nextBillingDateEpoch');
  work.note(subscription, 'subscription_rescheduled', {
    before: { nextBillingDateEpoch: epoch(before) },
    after: { nextBillingDateEpoch: epoch(after) },
    ...sayEnded(ended),
  });
  mailRescheduled(work, subscription, after);
}

/** Moves the next order, and with it all later ones, by a number of days. */
export function delay(work: UnitOfWork, subscription: Aggregate, { days }: { days: number }): void {
  const next = nextPlanned(subscription, work.zone);
  if (!next) throw invalidState(t`This subscription has no order ahead to move.`);
  const { before, after, ended } = moveAll(work, subscription, new Date(addDays(next.billingAt, days, work.zone)), '/days');
  work.note(subscription, 'order_delayed', {
    days,
    before: { nextBillingDateEpoch: epoch(before) },
    after: { nextBillingDateEpoch: epoch(after) },
    ...sayEnded(ended),
  });
  mailDelayed(work, subscription, after);
}

export function moveAll(
  work: UnitOfWork,
  subscription: Aggregate,
  chosen: Date,
  pointer: string,
): { before: Date; after: Date; ended: Ended } {
  const next = nextPlanned(subscription, work.zone);
  if (!next) throw invalidState(t`This subscription has no order ahead to move.`);
  const after = onChargeDay(
    subscription.contract,
    onChosenDay(chosen, work.zone, work.settings.billingHour, new Date(next.billingAt)),
    work.zone,
  );
  refuseUnfitDate(work, after, pointer);
  refuseUndeliverable(work, subscription, after, pointer);
  // With orders that were moved one by one the same date is a change: they lose their own dates.
  if (!subscription.orders.some(order => isAhead(subscription, order) && order.is_rescheduled))
    refuseSame(after, new Date(next.billingAt), pointer, work.zone);
  const ended = countAnew(subscription, after, next.cycle, work.zone);
  syncSchedule(subscription, work.zone);
  if (
    !subscription.contract.next_billing_at ||
    daysBetween(after.getTime(), subscription.contract.next_billing_at.getTime(), work.zone) !== 0
  )
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
function refuseUndeliverable(work: UnitOfWork, subscription: Aggregate, date: Date, pointer: string): void {
  if (!mayDeliverAt(work, deliveryOfCharge(subscription.contract, date, work.zone).getTime()))
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
  subscription: Aggregate,
  { orderId, billingDateEpoch }: { orderId?: number; billingDateEpoch: number },
): void {
  moveOne(work, subscription, orderId, atEpoch(billingDateEpoch), { pointer: '/billingDateEpoch', isOrder: true, daysAfter: 0 });
}

/** The same for callers that speak of the day of delivery, which may be some days after the charge. */
export function rescheduleDelivery(
  work: UnitOfWork,
  subscription: Aggregate,
  { orderId, fulfillAt }: { orderId: number; fulfillAt: number },
): void {
  const daysAfter = subscription.contract.charge_offset_days;
  moveOne(work, subscription, orderId, new Date(addDays(fulfillAt * 1000, -daysAfter, work.zone)), {
    pointer: '/fulfillAt',
    isOrder: false,
    daysAfter,
  });
}

/** `daysAfter`: by how many days after its charge an order is spoken of. */
function moveOne(
  work: UnitOfWork,
  subscription: Aggregate,
  orderId: number | undefined,
  chosen: Date,
  { pointer, isOrder, daysAfter }: { pointer: string; isOrder: boolean; daysAfter: number },
): void {
  const said = (billingAt: number): string => dateLabel(addDays(billingAt, daysAfter, work.zone), work.zone, intlLocale());
  const known = orderId === undefined ? undefined : orderById(subscription, orderId);
  if (known && !isAhead(subscription, known))
    throw invalidState(
      known.status === 'SCHEDULED' ? t`This order waits for stock and can't be moved.` : t`Only scheduled orders can be moved.`,
    );
  const planned = ahead(work, subscription, orderId);
  if (!planned) throw orderId === undefined ? invalidState(t`This subscription has no order ahead to move.`) : notFound(later`order`);
  if (planned.status !== 'SCHEDULED') throw invalidState(t`Only scheduled orders can be moved.`);
  const { zone } = work;
  const date = onChargeDay(subscription.contract, onChosenDay(chosen, zone, work.settings.billingHour, new Date(planned.billingAt)), zone);
  refuseUnfitDate(work, date, pointer);
  refuseUndeliverable(work, subscription, date, pointer);
  if (date.getTime() === planned.billingAt)
    throw refuseDate(
      pointer,
      'unchanged',
      isOrder
        ? t`The order is due on ${said(planned.billingAt)} already. Choose another date.`
        : t`The delivery is due on ${said(planned.billingAt)} already. Choose another date.`,
    );
  const all = upcomingOrders(subscription, zone, work.at, FARTHEST);
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
  const placed = subscription.orders.filter(order => order.cycle < subscription.contract.next_cycle && order.status !== 'SKIPPED').at(-1);
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
  const row = rowOf(work, subscription, planned);
  row.is_rescheduled = true;
  row.billing_at = date;
  row.delivery_at = deliveryOfCharge(subscription.contract, date, zone);
  syncSchedule(subscription, zone);
  work.note(subscription, 'order_rescheduled', {
    orderId: row.id,
    orderNumber: row.order_number,
    before: { billingDateEpoch: Math.floor(planned.billingAt / 1000) },
    after: { billingDateEpoch: epoch(date) },
  });
  mailRescheduled(work, subscription, date);
}

/** The order that a charge by hand is for: the one named, else the next one, else the one whose payment failed last. */
function toCharge(
  work: UnitOfWork,
  subscription: Aggregate,
  orderId: number | undefined,
): {
  planned: Parameters<typeof placeOrder>[2];
  isNew: boolean;
  /** When it would have been charged (ms); null where nothing was planned. */ due: number | null;
} {
  const known = orderId === undefined ? undefined : orderById(subscription, orderId);
  if (known && !isAhead(subscription, known)) {
    if (known.status === 'PROCESSING') throw invalidState(t`A charge for this order is already in progress.`);
    if (known.status === 'PAID') throw invalidState(t`This order is already paid.`);
    if (known.status === 'SKIPPED') throw invalidState(t`Skipped orders can't be charged.`);
    return { planned: plannedFrom(known), isNew: false, due: known.billing_at.getTime() };
  }
  const now = { billingAt: work.at.getTime(), deliveryAt: deliveryOfCharge(subscription.contract, work.at, work.zone).getTime() };
  if (subscription.contract.status === 'PAUSED' && (orderId === undefined || cycleOf(orderId) === subscription.contract.next_cycle)) {
    const isPrepaidDelivery = subscription.contract.prepaid_credits > 0;
    return {
      planned: {
        ...now,
        cycle: subscription.contract.next_cycle,
        orderNumber: subscription.contract.completed_orders + (isPrepaidDelivery ? 0 : 1),
        isPrepaidDelivery,
      },
      isNew: true,
      due: null,
    };
  }
  const next = nextPlanned(subscription, work.zone);
  if (orderId !== undefined && next?.cycle !== cycleOf(orderId)) {
    const planned = ahead(work, subscription, orderId);
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
  subscription: Aggregate,
  { orderId, keepSchedule = false }: { orderId?: number; keepSchedule?: boolean },
): PendingCharge | null {
  if (!isGift(subscription.contract) && !usableMethod(subscription, work)) throw invalidState(translated(NO_METHOD));
  const { planned, isNew, due } = toCharge(work, subscription, orderId);
  const wasActive = subscription.contract.status === 'ACTIVE';
  const ended: Ended = { skipped: passedBy(subscription, planned.cycle), moved: [] };
  const pending = placeOrder(work, subscription, planned, 'MANUAL');
  const order = subscription.orders.find(candidate => candidate.cycle === planned.cycle) as OrderRow;
  if (isNew && wasActive && subscription.contract.status === 'ACTIVE' && !keepSchedule) {
    const following = intervalAfter(subscription, deliveryOf(subscription.contract), work.at, work.zone, work.settings.billingHour);
    ended.moved = countAnew(subscription, following, planned.cycle + 1, work.zone).moved;
  }
  syncSchedule(subscription, work.zone);
  work.note(subscription, 'order_charged_now', {
    orderId: order.id,
    orderNumber: order.order_number,
    keepSchedule,
    wasFailed: !isNew,
    ...(due === null ? {} : { dueEpoch: Math.floor(due / 1000) }),
    nextBillingDateEpoch: subscription.contract.next_billing_at ? epoch(subscription.contract.next_billing_at) : null,
    ...sayEnded(ended),
  });
  return pending;
}
