// What a product costs on a contract: by its plan, by a discount, by hand; and how many pieces there may be.
import priceBounds from '../../../../schemas/common/price.json' with { type: 'json' };
import { invalid } from '../../platform/context.ts';
import { convert } from '../../platform/records/exchange-rates.ts';
import type { Aggregate } from '../aggregate.ts';
import { amountOf } from '../amount.ts';
import { type PricingPolicy, policyOf } from '../price.ts';
import type { LineRow } from '../rows.ts';
import { billingOf, deliveryOf } from '../schedule.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import { type SoldVariant, findVariants, type OfferedPlan, policyOfPlan, plansOfVariants, hasFrequency } from './catalogue.ts';
import { t } from '../../../domain/text/t.ts';

/** Discounts of lines as calls name them (D242); SELLING_PLAN and BASED_ON_SELLING_PLAN are the same. */
export type LineDiscountType =
  | 'NONE'
  | 'PERCENTAGE'
  | 'FIXED'
  | 'FIXED_AMOUNT'
  | 'PRICE'
  | 'SELLING_PLAN'
  | 'BASED_ON_SELLING_PLAN'
  | 'OLD';
export const MAX_PIECES = 1_000_000;
export const HIGHEST_PRICE = Number(priceBounds.formatMaximum);

export const refuse = (pointer: string, rule: string, message: string) => invalid([{ pointer, rule, message }]);

export interface VariantChoice {
  variantId?: number;
  variantShopifyId?: number;
}

/** A variant that may be sold on subscription. */
export async function saleable(
  work: UnitOfWork,
  choice: VariantChoice,
  pointer = choice.variantId === undefined ? '/variantShopifyId' : '/variantId',
): Promise<SoldVariant> {
  if (choice.variantId === undefined && choice.variantShopifyId === undefined) throw refuse('/variantId', 'required', t`Choose a product.`);
  const [variant] = await findVariants(
    work.context,
    choice.variantId === undefined ? { shopifyIds: [choice.variantShopifyId as number] } : { ids: [choice.variantId] },
  );
  if (!variant || variant.deleted_at) throw refuse(pointer, 'PRODUCT_VARIANT_DOES_NOT_EXIST', t`This product no longer exists.`);
  if (variant.is_gift_card) throw refuse(pointer, 'GIFT_CARD', t`Gift cards can't be sold on subscription.`);
  if (variant.product_status === 'ARCHIVED')
    throw refuse(pointer, 'ARCHIVED', t`This product is archived. Make it active in your store first.`);
  return variant;
}

export interface Pricing {
  discountType?: LineDiscountType;
  discountValue?: string | number | null;
  sellingPlanId?: number | null;
}
export interface Priced {
  basePrice: number;
  price: number;
  policy: PricingPolicy | null;
  plan: OfferedPlan | null;
  isCustom: boolean;
}

/** The price of a variant on a contract: by a discount given, or by the plan named, or by the plan of the contract's frequency. */
export async function priceVariant(work: UnitOfWork, subscription: Aggregate, variant: SoldVariant, pricing: Pricing): Promise<Priced> {
  const currency = subscription.contract.currency_code;
  const basePrice = convert(work.context.store, variant.price, work.context.store.currency_code, currency);
  if (basePrice === null) throw refuse('/variantId', 'CURRENCY', t`This product has no price in ${currency}.`);
  const type = pricing.discountType ?? 'SELLING_PLAN';
  if (type === 'SELLING_PLAN' || type === 'BASED_ON_SELLING_PLAN') {
    const plan = await planFor(work, subscription, variant, pricing.sellingPlanId);
    if (plan) return { basePrice, price: basePrice, policy: policyOfPlan(work.context.store, plan.plan, currency), plan, isCustom: false };
    if (pricing.sellingPlanId || pricing.discountType)
      throw refuse(
        pricing.sellingPlanId ? '/sellingPlanId' : '/discountType',
        'PLAN_DOES_NOT_EXIST',
        t`${variant.product_title} has no selling plan with this frequency. Choose another discount.`,
      );
    return { basePrice, price: basePrice, policy: null, plan: null, isCustom: true };
  }
  return { basePrice, price: basePrice, policy: ruleBy(type, pricing.discountValue, currency), plan: null, isCustom: true };
}

