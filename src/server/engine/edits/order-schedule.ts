// The order schedule that a contract was sold under or took over later: kept on the contract, so that a
// changed setting moves no dates by itself.
import { addDays, daysBetween } from '../../../domain/calendar/calendar.ts';
import { termsFor, type DateFields, type ScheduleTerms } from '../../../domain/schedule/order-schedule-settings.ts';
import type { JsonObject, JsonValue } from '../../../contract/types.ts';
import type { Aggregate } from '../aggregate.ts';
import { newOrder } from '../charging/place-order.ts';
import type { ContractRow } from '../rows.ts';
import { countAnew, nextPlanned, plannedOf, rebase, sayEnded, scheduleDateOf, syncSchedule, type Ended } from '../schedule.ts';
import { epoch } from '../status.ts';
import type { UnitOfWork } from '../unit-of-work.ts';

export interface Place {
  countryCode: string;
  provinceCode: string | null;
}
/** Where the orders of a contract go. */
export function placeOf(c: Pick<ContractRow, 'shipping_address' | 'country_code'>): Place {
  const address = c.shipping_address as { countryCode?: string | null; provinceCode?: string | null } | null;
  return { countryCode: address?.countryCode ?? c.country_code, provinceCode: address?.provinceCode ?? null };
}

const termsOf = (c: ContractRow): ScheduleTerms => ({
  scheduleType: c.schedule_type === 'DELIVERY' ? 'DELIVERY' : 'BILLING',
  billingDays: c.billing_days,
  chargeOffsetDays: c.charge_offset_days,
});
const same = (a: ScheduleTerms, b: ScheduleTerms): boolean =>
  a.scheduleType === b.scheduleType && a.chargeOffsetDays === b.chargeOffsetDays && a.billingDays.join() === b.billingDays.join();
const write = (c: ContractRow, terms: ScheduleTerms): void => {
  c.schedule_type = terms.scheduleType;
  c.charge_offset_days = terms.chargeOffsetDays;
  c.billing_days = [...terms.billingDays];
};

/**
 * Gives a new contract the store's present order schedule; its first order is charged on the day chosen,
 * or on the next weekday allowed after it.
 */
export function adoptSchedule(work: UnitOfWork, subscription: Aggregate, chargeAt: Date): void {
  const { orderSchedule } = work.settings;
  write(subscription.contract, termsFor(orderSchedule, placeOf(subscription.contract)));
  subscription.contract.date_fields = fieldsOrNull(orderSchedule.dateFields);
  rebase(subscription, chargeAt, subscription.contract.next_cycle, work.zone);
}

/**
 * After a contract's address moved to another country or province, its orders are charged as many days before delivery as that place needs.
 */
export function followAddress(work: UnitOfWork, subscription: Aggregate, before: Place): void {
  const now = placeOf(subscription.contract);
  if (
    subscription.contract.schedule_type !== 'DELIVERY' ||
    (now.countryCode === before.countryCode && now.provinceCode === before.provinceCode)
  )
    return;
  const { orderSchedule } = work.settings;
  if (orderSchedule.scheduleType !== 'DELIVERY') return;
  applyTerms(work, subscription, termsFor(orderSchedule, now));
}

/**
 * Gives a contract other terms. The dates of its schedule stay; they are read again, as charge or as delivery dates. Where an order can't
 * be charged in time for its date any more it moves to the earliest day that is possible, charged tomorrow; if that is past the order after
 * it, all orders move. Answers whether anything differs.
 */
export function applyTerms(work: UnitOfWork, subscription: Aggregate, terms: ScheduleTerms): boolean {
  const { contract } = subscription;
  const before = termsOf(contract);
  if (same(before, terms)) return false;
  const { zone } = work;
  const was = nextPlanned(subscription, zone);
  // What was moved by hand stays on its date, whatever that date means from now on.
  for (const order of subscription.orders) {
    if (order.cycle < contract.next_cycle || !order.is_rescheduled) continue;
    order.billing_at = order.delivery_at = scheduleDateOf(contract, order);
  }
  write(contract, terms);
  syncSchedule(subscription, zone);
  const ended = was ? notTooLate(work, subscription, was.billingAt) : null;
  work.note(subscription, 'order_schedule_preferences', {
    isAutomatic: work.context.source === 'System',
    before: eventData(before),
    after: eventData(terms),
    nextBillingDateEpoch: contract.next_billing_at ? epoch(contract.next_billing_at) : null,
    ...(ended ? sayEnded(ended) : {}),
  });
  return true;
}
/** What events say of a schedule, before and after a change. */
const eventData = (terms: ScheduleTerms): JsonObject => ({
  scheduleType: terms.scheduleType,
  chargeOffsetDays: terms.chargeOffsetDays,
  billingDays: [...terms.billingDays],
});

/**
 * No order is charged on the spot because its charge date came to lie in the past; one that was due already stays due. Gives what lost its
 * own date; null where no other order moved.
 */
function notTooLate(work: UnitOfWork, subscription: Aggregate, dueBefore: number): Ended | null {
  const { zone } = work;
  const now = work.at.getTime();
  const next = nextPlanned(subscription, zone);
  if (!next || next.billingAt > now || next.billingAt >= dueBefore) return null;
  const { contract } = subscription;
  const chargeAt = new Date(dueBefore <= now ? dueBefore : addDays(next.billingAt, daysBetween(next.billingAt, now, zone) + 1, zone));
  const delivery = addDays(chargeAt.getTime(), contract.charge_offset_days, zone);
  const following = plannedOf(subscription, zone, next.cycle + 1);
  let ended: Ended | null = null;
  if (following && daysBetween(delivery, following.deliveryAt, zone) <= 0) {
    ended = countAnew(subscription, chargeAt, next.cycle, zone);
  } else {
    let row = subscription.orders.find(order => order.cycle === next.cycle);
    if (!row) {
      row = newOrder(subscription, next, work.at);
      subscription.orders.push(row);
    }
    row.is_rescheduled = true;
    row.billing_at = chargeAt;
    row.delivery_at = new Date(delivery);
  }
  syncSchedule(subscription, zone);
  return ended;
}

const fieldsOrNull = (fields: DateFields): DateFields | null => (fields.delivery || fields.pickup ? fields : null);

/** Gives a contract other date fields; answers whether anything differs. */
export function applyDateFields(work: UnitOfWork, subscription: Aggregate, fields: DateFields): boolean {
  const wanted = fieldsOrNull(fields);
  if (JSON.stringify(ordered(wanted)) === JSON.stringify(ordered(subscription.contract.date_fields as DateFields | null))) return false;
  subscription.contract.date_fields = wanted;
  work.note(subscription, 'order_schedule_preferences', {
    isAutomatic: work.context.source === 'System',
    dateFields: wanted as JsonValue,
  });
  return true;
}
/** PostgreSQL keeps the members of a document in an order of its own. */
const ordered = (fields: DateFields | null): unknown =>
  fields && [fields.delivery, fields.pickup].map(field => field && [field.source, field.key, field.dateFormat]);
