// The variants behind what a profile names, as a subscription could take them: which may be shown, on which plan, at what price.
import { sql } from 'kysely';
import { chargePrice, priceRule, ruleFor } from '../../../domain/money/pricing.ts';
import { toDecimal, toMinor } from '../../../domain/money/money.ts';
import { Refusal } from '../../platform/context.ts';
import { convert } from '../../platform/records/exchange-rates.ts';
import {
  type Aggregate,
  billingOf,
  deliveryOf,
  hasFrequency,
  priceVariant,
  type Pricing,
  readCatalogue,
  type SoldVariant,
  UnitOfWork,
} from '../../engine/index.ts';
import type { Chosen, Scope } from './profiles.ts';

/** Products of a collection that are offered, the newest first. */
const NEWEST = 50;
/** Variants that are looked at for one offer. */
const MOST = 200;

/** A variant and what it would cost: minor units of the subscription's currency, for one piece. */
export interface Choice {
  variant: SoldVariant;
  /** In the next order, with its discount. */
  price: number;
  /** Without one. */
  basePrice: number;
}

/** The ids of variants that are named, in the order in which they were: those of products, single ones, then those of collections. */
export async function variantIds({ context }: Pick<Scope, 'context'>, chosen: Chosen): Promise<number[]> {
  const { trx, storeId } = context;
  const { rows } = await sql<{ id: number }>`
    with wanted as (
      select 0 as part, o.n, v.id from unnest(${chosen.productIds ?? []}::bigint[]) with ordinality as o(id, n)
        join variants v on v.store_id = ${storeId}::integer and v.product_id = o.id
      union all select 1, o.n, o.id from unnest(${chosen.variantIds ?? []}::bigint[]) with ordinality as o(id, n)
      union all select 2 + c.at, p.n, v.id from unnest(${chosen.collectionIds ?? []}::bigint[]) with ordinality as c(id, at)
        cross join lateral (select row_number() over (order by p.created_at desc, p.id desc) as n, p.id
          from collection_products m join products p on p.store_id = m.store_id and p.id = m.product_id
          where m.store_id = ${storeId}::integer and m.collection_id = c.id and p.deleted_at is null
          order by p.created_at desc, p.id desc limit ${NEWEST}) p
        join variants v on v.store_id = ${storeId}::integer and v.product_id = p.id)
    select id from (select distinct on (id) id, part, n from wanted order by id, part, n) once
    order by part, n, id limit ${MOST}`.execute(trx);
  return rows.map(row => row.id);
}

/** Whether a variant is sold in the store now; `pieces` asks its stock too. */
export const isForSale = (variant: SoldVariant | undefined, pieces = 0): boolean =>
  variant !== undefined &&
  !variant.deleted_at &&
  !variant.is_gift_card &&
  variant.product_status === 'ACTIVE' &&
  (pieces === 0 || !variant.inventory_management || variant.inventory_policy !== 'deny' || variant.inventory_quantity >= pieces);

/** An amount of the store in the subscription's currency; null without a rate for it, or where it has too many decimals. */
export function amountIn({ context: { store }, subscription }: Pick<Scope, 'context' | 'subscription'>, value: string): string | null {
  try {
    const minor = convert(store, toMinor(value, store.currency_code), store.currency_code, subscription.contract.currency_code);
    return minor === null ? null : toDecimal(minor, subscription.contract.currency_code);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** The price of one piece in the next order; null where the subscription can't have the variant that way. */
export async function pieceOf(work: UnitOfWork, subscription: Aggregate, variant: SoldVariant, pricing: Pricing): Promise<Choice | null> {
  try {
    const { basePrice, price, policy } = await priceVariant(work, subscription, variant, pricing);
    const { currency_code: currency, completed_orders: orders } = subscription.contract;
    const rules = (policy?.cycleDiscounts ?? []).map(({ afterCycle, adjustmentType, adjustmentValue }) => ({
      afterCycle,
      rule: priceRule(adjustmentType, adjustmentValue, currency),
    }));
    return { variant, basePrice, price: policy ? chargePrice(basePrice, ruleFor(rules, orders + 1), 1) : price };
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

export interface Showing {
  /** Pieces that must be in stock; 0 asks nothing. */
  pieces: number;
  /** Only what has a selling plan with the subscription's frequency. */
  needsPlan: boolean;
  excludedProductIds?: readonly number[];
  /** How a variant is priced; null: not at all. */
  pricing(variant: SoldVariant): Pricing | null;
}

/** What of these variants can be shown for a subscription, with prices, in their order. */
export async function showable({ work, subscription }: Scope, ids: readonly number[], showing: Showing): Promise<Choice[]> {
  if (ids.length === 0) return [];
  const catalogue = await readCatalogue(work.context, { ids });
  const shop = await UnitOfWork.open({ ...work.context, catalogue });
  const excluded = new Set(showing.excludedProductIds);
  const [billing, delivery] = [billingOf(subscription.contract), deliveryOf(subscription.contract)];
  const found: Choice[] = [];
  for (const id of ids) {
    const variant = catalogue.byId.get(id);
    if (!variant || excluded.has(variant.product_id) || !isForSale(variant, showing.pieces)) continue;
    const plans = catalogue.plans.get(id) ?? [];
    if (showing.needsPlan && !plans.some(({ plan }) => hasFrequency(plan, billing, delivery))) continue;
    const pricing = showing.pricing(variant);
    const choice = pricing && (await pieceOf(shop, subscription, variant, pricing));
    if (choice) found.push(choice);
  }
  return found;
}
