// What conditions ask of a subscription: each fact's name and what it holds. How the database knows it stands in
// src/server/platform/records/conditions/facts-sql.ts, which has an entry for each.

/** number: whole; money: minor units of the store's currency; text: or null; texts and ids: lists. */
export type FactKind = 'number' | 'money' | 'text' | 'texts' | 'ids';
export type FactValue = number | string | null | readonly (string | number)[];

export const CONDITION_FACTS = {
  status: 'text',
  completedOrders: 'number',
  spent: 'money',
  nextOrderValue: 'money',
  ageDays: 'number',
  frequency: 'text',
  paymentType: 'text',
  planGroupIds: 'ids',
  tags: 'texts',
  skips: 'number',
  customerTags: 'texts',
  customerOrders: 'number',
  customerSpent: 'money',
  countryCode: 'text',
  provinceCode: 'text',
  deliveryType: 'text',
  source: 'text',
  productIds: 'ids',
  variantIds: 'ids',
  collectionIds: 'ids',
  quantity: 'number',
  vendors: 'texts',
  productTypes: 'texts',
  productTags: 'texts',
  orderNumber: 'number',
  orderValue: 'money',
  failureReason: 'text',
  failureCode: 'text',
  failureMessage: 'text',
  retriesLeft: 'number',
  declineType: 'text',
} as const satisfies Record<string, FactKind>;
export type ConditionFact = keyof typeof CONDITION_FACTS;

/** Facts that hold tags: as `nameKey` compares them, so that a tag is found however it is written. */
export const TAG_FACTS: ReadonlySet<string> = new Set(['tags', 'customerTags', 'productTags'] satisfies ConditionFact[]);

/** "attribute:supplier": an attribute of the subscription by its key. */
export const ATTRIBUTE = 'attribute:';

/** What a fact holds; undefined where there is none of this name. */
export function factKindOf(name: string): FactKind | undefined {
  if (name.startsWith(ATTRIBUTE)) return name.length > ATTRIBUTE.length ? 'text' : undefined;
  return Object.hasOwn(CONDITION_FACTS, name) ? CONDITION_FACTS[name as ConditionFact] : undefined;
}
