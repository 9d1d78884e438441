// Bundles: what no schema says of them, what has to be there before one is published, and how many subscriptions hold one.
import { sql } from 'kysely';
import schema from '../../../../schemas/entities/bundle.json' with { type: 'json' };
import { toMinor } from '../../../domain/money/money.ts';
import { withBothEnds, type Bundle, type BoxSize } from '../../../domain/bundles/bundle.ts';
import type { FieldError, JsonObject, JsonValue } from '../../../contract/types.ts';
import { invalidState, type Context, type Refusal } from '../../platform/context.ts';
import { rules, type RuleContext, type WriteVerb, type Written } from '../../platform/records/rules.ts';
import { engineOf, findVariants } from '../../engine/index.ts';
import { sightings, SIGHTINGS } from '../../platform/records/sightings.ts';
import { heldBy, plansOfBundle, readBundles } from './catalogue.ts';
import { t } from '../../../domain/text/t.ts';
import { nameKey } from '../../../domain/text/names.ts';

/** Kind of bulk action that gives subscriptions the new contents of a preset bundle. */
export const PRESET_UPDATE = 'UPDATE_PRESET_BUNDLE';

const error = (pointer: string, rule: string, message: string): FieldError => ({ pointer, rule, message });

/** Whether an update of preset bundles is waiting or running: contents stay as they are meanwhile. */
async function isBeingApplied({ trx, storeId }: Pick<RuleContext, 'trx' | 'storeId'>): Promise<boolean> {
  const found = await trx
    .selectFrom('bulk_actions')
    .select('id')
    .where('store_id', '=', storeId)
    .where('action_key', '=', PRESET_UPDATE)
    .where('status', 'in', ['SCHEDULED', 'QUEUED', 'IN_PROGRESS', 'CANCELLING'])
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}
const BEING_APPLIED = (): Refusal => invalidState(t`A bundle update is still being applied to subscriptions.`);

const capacity = ({ maxSize }: BoxSize): number => (maxSize === 0 ? Infinity : maxSize);

function boxErrors({ type, boxSizes = [], categories = [], details = [], filters = [], productIds = [] }: Bundle): FieldError[] {
  const errors: FieldError[] = [];
  const largest = Math.max(...boxSizes.map(capacity));
  const smallest = Math.min(...boxSizes.map(size => size.minSize));
  const seen = new Set<string>();
  for (const [i, size] of boxSizes.entries()) {
    const at = `/boxSizes/${i}`;
    if (size.maxSize !== 0 && size.maxSize < size.minSize)
      errors.push(error(`${at}/maxSize`, 'minimum', t`Maximum must be greater than or equal to minimum.`));
    const range = `${size.minSize}-${size.maxSize}`;
    if (seen.has(range)) errors.push(error(`${at}/minSize`, 'unique', t`Two box sizes are identical.`));
    seen.add(range);
  }
  if (type === 'RANGE' && boxSizes.length > 1)
    errors.push(error('/boxSizes', 'maxItems', t`A box from … to … has one size. Remove the others.`));
  const names = new Set<string>();
  for (const [i, category] of categories.entries()) {
    const at = `/categories/${i}`;
    const name = nameKey(category.name);
    if (names.has(name)) errors.push(error(`${at}/name`, 'unique', t`Another category has this name.`));
    names.add(name);
    if (category.minProducts > largest)
      errors.push(error(`${at}/minProducts`, 'maximum', t`Category minimum cannot be larger than the box size.`));
    if (category.maxProducts > largest)
      errors.push(error(`${at}/maxProducts`, 'maximum', t`Category maximum cannot be larger than the box size.`));
    if (category.maxProducts !== 0 && category.maxProducts < category.minProducts)
      errors.push(error(`${at}/maxProducts`, 'minimum', t`Maximum must be greater than or equal to minimum.`));
    if ((category.productIds ?? []).some(id => !productIds.includes(id)))
      errors.push(error(`${at}/productIds`, 'subset', t`Add these products to the bundle first.`));
  }
  const filterNames = new Set<string>();
  for (const [i, filter] of filters.entries()) {
    const name = nameKey(filter.name);
    if (filterNames.has(name)) errors.push(error(`/filters/${i}/name`, 'unique', t`Another filter has this name.`));
    filterNames.add(name);
  }
  const minima = categories.reduce((sum, one) => sum + (one.minProducts ?? 0), 0);
  if (minima > smallest) errors.push(error('/categories', 'maximum', t`Category minimums add up to more than the box size.`));
  const described = new Set<number>();
  for (const [i, { productId, minQuantity = 0, maxQuantity = 0 }] of details.entries()) {
    const at = `/details/${i}`;
    if (described.has(productId)) errors.push(error(`${at}/productId`, 'unique', t`This product stands here already.`));
    described.add(productId);
    if (!productIds.includes(productId)) errors.push(error(`${at}/productId`, 'subset', t`Add this product to the bundle first.`));
    if (Math.max(minQuantity, maxQuantity) > largest)
      errors.push(error(`${at}/maxQuantity`, 'maximum', t`Product limit cannot be larger than the box size.`));
    if (maxQuantity !== 0 && maxQuantity < minQuantity)
      errors.push(error(`${at}/maxQuantity`, 'minimum', t`Maximum must be greater than or equal to minimum.`));
  }
  return errors;
}

