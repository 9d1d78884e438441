// What is sold, as pages of a shop read it: selling plan groups with their words, and the products that they are offered on with prices.
import { sql } from 'kysely';
import type { JsonObject } from '../../../contract/types.ts';
import { isOutOfStock } from '../../../domain/schedule/inventory.ts';
import { deliveriesPerCharge, discountOf, planType } from '../../../domain/selling-plans/selling-plan.ts';
import type { PlanWords, PublishedGroup, PublishedPlan, PublishedProducts, PublishedVariant } from '../../../domain/widgets/published.ts';
import { shardOf } from '../../../domain/widgets/published.ts';
import { sourcesOf, type TextSource } from '../../platform/texts/sources.ts';
import type { Reading as TextReading } from '../../platform/texts/reading.ts';
import { plansOf, type KeptPlan } from '../../../domain/selling-plans/plan-document.ts';
import { groupsOfBundles } from '../../engine/index.ts';
import { groupsOf, type OfferedGroup } from '../widgets/sample.ts';
import { bundlesOf, presetBundles, type PresetBundle } from './preset-bundles.ts';
import type { Languages, Reading } from './widgets.ts';

/** How many products a file holds at most on average: some kilobytes, so that a page that shows one product reads little. */
const PER_FILE = 50;
const FIELDS: readonly (keyof PlanWords)[] = ['name', 'optionLabel', 'description'];

/** The platform's number of a plan; ours while it has none. */
const planNumber = (plan: KeptPlan): number => plan.shopifyId ?? plan.lspId;

function planOf(plan: KeptPlan, currency: string): PublishedPlan {
  return {
    id: planNumber(plan),
    name: plan.name,
    optionLabel: plan.optionLabel,
    description: plan.description ?? '',
    isDefault: plan.isDefault === true,
    rule: discountOf(plan, 1, currency).rule,
    deliveriesPerCharge: deliveriesPerCharge(plan) ?? 1,
  };
}

/** The words of a group in a language, where they differ; undefined where none does. */
function wordsIn({ words }: Languages, locale: string, plans: readonly KeptPlan[], sources: readonly TextSource[]) {
  const find = (key: string): string | undefined => {
    const source = sources.find(one => one.key === key);
    const found = source && words.find(locale, source);
    return found && found.value !== source.standard ? found.value : undefined;
  };
  const only = <T extends object>(given: T): Partial<T> | undefined => {
    const rest = Object.entries(given).filter(([, value]) => value !== undefined);
    return rest.length ? (Object.fromEntries(rest) as Partial<T>) : undefined;
  };
  const ofPlans = plans.map(plan => [
    String(planNumber(plan)),
    only(Object.fromEntries(FIELDS.map(field => [field, find(`sellingPlans.${plan.lspId}.${field}`)]))),
  ]);
  return only({
    name: find('name'),
    optionLabel: find('optionLabel'),
    plans: only(Object.fromEntries(ofPlans) as Record<string, Partial<PlanWords> | undefined>),
  });
}

export interface Offered {
  groups: PublishedGroup[];
  /** Files of products, in the order of `shardOf`. */
  products: PublishedProducts[];
  /** What pages learn of preset bundles besides. */
  bundles: JsonObject;
  hasPrepaid: boolean;
}

/** All that published groups offer. Products that no group offers are no matter of these pages. */
export async function offered(context: Reading & TextReading, languages: Languages): Promise<Offered> {
  const found = await groupsOf(context);
  const presets = await presetBundles(
    context,
    found.flatMap(({ id, data }) => (plansOf(data) as KeptPlan[]).map(plan => ({ groupId: id, groupName: '', plan }))),
  );
  const ofBundles = await groupsOfBundles(context);
  const sources = found.length ? await sourcesOf(context, { categoryId: 'SELLING_PLAN' }) : [];
  const groups = found.map(({ id, data }): PublishedGroup => {
    const plans = plansOf(data) as KeptPlan[];
    const own = sources.filter(source => source.ownerId === String(id));
    const words = languages.others.flatMap(locale => {
      const there = wordsIn(languages, locale, plans, own);
      return there ? [[locale, there]] : [];
    });
    return {
      id,
      name: String(data.name ?? ''),
      optionLabel: String(data.optionLabel ?? ''),
      plans: plans.map(plan => planOf(plan, context.store.currency_code)),
      words: Object.fromEntries(words) as PublishedGroup['words'],
    };
  });
  const hasPrepaid = found.some(({ data }) => plansOf(data).some(plan => planType(plan) !== 'STANDARD'));
  const products = await productFiles(
    context,
    found.filter(({ id }) => !ofBundles.has(id)),
    presets,
  );
  return { groups, products, bundles: bundlesOf(presets), hasPrepaid };
}

interface Sold {
  product: string;
  id: string;
  price: number;
  compareAt: number | null;
  management: string | null;
  policy: string;
  stock: number;
  groups: number[];
}

/** Active products with a plan, by the files in which they stand. A whole product covers all its variants. */
async function productFiles(
  { trx, storeId }: Reading,
  groups: readonly OfferedGroup[],
  presets: readonly PresetBundle[],
): Promise<PublishedProducts[]> {
  const places = new Map(groups.map(({ id }, place) => [id, place]));
  const { rows } = await sql<Sold>`select p.shopify_id::text as product, v.shopify_id::text as id, v.price::float8 as price,
      v.compare_at_price::float8 as "compareAt", v.inventory_management as management, v.inventory_policy as policy,
      v.inventory_quantity as stock, m.groups
    from products p join variants v on v.store_id = p.store_id and v.product_id = p.id and v.deleted_at is null
      cross join lateral (select coalesce(array_agg(distinct m.group_id::float8), '{}') as groups from plan_products m
        where m.store_id = p.store_id and m.product_id = p.id and (m.variant_id is null or m.variant_id = v.id)
          and m.group_id = any(${[...places.keys()]}::bigint[])) m
    where p.store_id = ${storeId}::integer and p.deleted_at is null and p.status = 'ACTIVE' and not p.is_gift_card
      and exists (select from plan_products m where m.store_id = p.store_id and m.product_id = p.id
        and m.group_id = any(${[...places.keys()]}::bigint[]))
    order by p.shopify_id, v.position, v.id`.execute(trx);
  const products: PublishedProducts = {};
  for (const row of rows) (products[row.product] ??= { variants: [] }).variants.push(variantOf(row, places));
  // A product that stands for a bundle costs what the bundle costs, whichever plans its own page offered besides.
  for (const { productShopifyId, product } of presets) if (product.variants.length) products[productShopifyId] = product;
  const count = Math.ceil(Object.keys(products).length / PER_FILE);
  const files: PublishedProducts[] = Array.from({ length: count }, () => ({}));
  for (const [number, product] of Object.entries(products)) files[shardOf(number, count)]![number] = product;
  return files;
}

/** How many pieces there are is the store's own matter: a page learns whether one can be bought. */
function variantOf(
  { id, price, compareAt, management, policy, stock, groups }: Sold,
  places: ReadonlyMap<number, number>,
): PublishedVariant {
  const isSoldOut = isOutOfStock({ inventory_management: management, inventory_policy: policy, inventory_quantity: stock, quantity: 1 });
  return {
    id: Number(id),
    price,
    ...(compareAt !== null && compareAt > price ? { compareAt } : {}),
    ...(isSoldOut ? { isSoldOut } : {}),
    groups: [...groups].sort((one, other) => (places.get(one) ?? 0) - (places.get(other) ?? 0)),
  };
}