const wrong = (message: string) => refuse('/discountValue', 'range', message);

/** A discount given by hand as a pricing policy. */
export function ruleBy(
  type: Exclude<LineDiscountType, 'SELLING_PLAN' | 'BASED_ON_SELLING_PLAN'>,
  value: string | number | null | undefined,
  currency: string,
): PricingPolicy | null {
  if (type === 'NONE' || type === 'OLD') return null;
  const number = Number(value);
  if (value === null || value === undefined || value === '' || !Number.isFinite(number)) throw wrong(t`Enter a value for the discount.`);
  if (type === 'PERCENTAGE') {
    if (number <= 0 || number > 100) throw wrong(t`Enter a percentage of 100 or less.`);
    return { cycleDiscounts: [{ afterCycle: 0, adjustmentType: 'PERCENTAGE', adjustmentValue: String(value) }] };
  }
  const amount = amountOf(value, currency, '/discountValue');
  if (type === 'PRICE') {
    refusePriceBeyond(amount, number, '/discountValue');
    return { cycleDiscounts: [{ afterCycle: 0, adjustmentType: 'PRICE', adjustmentValue: String(value) }] };
  }
  if (amount <= 0) throw wrong(t`Enter a discount above 0.`);
  return { cycleDiscounts: [{ afterCycle: 0, adjustmentType: 'FIXED_AMOUNT', adjustmentValue: String(value) }] };
}

async function planFor(
  work: UnitOfWork,
  subscription: Aggregate,
  variant: SoldVariant,
  planId: number | null | undefined,
): Promise<OfferedPlan | null> {
  const offered = (await plansOfVariants(work.context, [variant])).get(variant.id) ?? [];
  if (planId) return offered.find(({ plan }) => plan.lspId === planId) ?? null;
  const fits = offered.filter(({ plan }) => hasFrequency(plan, billingOf(subscription.contract), deliveryOf(subscription.contract)));
  const groups = new Set(subscription.contract.plan_group_ids);
  return fits.find(({ groupId }) => groups.has(groupId)) ?? fits[0] ?? null;
}

export function quantityOf(quantity: number, pointer = '/quantity'): number {
  if (quantity > MAX_PIECES) throw refuse(pointer, 'maximum', t`Enter a smaller quantity.`);
  if (!Number.isInteger(quantity) || quantity < 1) throw refuse(pointer, 'minimum', t`Enter a quantity of 1 or more.`);
  return quantity;
}

/** The discount a line has: of its plan, or what its price by hand is below its full price. */
export function keptPolicy(line: LineRow): PricingPolicy | null {
  if (!line.price_is_manual) return policyOf(line);
  if (line.base_price === 0 || line.price >= line.base_price) return null;
  return {
    cycleDiscounts: [
      {
        afterCycle: 0,
        adjustmentType: 'PERCENTAGE',
        adjustmentValue: String(Math.round((1 - line.price / line.base_price) * 1_000_000) / 10_000),
      },
    ],
  };
}

/** @throws Refusal 422 for a price that is none, in the bounds that every way in shares (common/price.json) */
function refusePriceBeyond(minor: number, price: number, pointer: string): void {
  if (minor < 0 || price > HIGHEST_PRICE) throw refuse(pointer, 'range', priceBounds['x-errors'].formatMaximum);
}

/** Minor units of the typed price of one piece. @throws Refusal 422 */
export function priceOf(price: string, currency: string): number {
  const minor = amountOf(price, currency, '/price');
  refusePriceBeyond(minor, Number(price), '/price');
  return minor;
}
