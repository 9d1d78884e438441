// Products and selling plans as the engine copies them into contracts: variants with their price, and the plans a variant is offered on.
import { sql } from 'kysely';
import { frequencyLabel, sameInterval, type Interval } from '../../../domain/calendar/interval.ts';
import { minorDigits, toDecimal } from '../../../domain/money/money.ts';
import { billingInterval, deliveryInterval, hasSecondPrice, type SellingPlan } from '../../../domain/selling-plans/selling-plan.ts';
import type { JsonObject } from '../../../contract/types.ts';
import { invalid } from '../../platform/context.ts';
import type { EngineContext } from '../context.ts';
import type { PricingPolicy } from '../price.ts';
import { convert } from '../../platform/records/exchange-rates.ts';
import type { Catalogue, OfferedPlan, SoldVariant } from './known-catalogue.ts';
import { t } from '../../../domain/text/t.ts';

export type { Catalogue, OfferedPlan, SoldVariant };

/** Reads variants by our id, the platform's or their SKU, with the plans they are offered on. */
export async function readCatalogue(context: EngineContext, by: VariantNames): Promise<Catalogue> {
  const variants = await findVariants({ ...context, catalogue: undefined }, by);
  return {
    byId: new Map(variants.map(one => [one.id, one])),
    byShopifyId: new Map(variants.map(one => [one.shopify_id, one])),
    plans: await plansOfVariants({ ...context, catalogue: undefined }, variants),
  };
}

export interface VariantNames {
  ids?: readonly number[];
  shopifyIds?: readonly number[];
  skus?: readonly string[];
}

/** Variants by our id, the platform's or their SKU, with what their product says. Deleted ones are found too. */
export async function findVariants({ trx, storeId, catalogue }: EngineContext, by: VariantNames): Promise<SoldVariant[]> {
  if (catalogue)
    return [
      ...(by.ids ?? []).flatMap(id => catalogue.byId.get(id) ?? []),
      ...(by.shopifyIds ?? []).flatMap(id => catalogue.byShopifyId.get(id) ?? []),
    ];
  const { rows } = await sql<SoldVariant>`
    select v.id, v.shopify_id, v.product_id, v.title, v.sku, v.price, coalesce(v.image, p.image) as image, v.weight_in_grams,
      v.requires_shipping, v.taxable, v.inventory_management, v.inventory_policy, v.inventory_quantity,
      coalesce(v.deleted_at, p.deleted_at) as deleted_at, p.title as product_title, p.status as product_status, p.image as product_image,
        p.is_gift_card
    from variants v join products p on p.store_id = v.store_id and p.id = v.product_id
    where v.store_id = ${storeId}::integer and (v.id = any(${by.ids ?? []}::bigint[])
      or v.shopify_id = any(${by.shopifyIds ?? []}::bigint[])
      ${by.skus?.length ? sql`or v.sku = any(${by.skus}::text[])` : sql``})`.execute(trx);
  return rows;
}

/** The plans of active groups that variants are offered on, by variant id. A whole product covers all its variants. */
export async function plansOfVariants(
  { trx, storeId, catalogue }: EngineContext,
  variants: readonly { id: number; product_id: number }[],
): Promise<Map<number, OfferedPlan[]>> {
  if (catalogue) return new Map(variants.map(({ id }) => [id, catalogue.plans.get(id) ?? []]));
  const offered = new Map<number, OfferedPlan[]>(variants.map(variant => [variant.id, []]));
  if (variants.length === 0) return offered;
  const mapped = await sql<{ group_id: number; product_id: number; variant_id: number | null }>`
    select distinct group_id, product_id, variant_id from plan_products where store_id = ${storeId}::integer
      and product_id = any(${variants.map(variant => variant.product_id)}::bigint[])`.execute(trx);
  const groups = await readPlanGroups(
    { trx, storeId },
    mapped.rows.map(row => row.group_id),
  );
  for (const variant of variants) {
    const ids = new Set(
      mapped.rows
        .filter(row => row.product_id === variant.product_id && (row.variant_id === null || row.variant_id === variant.id))
        .map(row => row.group_id),
    );
    for (const group of groups)
      if (ids.has(group.id))
        offered.get(variant.id)?.push(...group.plans.map(plan => ({ groupId: group.id, groupName: group.name, plan })));
  }
  return offered;
}

