/** What an order schedule means for a subscription bought now, before it is saved: the dates, tags and fields of its next orders. */
import { addDays } from '../calendar/calendar.ts';
import { frequencyLabel, type Interval } from '../calendar/interval.ts';
import { orderScheduleOf, termsFor, type DateField } from './order-schedule-settings.ts';
import { scheduleTags } from './order-tags.ts';
import { upcoming } from './schedule.ts';
import { shortDate } from '../calendar/short-date.ts';
import type { JsonObject } from '../../contract/types.ts';

export type PreviewOrder = {
  /** The checkout order is 1. */
  orderNumber: number;
  billingAt: number;
  deliveryAt: number;
  tags: string[];
  /** Name and date in the delivery date field, when there is one. */
  field: (Pick<DateField, 'key' | 'source'> & { value: string }) | null;
};
export type PreviewQuestion = {
  /** Time zone of the store. */
  zone: string;
  /** Moment of the purchase, epoch ms. */
  now: number;
  every: Interval;
  countryCode: string;
  provinceCode?: string | null;
  count?: number;
};

/** The orders after the checkout. `page` is the settings page as it is typed. The same rules date the real ones. */
export function previewOrders(
  page: JsonObject,
  { zone, now, every, countryCode, provinceCode = null, count = 3 }: PreviewQuestion,
): PreviewOrder[] {
  const settings = orderScheduleOf(page);
  const terms = termsFor(settings, { countryCode, provinceCode });
  const orders = upcoming(
    {
      zone,
      billingHour: null,
      baseAt: addDays(now, terms.chargeOffsetDays, zone),
      baseCycle: 1,
      nextCycle: 2,
      deliveryPolicy: every,
      billingPolicy: every,
      anchor: null,
      prepaidCreditsLeft: 0,
      completedOrders: 1,
      maxCycles: null,
      exceptions: new Map(),
      lastOrderAt: now,
      ...terms,
    },
    { from: now, limit: count, months: 1_200 },
  );
  const label = frequencyLabel(every);
  const field = settings.dateFields.delivery;
  return orders.map(({ orderNumber, billingAt, deliveryAt }) => ({
    orderNumber,
    billingAt,
    deliveryAt,
    tags: scheduleTags(
      settings.tags,
      { billingAt, deliveryAt, orderNumber, frequency: label.charAt(0).toUpperCase() + label.slice(1), subscriptionId: 10_482 },
      zone,
    ),
    field: field && { key: field.key, source: field.source, value: shortDate(deliveryAt, zone, field.dateFormat) },
  }));
}
