// Discounts on a contract: codes of the store and those typed in by hand.
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

export interface NewDiscount {
  code?: string;
  title?: string;
  type?: 'PERCENTAGE' | 'FIXED_AMOUNT' | 'FREE_SHIPPING';
  value?: string | number | null;
  appliesOnEachItem?: boolean;
  targetType?: 'LINE_ITEM' | 'SHIPPING_LINE';
  lineIds?: number[];
  orderLimit?: number | null;
}
const refuse = (pointer: string, rule: string, message: string) => invalid([{ pointer, rule, message }]);

/** Adds a discount. Only one code is kept: a second takes the place of the first; those by hand stack. */
export async function addDiscount(work: UnitOfWork, subscription: Aggregate, input: NewDiscount): Promise<void> {
  const code = input.code?.trim();
  const discount = code ? fromCode(work, subscription, code) : byHand(subscription, input);
  for (const lineId of discount.line_ids)
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
    ...discount,
  };
  const replaced = row.kind === 'CODE' ? subscription.discounts.find(other => other.kind === 'CODE') : undefined;
  subscription.discounts = [...subscription.discounts.filter(other => other !== replaced), row];
  work.note(subscription, 'discount_added', {
    ...told(row),
    currencyCode: subscription.contract.currency_code,
    ...(replaced ? { replaced: told(replaced) } : {}),
  });
}

type Made = Pick<
  DiscountRow,
  'kind' | 'title' | 'code' | 'type' | 'value' | 'applies_on_each_item' | 'target_type' | 'line_ids' | 'order_limit'
>;

function byHand(
  subscription: Aggregate,
  { title, type, value, appliesOnEachItem = false, targetType = 'LINE_ITEM', lineIds = [], orderLimit = null }: NewDiscount,
): Made {
  if (!title?.trim()) throw refuse('/title', 'required', t`Enter a title, or a discount code.`);
  if (!type) throw refuse('/type', 'required', t`Choose the type of the discount.`);
  const currency = subscription.contract.currency_code;
  if (type === 'PERCENTAGE' && !(Number(value) >= 1 && Number(value) <= 100))
    throw refuse('/value', 'range', t`Enter a value between 1 and 100.`);
  if (type === 'PERCENTAGE' && !Number.isInteger(Number(value))) throw refuse('/value', 'multipleOf', t`Enter a whole percentage.`);
  if (type === 'FIXED_AMOUNT' && (value === null || value === undefined || value === '' || amountOf(value, currency, '/value') <= 0))
    throw refuse('/value', 'range', t`Enter a discount above 0.`);
  const isShipping = type === 'FREE_SHIPPING' || targetType === 'SHIPPING_LINE';
  return {
    kind: 'MANUAL',
    title: title.trim(),
    code: null,
    type,
    value: type === 'FREE_SHIPPING' ? null : type === 'PERCENTAGE' ? String(Number(value)) : String(value),
    applies_on_each_item: appliesOnEachItem && !isShipping,
    target_type: isShipping ? 'SHIPPING_LINE' : 'LINE_ITEM',
    line_ids: isShipping ? [] : lineIds,
    order_limit: orderLimit,
  };
}

const no = (message: string) => refuse('/code', 'discount', message);

/** A code of the store, checked against this contract. */
function fromCode(work: UnitOfWork, subscription: Aggregate, code: string): Made {
  const known = (detailsOf(work.context.store).discountCodes ?? []).find(one => one.code.toLowerCase() === code.toLowerCase());
  if (!known || known.isActive === false) throw no(t`This discount code doesn't exist.`);
  if (known.appliesOnSubscription === false) throw no(t`This discount code can't be used on subscriptions.`);
  if (known.usageLimitReached) throw no(t`This discount code has reached its usage limit.`);
  const entitled = subscription.lines.filter(
    line => !known.productIds || (line.product_id !== null && known.productIds.includes(line.product_id)),
  );
  if (entitled.length === 0) throw no(t`This discount doesn't apply to any product in this subscription.`);
  const isShipping = known.type === 'FREE_SHIPPING' || known.targetType === 'SHIPPING_LINE';
  return {
    kind: 'CODE',
    title: known.title ?? known.code,
    code: known.code,
    type: known.type,
    value: valueIn(work, subscription, known),
    applies_on_each_item: known.appliesOnEachItem ?? false,
    target_type: isShipping ? 'SHIPPING_LINE' : 'LINE_ITEM',
    line_ids: known.productIds && !isShipping ? entitled.map(line => line.id) : [],
    order_limit: known.orderLimit ?? null,
  };
}

function valueIn(work: UnitOfWork, subscription: Aggregate, code: StoreDiscountCode): string | null {
  if (code.type === 'FREE_SHIPPING') return null;
  if (code.type === 'PERCENTAGE') return String(code.value ?? 0);
  const value = inCurrencyOf(work, subscription, String(code.value ?? 0));
  if (value === null) throw refuse('/code', 'discount', t`This discount code has no value in ${subscription.contract.currency_code}.`);
  return value;
}

/** An amount in the store's currency as it is in that of a contract; null where the store has no rate for it. */
export function inCurrencyOf(work: UnitOfWork, subscription: Aggregate, amount: string): string | null {
  const { store } = work.context;
  const { currency_code: currency } = subscription.contract;
  if (currency === store.currency_code) return amount;
  const minor = convert(store, Math.round(Number(amount) * 10 ** minorDigits(store.currency_code)), store.currency_code, currency);
  return minor === null ? null : toDecimal(minor, currency);
}

/** Takes a discount off, by its id or its code. */
export function removeDiscount(
  work: UnitOfWork,
  subscription: Aggregate,
  { discountId, code }: { discountId?: number; code?: string },
): void {
  const row = subscription.discounts.find(one =>
    discountId !== undefined ? one.id === discountId : code !== undefined && one.code?.toLowerCase() === code.trim().toLowerCase(),
  );
  if (!row) throw notFound(later`discount`);
  refuseBundleDiscount(row);
  subscription.discounts = subscription.discounts.filter(other => other !== row);
  work.note(subscription, 'discount_removed', { ...told(row), currencyCode: subscription.contract.currency_code });
}

/**
 * Another product took the place of one: a code that is limited to certain products leaves the line unless it is for the new one too, and
 * the subscription when no other line has it. Discounts by hand were given to the line and stay.
 */
export function leaveCodes(work: UnitOfWork, subscription: Aggregate, line: LineRow, productBefore: number | null): void {
  if (line.product_id === productBefore) return;
  for (const row of subscription.discounts) {
    if (row.kind !== 'CODE' || !row.line_ids.includes(line.id)) continue;
    const known = (detailsOf(work.context.store).discountCodes ?? []).find(one => one.code.toLowerCase() === row.code?.toLowerCase());
    if (known && (!known.productIds || (line.product_id !== null && known.productIds.includes(line.product_id)))) continue;
    row.line_ids = row.line_ids.filter(id => id !== line.id);
    const isGone = row.line_ids.length === 0;
    if (isGone) subscription.discounts = subscription.discounts.filter(other => other !== row);
    work.note(subscription, 'discount_removed', {
      ...told(row),
      currencyCode: subscription.contract.currency_code,
      because: 'PRODUCT_SWAPPED',
      ...(isGone ? {} : { lineId: line.id, name: nameOf(line) }),
    });
  }
}

const told = (row: Pick<DiscountRow, 'id' | 'title' | 'code' | 'type' | 'value' | 'order_limit'>): JsonObject => ({
  discountId: row.id,
  title: row.title,
  code: row.code,
  type: row.type,
  value: row.value,
  orderLimit: row.order_limit,
});
