/**
 * The order schedule of a store: whether dates are charge or delivery dates, on which weekdays
 * orders are charged, how long before delivery.
 */
import { chargeOffsetDays, type ChargeOffsetRow } from './charge-offset.ts';
import type { FieldError, JsonObject, JsonValue } from '../../contract/types.ts';
import { ORDER_TAG_KEYS, tagProblem, type OrderTag, type OrderTagKey } from './order-tags.ts';
import { t } from '../text/t.ts';

export type ScheduleType = 'BILLING' | 'DELIVERY';
/** D266: what the date of an order ahead means. */
export const ORDER_TYPES = { DELIVERY: 'delivery_scheduled_order', BILLING: 'billing_scheduled_order' } as const;

/** Where a placed order carries its delivery date: an attribute of the order, or a line of its note. */
export type DateField = { source: 'ORDER_ATTRIBUTE' | 'NOTE_ATTRIBUTE'; key: string; dateFormat: string };
/** For orders that are shipped or delivered, and for those that are picked up. */
export type DateFields = { delivery: DateField | null; pickup: DateField | null };

export type OrderScheduleSettings = {
  scheduleType: ScheduleType;
  /** Weekdays, 1 Monday to 7 Sunday; empty means all. */
  billingDays: readonly number[];
  chargeOffset: number;
  countryBasedChargeOffset: readonly ChargeOffsetRow[];
  dateFields: DateFields;
  tags: readonly OrderTag[];
};
/** What one subscription takes over of it. */
export type ScheduleTerms = { scheduleType: ScheduleType; billingDays: readonly number[]; chargeOffsetDays: number };

/** The fields of the page that hold the tag of each key. */
export const TAG_FIELDS: Readonly<Record<OrderTagKey, string>> = {
  DELIVERY_DATE: 'deliveryDateTag',
  BILLING_DATE: 'billingDateTag',
  ORDER_NUMBER: 'orderNumberTag',
  FREQUENCY: 'frequencyTag',
};
const FORMAT = 'YYYY-MM-DD';

const objectOf = (value: JsonValue | undefined): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
const listOf = (value: JsonValue | undefined): JsonValue[] => (Array.isArray(value) ? value : []);
const wholeOf = (value: JsonValue | undefined): number => (typeof value === 'number' && Number.isInteger(value) ? value : 0);
const textOf = (value: JsonValue | undefined, otherwise = ''): string => (typeof value === 'string' && value !== '' ? value : otherwise);

/** A row of the page: without provinces it is for the whole country. */
function rowOf(value: JsonValue): ChargeOffsetRow {
  const row = objectOf(value);
  const provinces = listOf(row.provinceCodes).map(code => String(code).toUpperCase());
  return { countryCode: textOf(row.countryCode), provinceCodes: provinces.length ? provinces : 'ALL', offsetDays: wholeOf(row.offsetDays) };
}

function fieldOf(value: JsonValue | undefined): DateField | null {
  const field = objectOf(value);
  const key = textOf(field.key).trim();
  return field.enabled === true && key
    ? {
        source: field.source === 'NOTE_ATTRIBUTE' ? 'NOTE_ATTRIBUTE' : 'ORDER_ATTRIBUTE',
        key,
        dateFormat: textOf(field.dateFormat, FORMAT),
      }
    : null;
}

/**
 * The settings page as the rules read it; fields that do not count for its type are left at nothing. Never
 * throws: what is half typed counts as absent.
 */
export function orderScheduleOf(page: JsonObject): OrderScheduleSettings {
  const scheduleType: ScheduleType = page.scheduleType === 'DELIVERY' ? 'DELIVERY' : 'BILLING';
  const isDelivery = scheduleType === 'DELIVERY';
  const days = listOf(page.billingDays).filter(
    (day): day is number => typeof day === 'number' && Number.isInteger(day) && day >= 1 && day <= 7,
  );
  return {
    scheduleType,
    billingDays: isDelivery || page.onlyOnBillingDays !== true ? [] : [...new Set(days)].sort((a, b) => a - b),
    chargeOffset: isDelivery ? wholeOf(page.chargeOffset) : 0,
    countryBasedChargeOffset: isDelivery
      ? listOf(page.countryBasedChargeOffset)
          .map(rowOf)
          .filter(row => row.countryCode !== '')
      : [],
    dateFields: { delivery: fieldOf(page.deliveryDateField), pickup: fieldOf(page.pickupDateField) },
    tags: ORDER_TAG_KEYS.map(tagKey => {
      const tag = objectOf(page[TAG_FIELDS[tagKey]]);
      return { tagKey, enabled: tag.enabled === true, value: textOf(tag.value), dateFormat: textOf(tag.dateFormat, FORMAT) };
    }),
  };
}

/** What a subscription that goes to an address takes over. */
export const termsFor = (
  settings: Pick<OrderScheduleSettings, 'scheduleType' | 'billingDays' | 'chargeOffset' | 'countryBasedChargeOffset'>,
  address: { countryCode?: string | null; provinceCode?: string | null },
): ScheduleTerms => ({
  scheduleType: settings.scheduleType,
  billingDays: settings.billingDays,
  chargeOffsetDays: settings.scheduleType === 'DELIVERY' ? chargeOffsetDays(settings, address) : 0,
});

/** What is wrong with a page besides its single fields: places named twice, and tags that can't be filled in. */
export function orderScheduleErrors(page: JsonObject): FieldError[] {
  const errors: FieldError[] = [];
  const seen = new Map<string, number>();
  listOf(page.countryBasedChargeOffset).forEach((value, index) => {
    const row = rowOf(value);
    const places = row.provinceCodes === 'ALL' ? [row.countryCode] : row.provinceCodes.map(province => `${row.countryCode}-${province}`);
    for (const place of places) {
      const before = seen.get(place);
      if (before === undefined) {
        seen.set(place, index);
        continue;
      }
      const isWhole = row.provinceCodes === 'ALL';
      const [, province] = place.split('-');
      errors.push({
        pointer: `/countryBasedChargeOffset/${index}/${isWhole ? 'countryCode' : 'provinceCodes'}`,
        rule: 'uniqueItems',
        message:
          before === index
            ? t`${province ?? ''} stands here twice.`
            : isWhole
              ? t`This country is already in row ${before + 1}. Name provinces, or leave one of both.`
              : t`${province ?? ''} is already in row ${before + 1}.`,
      });
    }
  });
  for (const tagKey of ORDER_TAG_KEYS) {
    const tag = objectOf(page[TAG_FIELDS[tagKey]]);
    if (tag.enabled !== true) continue;
    const problem = tagProblem(textOf(tag.value));
    if (problem) errors.push({ pointer: `/${TAG_FIELDS[tagKey]}/value`, rule: 'pattern', message: problem });
  }
  const { delivery, pickup } = orderScheduleOf(page).dateFields;
  if (delivery && pickup && delivery.key === pickup.key && delivery.source === pickup.source && delivery.dateFormat !== pickup.dateFormat)
    errors.push({
      pointer: '/pickupDateField/dateFormat',
      rule: 'const',
      message: t`Deliveries use the same attribute. Write its dates the same way, or choose another attribute.`,
    });
  return errors;
}