/** An amount with more decimals than the store's currency has. */
function amountErrors({ store }: RuleContext, bundle: Bundle): FieldError[] {
  const amounts: [string, string | undefined][] = [];
  const isAmount = bundle.discountType === 'FIXED' || bundle.discountType === 'FIXED_PRICE';
  if (isAmount && bundle.bundleType === 'PRESET')
    amounts.push(
      ...(bundle.variants ?? []).map(({ discountValue }, i): [string, string | undefined] => [
        `/variants/${i}/discountValue`,
        discountValue,
      ]),
    );
  if (bundle.bundleType === 'BYOB' && bundle.discountType !== 'NONE')
    for (const [i, tier] of (bundle.discounts ?? []).entries()) {
      if (isAmount) amounts.push([`/discounts/${i}/value`, tier.value]);
      if (tier.conditionType === 'PRICE') amounts.push([`/discounts/${i}/minCartValue`, tier.minCartValue]);
    }
  return amounts.flatMap(([pointer, value]) => {
    try {
      if (value !== undefined) toMinor(value, store.currency_code);
      return [];
    } catch (wrong) {
      if (!(wrong instanceof RangeError)) throw wrong;
      return [error(pointer, 'format', wrong.message)];
    }
  });
}

/** Products that a bundle may not hold: gift cards, its own product, and products that stand for preset bundles themselves. */
async function productErrors(context: Context, bundle: Bundle): Promise<FieldError[]> {
  const presets = await readBundles(context, { bundleType: 'PRESET' });
  const parents = new Map(presets.filter(one => one.id !== bundle.id).map(one => [one.productId ?? 0, one.name]));
  const errors: FieldError[] = [];
  if (bundle.bundleType === 'PRESET') {
    const taken = bundle.productId && parents.get(bundle.productId);
    if (taken) errors.push(error('/productId', 'unique', t`This product already has a bundle.`));
    const ids = (bundle.variants ?? []).flatMap(({ variantId, items = [] }) => [variantId, ...items.map(item => item.variantId)]);
    const known = new Map((await findVariants(engineOf(context), { ids })).map(one => [one.id, one]));
    const seen = new Set<number>();
    for (const [i, { variantId, items = [] }] of (bundle.variants ?? []).entries()) {
      const at = `/variants/${i}`;
      if (seen.has(variantId)) errors.push(error(`${at}/variantId`, 'unique', t`This variant stands here already.`));
      seen.add(variantId);
      if (known.get(variantId)?.product_id !== bundle.productId)
        errors.push(error(`${at}/variantId`, 'parent', t`Choose a variant of the product that stands for the bundle.`));
      for (const [j, item] of items.entries()) {
        const child = known.get(item.variantId);
        const pointer = `${at}/items/${j}/variantId`;
        if (!child || child.deleted_at) errors.push(error(pointer, 'PRODUCT_VARIANT_DOES_NOT_EXIST', t`This product no longer exists.`));
        else if (child.product_id === bundle.productId) errors.push(error(pointer, 'self', t`A bundle cannot contain itself.`));
        else if (parents.has(child.product_id)) errors.push(error(pointer, 'bundle', t`A preset bundle can't be part of a bundle.`));
        else if (child.is_gift_card) errors.push(error(pointer, 'GIFT_CARD', t`Gift cards can't be part of a bundle.`));
        else if (items.findIndex(other => other.variantId === item.variantId) !== j)
          errors.push(error(pointer, 'unique', t`This product stands here already. Raise its number of pieces instead.`));
      }
    }
    return errors;
  }
  const { rows } = await sql<{ id: number; is_gift_card: boolean; title: string }>`select id, is_gift_card, title from products
    where store_id = ${context.storeId}::integer and deleted_at is null and id = any(${bundle.productIds ?? []}::bigint[])`.execute(
    context.trx,
  );
  const there = new Map(rows.map(row => [row.id, row]));
  for (const id of bundle.productIds ?? []) {
    const product = there.get(id);
    const title = product?.title ?? `#${id}`;
    if (!product) errors.push(error('/productIds', 'PRODUCT_DOES_NOT_EXIST', t`The product ${title} no longer exists. Remove it.`));
    else if (product.is_gift_card)
      errors.push(error('/productIds', 'GIFT_CARD', t`${title} is a gift card. Gift cards can't be part of a bundle.`));
    else if (parents.has(id))
      errors.push(error('/productIds', 'bundle', t`${title} stands for a preset bundle, which can't be part of a bundle.`));
  }
  errors.push(...(await excludedErrors(context, bundle)));
  return errors;
}

