/** Tags that say when and how an order was due (D193): templates with placeholders, filled when the order is placed. */
import { shortDate } from '../calendar/short-date.ts';
import { t } from '../text/t.ts';
import { uniqueTags } from '../text/tags.ts';

export const ORDER_TAG_KEYS = ['DELIVERY_DATE', 'BILLING_DATE', 'ORDER_NUMBER', 'FREQUENCY'] as const;
export type OrderTagKey = (typeof ORDER_TAG_KEYS)[number];
/** One template; `dateFormat` is how the dates in it are written. */
export type OrderTag = { tagKey: OrderTagKey; enabled: boolean; value: string; dateFormat: string };

/** What a tag may speak of. Instants are epoch ms. */
export type TagFacts = { billingAt: number; deliveryAt: number; orderNumber: number; frequency: string; subscriptionId: number };

/** The platform cuts longer tags. */
export const LONGEST_TAG = 40;
const PLACEHOLDERS: Readonly<Record<string, (facts: TagFacts, date: (at: number) => string) => string>> = {
  delivery_date: (facts, date) => date(facts.deliveryAt),
  billing_date: (facts, date) => date(facts.billingAt),
  order_number: facts => String(facts.orderNumber),
  frequency: facts => facts.frequency,
  id: facts => String(facts.subscriptionId),
};
export const TAG_PLACEHOLDERS: readonly string[] = Object.keys(PLACEHOLDERS);
/** Values as long as they get, for judging whether a filled tag fits. */
const LONGEST: TagFacts = { billingAt: 0, deliveryAt: 0, orderNumber: 9999, frequency: 'Every 12 months', subscriptionId: 99_999_999_999 };

/** The text of one tag; unknown placeholders stay as they are written. */
export function fillTag({ value, dateFormat }: Pick<OrderTag, 'value' | 'dateFormat'>, facts: TagFacts, zone: string): string {
  const date = (at: number): string => shortDate(at, zone, dateFormat);
  return value
    .replace(/\{(\w+)\}/g, (written, name: string) =>
      Object.hasOwn(PLACEHOLDERS, name) ? (PLACEHOLDERS[name]?.(facts, date) ?? written) : written,
    )
    .trim();
}

/** The tags of an order in the order of their keys, without doubles; times are in the store's zone. */
export function scheduleTags(tags: readonly OrderTag[], facts: TagFacts, zone: string): string[] {
  const filled = tags.filter(tag => tag.enabled).map(tag => fillTag(tag, facts, zone).slice(0, LONGEST_TAG).trim());
  return uniqueTags(filled);
}

/** What is wrong with a template, in a sentence; null when it can be used. */
export function tagProblem(value: string): string | null {
  const unknown = [...value.matchAll(/\{([^{}]*)\}/g)].map(match => match[1] ?? '').find(name => !Object.hasOwn(PLACEHOLDERS, name));
  if (unknown !== undefined) {
    const names = TAG_PLACEHOLDERS.map(name => `{${name}}`);
    const [name, others, last] = [`{${unknown}}`, names.slice(0, -1).join(', '), names.at(-1) ?? ''];
    return t`Unknown placeholder ${name}. Use ${others} or ${last}.`;
  }
  if (/[{}]/.test(value.replace(/\{\w+\}/g, ''))) {
    const example = '{delivery_date}';
    return t`A placeholder is written in braces, such as ${example}.`;
  }
  const length = fillTag({ value, dateFormat: 'YYYY-MM-DD' }, LONGEST, 'UTC').length;
  return length > LONGEST_TAG ? t`Filled in, this tag can be ${length} characters long. A tag can have at most ${LONGEST_TAG}.` : null;
}
