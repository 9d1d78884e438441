// Bundles as they are kept, with the products and plans behind them.
import { sql } from 'kysely';
import { priceRule, ruleFor, type PriceRule } from '../../../domain/money/pricing.ts';
import { withBothEnds, type Bundle } from '../../../domain/bundles/bundle.ts';
import type { JsonObject } from '../../../contract/types.ts';
import type { RuleContext } from '../../platform/records/rules.ts';
import { type EngineContext, type OfferedPlan, policyOfPlan, readPlanGroups, type SoldVariant } from '../../engine/index.ts';

type Reading = Pick<RuleContext, 'trx' | 'storeId'>;

/** Bundles by their ids, or all of a status. Deleted ones are not found. */
export async function readBundles(
  { trx, storeId }: Reading,
  { ids, status, bundleType }: { ids?: readonly number[]; status?: Bundle['status']; bundleType?: Bundle['bundleType'] } = {},
): Promise<Bundle[]> {
  const { rows } = await sql<{ id: number; data: JsonObject }>`select id, data from records where store_id = ${storeId}::integer
    and entity = 'bundle' and deleted_at is null
    ${ids ? sql`and id = any(${[...ids]}::bigint[])` : sql``}
    ${status ? sql`and data ->> 'status' = ${status}` : sql``}
    ${bundleType ? sql`and data ->> 'bundleType' = ${bundleType}` : sql``} order by id limit 1000`.execute(trx);
  return rows.map(({ id, data }) => {
    const bundle = data as Bundle;
    return { ...bundle, id, boxSizes: withBothEnds(bundle.type, bundle.boxSizes ?? []) };
  });
}

/** The plans of a bundle's selling plan group, while that is active. */
export async function plansOfBundle(context: Reading, { sellingPlanGroupId }: Pick<Bundle, 'sellingPlanGroupId'>): Promise<OfferedPlan[]> {
  const groups = await readPlanGroups(context, sellingPlanGroupId ? [sellingPlanGroupId] : []);
  return groups.flatMap(({ id, name, plans }) => plans.map(plan => ({ groupId: id, groupName: name, plan })));
}

/** What a plan makes of a price in the first order, in the store's currency. */
export function firstPrice(store: EngineContext['store'], { plan }: OfferedPlan): PriceRule {
  const currency = store.currency_code;
  const { cycleDiscounts } = policyOfPlan(store, plan, currency);
  return ruleFor(
    cycleDiscounts.map(({ afterCycle, adjustmentType, adjustmentValue }) => ({
      afterCycle,
      rule: priceRule(adjustmentType, adjustmentValue, currency),
    })),
    1,
  );
}

/** The ids of a box's variants: of its products, without those left out and those deleted. */
export async function poolOf({ trx, storeId }: Reading, { productIds = [], excludedVariantIds = [] }: Partial<Bundle>): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select v.id from unnest(${productIds}::bigint[]) with ordinality as o(id, n)
    join products p on p.store_id = ${storeId}::integer and p.id = o.id and p.deleted_at is null
    join variants v on v.store_id = p.store_id and v.product_id = p.id and v.deleted_at is null
    where v.id <> all(${excludedVariantIds}::bigint[]) order by o.n, v.position, v.id limit 2000`.execute(trx);
  return rows.map(row => row.id);
}

/** Whether so many pieces of a variant can be sold now. */
export const isInStock = (variant: SoldVariant, pieces: number): boolean =>
  !variant.inventory_management || variant.inventory_policy !== 'deny' || variant.inventory_quantity >= pieces;

/** How many active and paused subscriptions hold each bundle. */
export async function heldBy({ trx, storeId }: Reading, ids: readonly number[]): Promise<Map<number, number>> {
  const { rows } = await sql<{ id: number; n: number }>`select b.id, count(*)::integer as n from contracts c
      cross join lateral unnest(c.bundle_ids) as b(id)
    where c.store_id = ${storeId}::integer and c.bundle_ids is not null and c.status in ('ACTIVE', 'PAUSED')
      and b.id = any(${[...ids]}::bigint[]) group by 1`.execute(trx);
  return new Map(rows.map(row => [row.id, row.n]));
}
