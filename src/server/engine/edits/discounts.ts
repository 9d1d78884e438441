// Discounts of a subscription. There are two kinds: CODE, a discount code of the store, and MANUAL, typed in by a person. (Discounts of the
// third kind, BUNDLE, come and go with their bundle: see ../bundles.ts.)
import { minorDigits, toDecimal } from '../../../domain/money/money.ts';
import type { JsonObject } from '../../../contract/types.ts';
import { invalid, notFound } from '../../platform/context.ts';
import type { Aggregate } from '../aggregate.ts';
import { refuseBundleDiscount } from '../bundles.ts';
import { detailsOf, type StoreDiscountCode } from '../delivery/delivery-options.ts';
import { amountOf } from '../amount.ts';
import { convert } from '../../platform/records/exchange-rates.ts';
import { nameOf } from '../price.ts';
import type { DiscountRow, LineRow } from '../rows.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import { later, t } from '../../../domain/text/t.ts';

/** A discount to add: `code` alone, or `title`, `type` and what belongs to them. With a code, everything else is ignored. */
export interface NewDiscount {
  code?: string;
  title?: string;
  type?: 'PERCENTAGE' | 'FIXED_AMOUNT' | 'FREE_SHIPPING';
  /** PERCENTAGE: a whole number from 1 to 100. FIXED_AMOUNT: a decimal in the subscription's currency, above 0. Else unused. */
  value?: string | number | null;
  /** FIXED_AMOUNT: off every piece instead of once per order; only for products. */
  appliesOnEachItem?: boolean;
  targetType?: 'LINE_ITEM' | 'SHIPPING_LINE';
  /** The lines that it is for; empty: all. */
  lineIds?: number[];
  /** For so many orders; null: for all. */
  orderLimit?: number | null;
}

/** What a discount takes off, and of what; the columns of its row that follow from the input or the code alone. */
type DiscountTerms = Pick<
  DiscountRow,
  'kind' | 'title' | 'code' | 'type' | 'value' | 'applies_on_each_item' | 'target_type' | 'line_ids' | 'order_limit'
>;

const refuse = (pointer: string, rule: string, message: string) => invalid([{ pointer, rule, message }]);
const refuseCode = (message: string) => refuse('/code', 'discount', message);

/**
 * Adds a discount. A subscription has at most one code: a new one replaces it. Manual discounts add up.
 * @throws Refusal 422 at the field that is wrong, or at `code` with the reason why the code can't be used
 */
export async function addDiscount(work: UnitOfWork, subscription: Aggregate, input: NewDiscount): Promise<void> {
  const code = input.code?.trim();
  const terms = code ? termsOfCode(work, subscription, code) : manualTerms(subscription, input);
  for (const lineId of terms.line_ids)
    if (!subscription.lines.some(line => line.id === lineId))
      throw refuse('/lineIds', 'NOT_FOUND', t`One of these products is not part of the subscription.`);
  const id = await work.ids.next('contract_discounts');
  const row: DiscountRow = {
    store_id: work.context.storeId,
    id,
    contract_id: subscription.contract.id,
    usage_count: 0,
    rejection_reason: null,
    created_at: work.at,
    ...terms,
  };
  const replaced = row.kind === 'CODE' ? subscription.discounts.find(discount => discount.kind === 'CODE') : undefined;
  subscription.discounts = [...subscription.discounts.filter(discount => discount !== replaced), row];
  work.note(subscription, 'discount_added', {
    ...eventData(row),
    currencyCode: subscription.contract.currency_code,
    ...(replaced ? { replaced: eventData(replaced) } : {}),
  });
}

/**
 * Removes the discount with this id; without an id, the one with this code (in upper or lower case).
 * @throws Refusal 404 if there is none; 409 for the discount of a bundle
 */
export function removeDiscount(
  work: UnitOfWork,
  subscription: Aggregate,
  { discountId, code }: { discountId?: number; code?: string },
): void {
  const row = subscription.discounts.find(discount =>
    discountId !== undefined ? discount.id === discountId : code !== undefined && isSameCode(discount.code, code.trim()),
  );
  if (!row) throw notFound(later`discount`);
  refuseBundleDiscount(row);
  subscription.discounts = subscription.discounts.filter(discount => discount !== row);
  work.note(subscription, 'discount_removed', { ...eventData(row), currencyCode: subscription.contract.currency_code });
}

/**
 * To be called after the product of a line was replaced by another. A code for certain products is taken off the line unless it is for the
 * new product too, and off the subscription when this was its last line. Manual discounts stay: they were given to the line.
 * @param productBefore id of the product that the line had
 */
export function removeCodesAfterSwap(work: UnitOfWork, subscription: Aggregate, line: LineRow, productBefore: number | null): void {
  if (line.product_id === productBefore) return;
  for (const row of subscription.discounts) {
    if (row.kind !== 'CODE' || !row.line_ids.includes(line.id)) continue;
    const storeCode = findStoreCode(work, row.code);
    if (storeCode && isForProduct(storeCode, line)) continue;
    row.line_ids = row.line_ids.filter(id => id !== line.id);
    const wasLastLine = row.line_ids.length === 0;
    if (wasLastLine) subscription.discounts = subscription.discounts.filter(discount => discount !== row);
    work.note(subscription, 'discount_removed', {
      ...eventData(row),
      currencyCode: subscription.contract.currency_code,
      because: 'PRODUCT_SWAPPED',
      ...(wasLastLine ? {} : { lineId: line.id, name: nameOf(line) }),
    });
  }
}

