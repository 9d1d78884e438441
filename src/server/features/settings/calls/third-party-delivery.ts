// Zapiet, which lets customers choose delivery days and times (C199-C201). What it answered last stands in the store's
// details.
import { dayNumber, dayOf, stepDay, weekdayOf, type Day } from '../../../../domain/calendar/calendar.ts';
import type { JsonObject, JsonValue } from '../../../../contract/types.ts';
import { invalid, invalidState, notFound, type Context } from '../../../platform/context.ts';
import { canDeliver, dateOf, deliveryRange } from '../../../../domain/schedule/delivery-days.ts';
import { hasZapiet, zapietOf, type DeliveryMethod, type Zapiet } from '../zapiet.ts';
import { readSetting } from '../../../platform/records/settings.ts';
import { PAGE, savePart } from './order-schedule.ts';
import { later, t } from '../../../../domain/text/t.ts';

function connected(context: Context): Zapiet {
  if (!hasZapiet(context)) throw invalidState(t`Zapiet isn't connected to this store. Connect it in your integrations first.`);
  return zapietOf(context);
}
const DAY_MS = 86_400_000;
const numberOf = (date: string): number => Date.parse(date) / DAY_MS;
const dayOfDate = (date: string): Day => dayOf(Date.parse(date), 'UTC');
const monthsLater = (date: string, months: number): number =>
  dayNumber(stepDay(dayOfDate(date), { interval: 'MONTH', intervalCount: 1 }, months));

/** The first and last day that can be chosen, and the days between that can't (C199). Days are the store's calendar days. */
export async function datesConfig(
  context: Context,
  {
    contractId,
    fromDate,
    months = 3,
  }: { contractId?: number; address?: JsonObject; deliveryMethod: DeliveryMethod; fromDate?: string; months?: number },
): Promise<JsonValue> {
  const zapiet = connected(context);
  if (
    contractId !== undefined &&
    !(await context.trx
      .selectFrom('contracts')
      .select('id')
      .where('store_id', '=', context.storeId)
      .where('id', '=', contractId)
      .executeTakeFirst())
  )
    throw notFound(later`subscription`);
  const today = dayNumber(dayOf(context.now().getTime(), context.store.timezone));
  const from = Math.max(today, fromDate ? numberOf(fromDate) : today);
  const [first, last] = deliveryRange(zapiet, today);
  const min = Math.max(from, first);
  const max = Math.min(monthsLater(dateOf(from), months), last);
  const disabledDates = (zapiet.disabledDates ?? []).filter(date => numberOf(date) >= min && numberOf(date) <= max).sort();
  return {
    minDate: dateOf(min),
    maxDate: dateOf(Math.max(min, max)),
    disabledDates,
    disabledWeekdays: [...(zapiet.disabledWeekdays ?? [])].sort(),
  };
}

/** The times of a day (C201). @throws Refusal 422 for a day that can't be chosen, or a pickup without its location */
export async function timeSlots(
  context: Context,
  { date, deliveryMethod, locationId }: { date: string; deliveryMethod: DeliveryMethod; locationId?: number },
): Promise<JsonValue> {
  const zapiet = connected(context);
  const today = dayNumber(dayOf(context.now().getTime(), context.store.timezone));
  const weekday = weekdayOf(dayOfDate(date));
  if (!canDeliver(zapiet, today, numberOf(date)))
    throw invalid([{ pointer: '/date', rule: 'date', message: t`Choose another date, this one is not available.` }]);
  if (deliveryMethod === 'PICKUP' && locationId === undefined)
    throw invalid([{ pointer: '/locationId', rule: 'required', message: t`Choose a location for the pickup.` }]);
  return (zapiet.slots ?? [])
    .filter(
      slot =>
        (slot.methods?.includes(deliveryMethod) ?? true) && (locationId === undefined || (slot.locationIds?.includes(locationId) ?? true)),
    )
    .map(slot => ({ id: `${date} ${slot.from}`, from: slot.from, to: slot.to, available: slot.weekdays?.includes(weekday) ?? true }));
}

/** Turns off what Zapiet does not go together with: charging on certain weekdays only (C200). Answers what was turned off. */
export async function disablePreferences(context: Context): Promise<JsonValue> {
  connected(context);
  const { data } = await readSetting(context, PAGE);
  if (data.onlyOnBillingDays !== true) return { disabled: [] };
  await savePart(context, { onlyOnBillingDays: false });
  return { disabled: ['specificBillingDays'] };
}
