// What the shop sells, as it lists it and as the page of a product shows it.
import { sql } from 'kysely';
import type { PublishedProduct } from '../../../domain/widgets/published.ts';
import { plansOfBundle, readBundles } from '../bundles/catalogue.ts';
import { presetBundles, type PresetBundle } from '../storefront/preset-bundles.ts';
import { plansOf } from './product-plans.ts';
import type { Shop } from './shop.ts';
import { groupsOfBundles, readCatalogue, type OfferedPlan, type SoldVariant } from '../../engine/index.ts';
import { isSold } from './sold.ts';

export const PRODUCTS_A_PAGE = 24;

export interface Listed {
  handle: string;
  title: string;
  image: string | null;
  /** The lowest price, and whether another variant costs more. Minor units. */
  price: number;
  isFrom: boolean;
  hasPlan: boolean;
  isSoldOut: boolean;
}

/** Products on sale, a page of them; one more than a page tells that there are more. */
export async function listProducts({ context, speech }: Shop, page: number): Promise<{ products: Listed[]; hasMore: boolean }> {
  const { trx, storeId } = context;
  const { rows } = await sql<
    Listed & { id: number }
  >`select p.id, p.handle, p.title, coalesce(p.image, min(v.image)) as image, min(v.price)::float8 as price,
      min(v.price) < max(v.price) as "isFrom",
      exists (select 1 from plan_products m
        join records g on g.store_id = m.store_id and g.id = m.group_id and g.entity = 'selling-plan-group'
        where m.store_id = p.store_id and m.product_id = p.id and g.deleted_at is null and g.data ->> 'status' = 'ACTIVE') as "hasPlan",
      not bool_or(v.inventory_management is null or v.inventory_policy <> 'deny' or v.inventory_quantity > 0) as "isSoldOut"
    from products p join variants v on v.store_id = p.store_id and v.product_id = p.id and v.deleted_at is null
    where p.store_id = ${storeId}::integer and p.status = 'ACTIVE' and p.deleted_at is null and not p.is_gift_card
    group by p.store_id, p.id order by p.title, p.id
    limit ${PRODUCTS_A_PAGE + 1}::integer offset ${(page - 1) * PRODUCTS_A_PAGE}::integer`.execute(trx);
  const sets = new Map((await presetsOn(context)).map(one => [one.handle, one]));
  const products = rows.slice(0, PRODUCTS_A_PAGE).map(({ id, ...found }) => {
    const row = { ...found, title: titleIn(speech, id, found.title) };
    const variants = sets.get(row.handle)?.product.variants;
    if (!variants) return row;
    const prices = variants.map(one => one.price);
    const [price, isSoldOut] = [Math.min(...prices), variants.every(one => one.isSoldOut)];
    return { ...row, price, isFrom: prices.some(one => one > price), hasPlan: variants.some(one => one.groups.length > 0), isSoldOut };
  });
  return { products, hasMore: rows.length > PRODUCTS_A_PAGE };
}

/** The name of a product by itself, as a reader names it. */
const titleIn = ({ named }: Shop['speech'], product_id: number, product_title: string): string =>
  named({ product_id, product_title, id: 0, title: '' }).product_title;

/** Preset bundles with their prices, by the products that stand for them. */
async function presetsOn(context: Shop['context']): Promise<(PresetBundle & { handle: string; plans: OfferedPlan[] })[]> {
  const { trx, storeId } = context;
  const bundles = await readBundles(context, { status: 'ACTIVE', bundleType: 'PRESET' });
  if (bundles.length === 0) return [];
  const plans = new Map<number, OfferedPlan[]>();
  for (const bundle of bundles) plans.set(bundle.id, bundle.purchaseType === 'ONETIME' ? [] : await plansOfBundle(context, bundle));
  const all = new Map([...plans.values()].flat().map(one => [one.plan.lspId, one]));
  const presets = await presetBundles(context, [...all.values()]);
  const { rows } = await sql<{ number: number; handle: string }>`select shopify_id::float8 as number, handle from products
    where store_id = ${storeId}::integer and shopify_id = any(${presets.map(one => one.productShopifyId)}::bigint[])`.execute(trx);
  return presets.map(one => ({
    ...one,
    handle: rows.find(row => row.number === one.productShopifyId)?.handle ?? '',
    plans: plans.get(one.id) ?? [],
  }));
}

export interface Product {
  id: number;
  shopifyId: number;
  handle: string;
  title: string;
  description: string;
  image: string | null;
  variants: (SoldVariant & { compareAt: number | null })[];
  /** Of each variant. */
  plans: ReadonlyMap<number, OfferedPlan[]>;
  /** Of a product that stands for a preset bundle: what its variants cost, by the platform's numbers. */
  asBundle?: PublishedProduct;
}

/** The handles of the products of variants. */
export async function handlesOf({ context: { trx, storeId } }: Shop, variantIds: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (variantIds.length === 0) return new Map();
  const { rows } = await sql<{
    id: number;
    handle: string;
  }>`select v.id, p.handle from variants v join products p on p.store_id = v.store_id
      and p.id = v.product_id
    where v.store_id = ${storeId}::integer and v.id = any(${[...variantIds]}::bigint[]) and p.status = 'ACTIVE'`.execute(trx);
  return new Map(rows.map(({ id, handle }) => [id, handle]));
}

/** A product on sale by its handle; undefined for all others. */
export async function productNamed({ context, speech }: Shop, handle: string): Promise<Product | undefined> {
  const { trx, storeId } = context;
  const { rows } = await sql<
    Omit<Product, 'variants' | 'plans'> & { variants: { id: number; compareAt: number | null }[] }
  >`select p.id, p.shopify_id as "shopifyId", p.handle, p.title, p.description, p.image,
      (select jsonb_agg(jsonb_build_object('id', v.id, 'compareAt', v.compare_at_price) order by v.position, v.id) from variants v
        where v.store_id = p.store_id and v.product_id = p.id and v.deleted_at is null) as variants
    from products p where p.store_id = ${storeId}::integer and p.handle = ${handle} and p.deleted_at is null and not p.is_gift_card
      and p.status = 'ACTIVE' limit 1`.execute(trx);
  const [found] = rows;
  if (!found?.variants) return undefined;
  const row = { ...found, title: titleIn(speech, found.id, found.title) };
  const { byId, plans } = await readCatalogue(context, { ids: row.variants.map(one => one.id) });
  // Plans of bundles alone are not offered by themselves, where the store wants it so.
  const hidden = await groupsOfBundles(context);
  const variants = row.variants.flatMap(({ id, compareAt }) => {
    const variant = byId.get(id);
    return isSold(variant) ? [{ ...variant, compareAt }] : [];
  });
  if (variants.length === 0) return undefined;
  const set = (await presetsOn(context)).find(one => one.productShopifyId === row.shopifyId);
  if (set) {
    const priced = variants.filter(({ shopify_id: id }) => set.product.variants.some(one => one.id === id));
    return { ...row, variants: priced, plans: new Map(priced.map(({ id }) => [id, plansOf(set.plans)])), asBundle: set.product };
  }
  return {
    ...row,
    variants,
    plans: new Map([...plans].map(([id, offered]) => [id, plansOf(offered.filter(one => !hidden.has(one.groupId)))])),
  };
}