/** At least one variant of every product stays. */
async function excludedErrors({ trx, storeId }: Context, { productIds = [], excludedVariantIds = [] }: Bundle): Promise<FieldError[]> {
  if (excludedVariantIds.length === 0) return [];
  const { rows } = await sql<{ title: string }>`select p.title from products p where p.store_id = ${storeId}::integer
    and p.id = any(${productIds}::bigint[]) and p.deleted_at is null and not exists (select 1 from variants v where v.store_id = p.store_id
      and v.product_id = p.id and v.deleted_at is null and v.id <> all(${excludedVariantIds}::bigint[])) limit 1`.execute(trx);
  return rows.map(({ title }) =>
    error('/excludedVariantIds', 'minItems', t`Every variant of ${title} is left out. Keep one, or remove the product.`),
  );
}

/** Whether this is a list of rows: what a schema refuses is filled in nowhere. */
const areRows = (rows: unknown): boolean => Array.isArray(rows) && rows.every(row => typeof row === 'object' && row !== null);

/** Rows of a form and of calls without an id get one: translations and orders refer to it. */
function numbered<T extends { id?: number | null }>(rows: readonly T[] | undefined): T[] | undefined {
  if (!rows || !areRows(rows)) return undefined;
  let last = Math.max(0, ...rows.map(row => row.id ?? 0));
  return rows.map(row => (row.id ? row : { ...row, id: ++last }));
}

/** The size of a box that says none, as in its schema. */
const FIRST_SIZE = schema.properties.boxSizes.default as BoxSize[];

/** Exactly one size is chosen at first. */
function withOneDefault(sizes: BoxSize[] | undefined): BoxSize[] | undefined {
  if (!sizes) return undefined;
  const at = Math.max(
    0,
    sizes.findIndex(size => size.defaultSelected),
  );
  return sizes.map((size, i) => ({ ...size, defaultSelected: i === at }));
}

export async function bundleErrors(
  verb: WriteVerb,
  { before, record }: Written,
  context: Context,
): Promise<FieldError[] | Refusal | undefined> {
  const current = (before ?? record) as unknown as Bundle;
  if (current.bundleType === 'PRESET' && verb !== 'create' && (await isBeingApplied(context))) return BEING_APPLIED();
  if (verb === 'delete') {
    const held = current.bundleType === 'BYOB' ? ((await heldBy(context, [current.id])).get(current.id) ?? 0) : 0;
    return held > 0 ? invalidState(t`This bundle is part of active subscriptions. Move it to draft instead.`) : undefined;
  }
  if (!record || verb === 'move') return undefined;
  const bundle = record as unknown as Bundle;
  const errors = [...amountErrors(context, bundle), ...(await productErrors(context, bundle))];
  if (before && bundle.bundleType !== current.bundleType)
    errors.push(error('/bundleType', 'same', t`The kind of a bundle stays as it is. Make another bundle instead.`));
  if (/<\/\s*script/i.test(String(record.customJs ?? ''))) errors.push(error('/customJs', 'pattern', t`Enter JavaScript without markup.`));
  if (bundle.bundleType === 'BYOB') errors.push(...boxErrors(bundle));
  if (bundle.status === 'ACTIVE') {
    const lacks = await lackOf(context, bundle);
    if (lacks) errors.push(lacks);
  }
  return errors;
}

