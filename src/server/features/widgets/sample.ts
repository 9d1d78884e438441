// What a widget draws in the editor: a product of the store with the plans it is sold by, at their real prices.
import { sql } from 'kysely';
import type { JsonObject } from '../../../contract/types.ts';
import { formatMoney, toDecimal } from '../../../domain/money/money.ts';
import { offerOf } from '../../../domain/selling-plans/offer.ts';
import { deliveriesPerCharge, discountOf, type SellingPlan } from '../../../domain/selling-plans/selling-plan.ts';
import type { Context } from '../../platform/context.ts';
import { plansOf, type KeptPlan } from '../../../domain/selling-plans/plan-document.ts';

type Reading = Pick<Context, 'trx' | 'storeId' | 'store'>;

interface Sold {
  productId: number;
  /** The platform's number. */
  number: number;
  /** By how many published groups it is sold. */
  groups: number;
  title: string;
  image: string | null;
  /** Minor units. */
  price: number;
}
export interface OfferedGroup {
  id: number;
  data: JsonObject;
}

/** The published groups that a product is sold by, in the order of the merchant; of all products where none is named. */
export async function groupsOf({ trx, storeId }: Reading, productId?: number): Promise<OfferedGroup[]> {
  const isOffered =
    productId === undefined
      ? sql``
      : sql`and exists (select 1 from plan_products p where p.store_id = g.store_id and p.group_id = g.id
          and p.product_id = ${productId}::bigint)`;
  const { rows } = await sql<OfferedGroup>`select g.id::float8 as id, g.data from records g where g.store_id = ${storeId}::integer
      and g.entity = 'selling-plan-group' and g.deleted_at is null and g.data ->> 'status' = 'ACTIVE' ${isOffered}
    order by g.position, g.id`.execute(trx);
  return rows;
}

/** The product of the example: the one that is named, else one that is sold by two groups, or as near to that as there is. */
export async function sampleProduct({ trx, storeId }: Pick<Reading, 'trx' | 'storeId'>, productId?: number): Promise<Sold | undefined> {
  const { rows } =
    await sql<Sold>`select p.id::float8 as "productId", p.shopify_id::float8 as number, n.groups::integer as groups, p.title, p.image,
      v.price::float8 as price
    from products p cross join lateral (select price from variants where store_id = p.store_id and product_id = p.id and deleted_at is null
        order by position, id limit 1) v
      cross join lateral (select count(distinct m.group_id) as groups from plan_products m join records g on g.store_id = m.store_id
        and g.id = m.group_id and g.entity = 'selling-plan-group' and g.deleted_at is null and g.data ->> 'status' = 'ACTIVE'
        where m.store_id = p.store_id and m.product_id = p.id) n
    where p.store_id = ${storeId}::integer and p.deleted_at is null and p.status = 'ACTIVE' and not p.is_gift_card
      and (${productId ?? null}::bigint is null or p.id = ${productId ?? null}::bigint)
    order by n.groups = 0, abs(n.groups - 2), p.id limit 1`.execute(trx);
  return rows[0];
}

/** D050: a plan as it is offered for a price, per delivery and in full. */
export function planEntry(plan: SellingPlan, priceMinor: number, currency: string): JsonObject {
  const { rule } = discountOf(plan, 1, currency);
  const deliveries = deliveriesPerCharge(plan) ?? 1;
  const { each, full, saved } = offerOf(priceMinor, rule, deliveries);
  return {
    id: (plan as KeptPlan).lspId ?? null,
    name: plan.name,
    optionLabel: plan.optionLabel,
    description: plan.description ?? '',
    discountPercent: saved > 0 && rule.type === 'PERCENTAGE' ? rule.value : null,
    discount: saved <= 0 ? '' : rule.type === 'PERCENTAGE' ? `${rule.value}%` : formatMoney(saved, currency),
    price: toDecimal(each, currency),
    fullPrice: toDecimal(full, currency),
    deliveriesPerCharge: deliveries,
    isDefault: plan.isDefault === true,
  };
}

/** D048, D049: what shoppers choose from for one product of the store. */
export async function samplePreview(context: Reading, productId?: number): Promise<JsonObject> {
  const currency = context.store.currency_code;
  const product = await sampleProduct(context, productId);
  if (!product) return { product: null, currencyCode: currency, purchaseOptions: [] };
  const price = toDecimal(product.price, currency);
  const groups = await groupsOf(context, product.productId);
  const subscriptions = groups.flatMap(({ id, data }): JsonObject[] => {
    const plans = plansOf(data).map(plan => planEntry(plan, product.price, currency));
    const first = plans.find(plan => plan.isDefault) ?? plans[0];
    if (!first) return [];
    return [
      {
        id: String(id),
        type: 'subscription',
        name: String(data.name ?? ''),
        price: first.price ?? null,
        compareAtPrice: first.discount ? price : null,
        deliveryLabel: String(data.optionLabel ?? ''),
        description: '',
        sellingPlan: plans,
      },
    ];
  });
  const once = { id: 'one-time', type: 'one-time-purchase', name: '', price, compareAtPrice: null, deliveryLabel: '' };
  return {
    product: { id: product.productId, title: product.title, image: product.image },
    currencyCode: currency,
    purchaseOptions: [{ ...once, description: '', sellingPlan: [] }, ...subscriptions],
  };
}
