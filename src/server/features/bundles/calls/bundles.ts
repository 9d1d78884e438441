// Calls about bundles that no generic verb answers: their products one by one, and what they cost.
import sanitizeHtml from 'sanitize-html';
import { sql } from 'kysely';
import type { Bundle, ProductDetail } from '../../../../domain/bundles/bundle.ts';
import { accessOf } from '../../../../contract/access.ts';
import type { JsonObject, JsonValue } from '../../../../contract/types.ts';
import { invalid, notFound, type Context } from '../../../platform/context.ts';
import { needRow, recordOf } from '../../../platform/records/record-repository.ts';
import { changePart } from '../../../platform/records/write-record.ts';
import { languagesOf, valueFor, valuesIn } from '../../../platform/texts/values.ts';
import { sourcesOf } from '../../../platform/texts/sources.ts';
import { readPlanGroups } from '../../../engine/index.ts';
import { readBundles } from '../catalogue.ts';
import { pricesOf, wire } from '../prices.ts';
import { typedBundle } from '../typed-bundle.ts';
import { later, t } from '../../../../domain/text/t.ts';

interface Named {
  id: number;
}

async function need(context: Context, id: number): Promise<Bundle> {
  const shape = context.shape('bundle');
  return recordOf(context, shape, await needRow(context, shape, id)) as Bundle;
}

const change = (context: Context, id: number, what: (bundle: Bundle) => Partial<Bundle>): Promise<JsonObject> =>
  changePart(context, 'bundle', id, record => what(record as Bundle) as JsonObject);

const needsBox = ({ bundleType }: Bundle): void => {
  if (bundleType === 'PRESET')
    throw invalid([
      { pointer: '/bundleId', rule: 'kind', message: t`A preset bundle holds what its variants say. Change the bundle itself.` },
    ]);
};
const needsProduct = ({ productIds = [] }: Bundle, productId: number): void => {
  if (!productIds.includes(productId)) throw notFound(later`product of the bundle`);
};
/** The categories with products in those that are named, and in no other. */
function placed(
  { categories = [] }: Bundle,
  productIds: readonly number[],
  categoryIds: readonly number[] | undefined,
): Bundle['categories'] {
  if (categoryIds === undefined) return categories;
  if (categoryIds.some(id => !categories.some(one => one.id === id))) throw notFound(later`category of the bundle`);
  return categories.map(category => {
    const others = (category.productIds ?? []).filter(id => !productIds.includes(id));
    return { ...category, productIds: categoryIds.includes(category.id) ? [...others, ...productIds] : others };
  });
}
/** The limits and texts of a product, changed. */
function detailed({ details = [] }: Bundle, productId: number, what: Partial<ProductDetail>): ProductDetail[] {
  const given = Object.fromEntries(Object.entries(what).filter(([, value]) => value !== undefined));
  const known = details.some(one => one.productId === productId);
  return known
    ? details.map(one => (one.productId === productId ? { ...one, ...given } : one))
    : [...details, { minQuantity: 0, maxQuantity: 0, ...given, productId }];
}

/** C224. @throws Refusal 404, 409, 422 */
export const addProducts = (
  context: Context,
  { id, productIds, categoryIds }: Named & { productIds: number[]; categoryIds?: number[] },
): Promise<JsonObject> =>
  change(context, id, bundle => {
    needsBox(bundle);
    return {
      productIds: [...new Set([...(bundle.productIds ?? []), ...productIds])],
      categories: placed(bundle, productIds, categoryIds),
    };
  });

interface ProductChange extends Named {
  productId: number;
  minQuantity?: number;
  maxQuantity?: number;
  categoryIds?: number[];
  priority?: number;
}
/** C225: limits, categories and place of a product. @throws Refusal 404, 409, 422 */
export const changeProduct = (
  context: Context,
  { id, productId, minQuantity, maxQuantity, categoryIds, priority }: ProductChange,
): Promise<JsonObject> =>
  change(context, id, bundle => {
    needsProduct(bundle, productId);
    const others = (bundle.productIds ?? []).filter(one => one !== productId);
    return {
      ...(minQuantity === undefined && maxQuantity === undefined
        ? {}
        : { details: detailed(bundle, productId, { minQuantity, maxQuantity }) }),
      categories: placed(bundle, [productId], categoryIds),
      ...(priority === undefined ? {} : { productIds: others.toSpliced(priority, 0, productId) }),
    };
  });

/** C226: products leave a bundle, with all that is said of them. @throws Refusal 404, 409, 422 */
export const removeProducts = (context: Context, { id, productIds }: Named & { productIds: number[] }): Promise<JsonObject> =>
  change(context, id, bundle => {
    needsBox(bundle);
    for (const one of productIds) needsProduct(bundle, one);
    const stays = (one: number): boolean => !productIds.includes(one);
    return {
      productIds: (bundle.productIds ?? []).filter(stays),
      details: (bundle.details ?? []).filter(one => stays(one.productId)),
      categories: (bundle.categories ?? []).map(one => ({ ...one, productIds: (one.productIds ?? []).filter(stays) })),
    };
  });