export async function readPlanGroups(
  { trx, storeId }: Pick<EngineContext, 'trx' | 'storeId'>,
  ids: readonly number[],
): Promise<{ id: number; name: string; plans: (SellingPlan & { lspId: number })[] }[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<{ id: number; data: JsonObject }>`
    select id, data from records where store_id = ${storeId}::integer and entity = 'selling-plan-group'
      and id = any(${[...new Set(ids)]}::bigint[]) and deleted_at is null and data->>'status' = 'ACTIVE'
    order by position nulls last, id`.execute(trx);
  return rows.map(({ id, data }) => ({
    id,
    name: String(data.name ?? ''),
    plans: (Array.isArray(data.sellingPlans) ? data.sellingPlans : []) as (SellingPlan & { lspId: number })[],
  }));
}

export const hasFrequency = (plan: SellingPlan, billing: Interval, delivery: Interval): boolean =>
  sameInterval(billingInterval(plan), billing) && sameInterval(deliveryInterval(plan), delivery);

/** The schedule that a plan sells: how often is charged and delivered, on which day, and how many orders at least and at most. */
export const scheduleOfPlan = (plan: SellingPlan) => ({
  delivery: deliveryInterval(plan),
  billing: {
    ...billingInterval(plan),
    minCycles: plan.recurringBillingPolicyMinCycles ?? null,
    maxCycles: plan.recurringBillingPolicyMaxCycles ?? null,
    anchorType: plan.anchorType ?? null,
    anchorDay: plan.anchorDay ?? null,
    anchorMonth: plan.anchorMonth ?? null,
  },
});

/** What a plan is chosen by: its name with its group's, and how often it delivers, unless its name says that already. */
export function planWords(groupName: string, plan: SellingPlan): { title: string; detail: string } {
  const often = frequencyLabel(deliveryInterval(plan));
  const isPaidEachTime = sameInterval(billingInterval(plan), deliveryInterval(plan));
  const isSaid = isPaidEachTime && plan.name.toLowerCase().includes(often.toLowerCase());
  return { title: `${groupName}: ${plan.name}`, detail: isSaid ? '' : isPaidEachTime ? often : t`${often}, prepaid` };
}

/**
 * The prices of a plan as a line keeps them; amounts are converted when the contract has another currency.
 * @throws Refusal 422 for an amount that has no value in that currency: 4.50 dollars are not 4.50 yen
 */
export function policyOfPlan(store: EngineContext['store'], plan: SellingPlan, currency: string): PricingPolicy {
  const value = (type: string, given: number | string | null | undefined): string => {
    const text = String(given ?? 0);
    if (type === 'PERCENTAGE' || currency === store.currency_code) return text;
    const minor = convert(store, Math.round(Number(text) * 10 ** minorDigits(store.currency_code)), store.currency_code, currency);
    if (minor === null)
      throw invalid([
        {
          pointer: '/sellingPlanId',
          rule: 'CURRENCY',
          message: t`The selling plan “${plan.name}” has a price in ${store.currency_code}, and your store has no rate for ${currency}.`,
        },
      ]);
    return toDecimal(minor, currency);
  };
  const rules: PricingPolicy['cycleDiscounts'] = [];
  if (plan.fixedDiscountType !== 'NONE')
    rules.push({
      afterCycle: 0,
      adjustmentType: plan.fixedDiscountType,
      adjustmentValue: value(plan.fixedDiscountType, plan.fixedDiscountValue),
    });
  if (plan.recurringDiscountType && hasSecondPrice(plan)) {
    const afterCycle = plan.recurringDiscountAfterCycle ?? 0;
    rules.push(
      plan.recurringDiscountType === 'NONE'
        ? { afterCycle, adjustmentType: 'PERCENTAGE', adjustmentValue: '0' }
        : {
            afterCycle,
            adjustmentType: plan.recurringDiscountType,
            adjustmentValue: value(plan.recurringDiscountType, plan.recurringDiscountValue),
          },
    );
  }
  return { cycleDiscounts: rules };
}