/** What a bundle lacks to be sold, with the field that is to be filled. */
async function lackOf(context: Pick<Context, 'trx' | 'storeId'>, bundle: Bundle): Promise<FieldError | undefined> {
  if (bundle.bundleType === 'BYOB' && !bundle.productIds?.length) return error('/productIds', 'required', t`Add at least one product.`);
  if (bundle.bundleType === 'PRESET') {
    if (!bundle.productId) return error('/productId', 'required', t`Choose the product that stands for the bundle.`);
    const { rows } = await sql<{ id: number }>`select id from variants where store_id = ${context.storeId}::integer
      and product_id = ${bundle.productId}::bigint and deleted_at is null`.execute(context.trx);
    const mapped = new Set((bundle.variants ?? []).map(one => one.variantId));
    if (rows.length === 0 || rows.some(({ id }) => !mapped.has(id)))
      return error('/variants', 'required', t`Map child products for every variant.`);
  }
  if (bundle.purchaseType !== 'ONETIME' && (await plansOfBundle(context, bundle)).length === 0)
    return error('/sellingPlanGroupId', 'required', t`Choose a selling plan for subscription purchases.`);
  return undefined;
}

/** How many products it holds, or may hold. */
const productCount = sql`case when r.data ->> 'bundleType' = 'PRESET' then (select count(distinct i.item -> 'variantId')
    from jsonb_array_elements(coalesce(r.data -> 'variants', '[]')) as v(variant)
      cross join lateral jsonb_array_elements(coalesce(v.variant -> 'items', '[]')) as i(item))
  else jsonb_array_length(coalesce(r.data -> 'productIds', '[]')) end`;

export const bundle = rules({
  fill: (verb, { record, input }) => {
    const {
      type,
      filters,
      boxSizes = verb === 'create' ? FIRST_SIZE : undefined,
      categories,
      discounts,
    } = { ...input, ...record } as unknown as Bundle;
    const sizes = numbered(boxSizes);
    const filled = {
      boxSizes: withOneDefault(sizes && withBothEnds(type, sizes)),
      categories: numbered(categories),
      discounts: numbered(discounts),
      filters: numbered(filters),
    };
    return Object.fromEntries(Object.entries(filled).filter(([, rows]) => rows !== undefined)) as unknown as JsonObject;
  },
  validate: bundleErrors,
  columns: () => ({ productCount }),
  derive: {
    needs: ['id', 'type', 'boxSizes'],
    members: ['activeSubscriptionCount', 'boxSizes', ...SIGHTINGS, 'purchases'],
    of: async (records, context) => {
      const ids = records.map(({ id }) => Number(id));
      const [held, seen] = [await heldBy(context, ids), await sightings(context, ids)];
      return records.map((record, i) => {
        const { id, type, boxSizes } = record as unknown as Bundle;
        return {
          activeSubscriptionCount: held.get(Number(id)) ?? 0,
          ...seen[i],
          ...(boxSizes && { boxSizes: withBothEnds(type, boxSizes) as unknown as JsonValue }),
        };
      });
    },
  },
});

/** Moves of bundles that have to be looked at. */
export const guards = {
  canPublishBundle: async (context: Context, record: JsonObject): Promise<string | undefined> =>
    (await lackOf(context, record as unknown as Bundle))?.message,
  canChangeBundle: async (context: Context, record: JsonObject): Promise<string | undefined> =>
    record.bundleType === 'PRESET' && (await isBeingApplied(context)) ? BEING_APPLIED().message : undefined,
};

/** What of ours stands in a theme. Older themes have no cart template that we know: there the snippet is pasted by hand. */
export const bundleTheme = rules({
  columns: () => {
    const byHand = t`We could not find the cart template. Install the snippet by hand.`;
    const cart = sql`case when 'bundle-cart' = any(r.snippets) then 'INSTALLED' when r.takes_blocks then 'NOT_INSTALLED'
      else 'MANUAL_REQUIRED' end`;
    return {
      scriptStatus: sql`case when 'bundle-script' = any(r.snippets) then 'INSTALLED' else 'NOT_INSTALLED' end`,
      cartSnippetStatus: cart,
      error: sql`case when ${cart} = 'MANUAL_REQUIRED' then ${byHand}::text end`,
    };
  },
});