/** C227, C228: the texts of a product; an empty one goes. @throws Refusal 404, 409, 422 */
export const describeProduct = (
  context: Context,
  { id, productId, shortDescription, longDescription }: Named & { productId: number; shortDescription?: string; longDescription?: string },
): Promise<JsonObject> =>
  change(context, id, bundle => {
    needsProduct(bundle, productId);
    return {
      details: detailed(bundle, productId, {
        shortDescription,
        longDescription: longDescription === undefined ? undefined : sanitizeHtml(longDescription),
      }),
    };
  });
export const describeProductAnew = describeProduct;

/** C235. @throws Refusal 404 */
export const productPriority = async (context: Context, { id }: Named): Promise<JsonValue> =>
  ((await need(context, id)).productIds ?? []).map((productId, priority) => ({ productId, priority }));

/** C236. @throws Refusal 404 */
export async function productDescription(context: Context, { id, productId }: Named & { productId?: number }): Promise<JsonValue> {
  const bundle = await need(context, id);
  if (productId !== undefined) needsProduct(bundle, productId);
  return (bundle.productIds ?? [])
    .filter(one => productId === undefined || one === productId)
    .map(one => {
      const found = bundle.details?.find(detail => detail.productId === one);
      return { productId: one, shortDescription: found?.shortDescription ?? null, longDescription: found?.longDescription ?? null };
    });
}

type Excluded = {
  productId: number;
  variantIds: number[];
};
/** C251, by product (D180). @throws Refusal 404 */
export async function excluded(context: Context, { id }: Named): Promise<JsonValue> {
  const { excludedVariantIds = [] } = await need(context, id);
  const { rows } = await sql<Excluded>`select product_id as "productId", array_agg(id order by id) as "variantIds" from variants
    where store_id = ${context.storeId}::integer and id = any(${excludedVariantIds}::bigint[]) group by 1 order by 1`.execute(context.trx);
  return rows as JsonValue;
}
/** C250: these variants are left out, and no others. @throws Refusal 404, 409, 422 */
export async function exclude(context: Context, { id, excluded: given }: Named & { excluded: Excluded[] }): Promise<JsonValue> {
  await change(context, id, bundle => {
    needsBox(bundle);
    for (const { productId } of given) needsProduct(bundle, productId);
    return { excludedVariantIds: [...new Set(given.flatMap(one => one.variantIds))] };
  });
  return excluded(context, { id });
}

/** C234. */
export async function checkIfPreset(context: Context, { productId }: { productId: number }): Promise<JsonObject> {
  const found = (await readBundles(context, { bundleType: 'PRESET' })).find(one => one.productId === productId);
  return { isPreset: found !== undefined, bundleId: found?.id ?? null };
}

/** C233: the active groups that a product, or one of its variants, is sold with. */
export async function productPlans(context: Context, { productId }: { productId: number }): Promise<JsonValue> {
  const { rows } = await sql<{ id: number }>`select distinct group_id as id from plan_products
    where store_id = ${context.storeId}::integer and product_id = ${productId}::bigint`.execute(context.trx);
  const groups = await readPlanGroups(
    context,
    rows.map(row => row.id),
  );
  return groups.map(({ id, name, plans }) => ({
    lspgId: id,
    name,
    sellingPlans: plans.map(plan => ({ lspId: plan.lspId, name: plan.name, optionLabel: plan.optionLabel })),
  }));
}

/** C246: plans have no limit of bundles. */
export async function permissions({ session }: Context): Promise<JsonObject> {
  const { can, planHas } = accessOf(session);
  const has = planHas('bundles');
  return {
    canRead: has && can('bundleManagement', 'READ'),
    canCreate: has && can('bundleManagement', 'WRITE'),
    canEdit: has && can('bundleManagement', 'WRITE'),
    maxBundles: null,
    features: [
      ...(has && can('bundleManagement', 'READ') ? ['PRESET', 'BYOB'] : []),
      ...(has && can('bundleSnippets', 'READ') ? ['SNIPPETS'] : []),
      ...(has && can('bundlePreferences', 'READ') ? ['PREFERENCES'] : []),
    ],
  };
}

/** C230: every bundle with the languages in which all its texts are there. */
export async function multilingualList(context: Context): Promise<JsonValue> {
  const [bundles, languages, sources] = [
    await readBundles(context),
    (await languagesOf(context)).filter(one => !one.isPrimary),
    await sourcesOf(context, { categoryId: 'BUNDLE', mayBeEmpty: true }),
  ];
  const translated = await Promise.all(languages.map(async ({ locale }) => ({ locale, values: await valuesIn(context, locale) })));
  return bundles.map(({ id, name, status }) => {
    const own = sources.filter(one => one.ownerId === String(id));
    return {
      id,
      name,
      status,
      texts: own.length,
      translatedLocales: translated
        .filter(({ locale, values }) => own.every(source => valueFor(values, source, locale)?.value != null))
        .map(({ locale }) => locale),
    };
  });
}

/** What a bundle costs while it is typed. */
export async function preview(context: Context, { bundle }: { bundle: JsonObject }): Promise<JsonValue> {
  return wire(await pricesOf(context, typedBundle(bundle)));
}