/** Converts an amount (a decimal) from the store's currency to the subscription's; null if the store has no exchange rate for it. */
export function toContractCurrency(work: UnitOfWork, subscription: Aggregate, amount: string): string | null {
  const { store } = work.context;
  const { currency_code: currency } = subscription.contract;
  if (currency === store.currency_code) return amount;
  const minor = convert(store, Math.round(Number(amount) * 10 ** minorDigits(store.currency_code)), store.currency_code, currency);
  return minor === null ? null : toDecimal(minor, currency);
}

/** The terms of a discount that a person typed in. @throws Refusal 422 */
function manualTerms(
  subscription: Aggregate,
  { title, type, value, appliesOnEachItem = false, targetType = 'LINE_ITEM', lineIds = [], orderLimit = null }: NewDiscount,
): DiscountTerms {
  if (!title?.trim()) throw refuse('/title', 'required', t`Enter a title, or a discount code.`);
  if (!type) throw refuse('/type', 'required', t`Choose the type of the discount.`);
  const currency = subscription.contract.currency_code;
  if (type === 'PERCENTAGE' && !(Number(value) >= 1 && Number(value) <= 100))
    throw refuse('/value', 'range', t`Enter a value between 1 and 100.`);
  if (type === 'PERCENTAGE' && !Number.isInteger(Number(value))) throw refuse('/value', 'multipleOf', t`Enter a whole percentage.`);
  if (type === 'FIXED_AMOUNT' && (value === null || value === undefined || value === '' || amountOf(value, currency, '/value') <= 0))
    throw refuse('/value', 'range', t`Enter a discount above 0.`);
  const isForShipping = type === 'FREE_SHIPPING' || targetType === 'SHIPPING_LINE';
  return {
    kind: 'MANUAL',
    title: title.trim(),
    code: null,
    type,
    value: type === 'FREE_SHIPPING' ? null : type === 'PERCENTAGE' ? String(Number(value)) : String(value),
    applies_on_each_item: appliesOnEachItem && !isForShipping,
    target_type: isForShipping ? 'SHIPPING_LINE' : 'LINE_ITEM',
    line_ids: isForShipping ? [] : lineIds,
    order_limit: orderLimit,
  };
}

/** The terms of one of the store's codes, for the products of this subscription that it is for. @throws Refusal 422 */
function termsOfCode(work: UnitOfWork, subscription: Aggregate, code: string): DiscountTerms {
  const storeCode = findStoreCode(work, code);
  if (!storeCode || storeCode.isActive === false) throw refuseCode(t`This discount code doesn't exist.`);
  if (storeCode.appliesOnSubscription === false) throw refuseCode(t`This discount code can't be used on subscriptions.`);
  if (storeCode.usageLimitReached) throw refuseCode(t`This discount code has reached its usage limit.`);
  const lines = subscription.lines.filter(line => isForProduct(storeCode, line));
  if (lines.length === 0) throw refuseCode(t`This discount doesn't apply to any product in this subscription.`);
  const isForShipping = storeCode.type === 'FREE_SHIPPING' || storeCode.targetType === 'SHIPPING_LINE';
  return {
    kind: 'CODE',
    title: storeCode.title ?? storeCode.code,
    code: storeCode.code,
    type: storeCode.type,
    value: valueOfCode(work, subscription, storeCode),
    applies_on_each_item: storeCode.appliesOnEachItem ?? false,
    target_type: isForShipping ? 'SHIPPING_LINE' : 'LINE_ITEM',
    line_ids: storeCode.productIds && !isForShipping ? lines.map(line => line.id) : [],
    order_limit: storeCode.orderLimit ?? null,
  };
}

/** A percentage as it is; an amount in the subscription's currency; null for free shipping. @throws Refusal 422 without an exchange rate */
function valueOfCode(work: UnitOfWork, subscription: Aggregate, code: StoreDiscountCode): string | null {
  if (code.type === 'FREE_SHIPPING') return null;
  if (code.type === 'PERCENTAGE') return String(code.value ?? 0);
  const amount = toContractCurrency(work, subscription, String(code.value ?? 0));
  if (amount === null) throw refuseCode(t`This discount code has no value in ${subscription.contract.currency_code}.`);
  return amount;
}

const findStoreCode = (work: UnitOfWork, code: string | null): StoreDiscountCode | undefined =>
  (detailsOf(work.context.store).discountCodes ?? []).find(storeCode => isSameCode(code, storeCode.code));
const isSameCode = (a: string | null, b: string): boolean => a?.toLowerCase() === b.toLowerCase();
const isForProduct = ({ productIds }: StoreDiscountCode, line: LineRow): boolean =>
  !productIds || (line.product_id !== null && productIds.includes(line.product_id));

/** What events and webhooks tell about a discount. */
const eventData = (row: Pick<DiscountRow, 'id' | 'title' | 'code' | 'type' | 'value' | 'order_limit'>): JsonObject => ({
  discountId: row.id,
  title: row.title,
  code: row.code,
  type: row.type,
  value: row.value,
  orderLimit: row.order_limit,
});
