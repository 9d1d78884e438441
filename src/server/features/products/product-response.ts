// Products and variants of the database as they go over the wire.
import { sql, type Selectable } from 'kysely';
import { toDecimal } from '../../../domain/money/money.ts';
import { isDefaultVariant, variantName } from '../../../domain/text/variant-name.ts';
import type { JsonObject } from '../../../contract/types.ts';
import type { ProductsTable, VariantsTable } from '../../../generated/tables.ts';
import type { Context } from '../../platform/context.ts';

export type VariantRow = Selectable<VariantsTable>;
export type ProductRow = Selectable<ProductsTable>;
/** Variants that come along with a product; the rest are read by `variants`. */
const MAX_VARIANTS = 100;

/** The values of a variant's options; older rows keep them as name and value. */
export const optionValuesOf = (value: unknown): string[] =>
  Array.isArray(value)
    ? value.map(one => (one !== null && typeof one === 'object' ? String((one as { value?: unknown }).value ?? '') : String(one)))
    : [];

/** Those that people are shown: the one variant of a product without options has none. */
export const shownOptions = (value: unknown): string[] =>
  optionValuesOf(value).filter((one, _index, all) => all.length > 1 || !isDefaultVariant(one));

/** The options of a product as name and values; older rows keep the names alone. A product without options has none. */
export function optionsWire(options: unknown, variants: readonly { option_values: unknown }[]): JsonObject[] {
  const names = (Array.isArray(options) ? options : []).map(one =>
    one !== null && typeof one === 'object' ? String((one as { name?: unknown }).name ?? '') : String(one),
  );
  if (names.length === 1 && names[0]?.toLowerCase() === 'title') return [];
  return names.map((name, index) => ({
    name,
    values: [...new Set(variants.map(variant => optionValuesOf(variant.option_values)[index]).filter(value => value !== undefined))],
  }));
}

export function variantWire(row: VariantRow, currency: string, productTitle: string): JsonObject {
  return {
    id: row.id,
    shopifyId: row.shopify_id,
    productId: row.product_id,
    productTitle,
    title: variantName(row.title),
    sku: row.sku,
    image: row.image,
    price: toDecimal(row.price, currency),
    compareAtPrice: row.compare_at_price === null ? null : toDecimal(row.compare_at_price, currency),
    currencyCode: currency,
    optionValues: shownOptions(row.option_values),
    position: row.position,
    inventoryManagement: row.inventory_management,
    inventoryPolicy: row.inventory_policy,
    inventoryQuantity: row.inventory_quantity,
    weightInGrams: row.weight_in_grams,
    requiresShipping: row.requires_shipping,
    taxable: row.taxable,
  };
}

/** Adds to products what is not in their own row: variants, price range, stock, and the groups they are offered by. */
export async function withVariants(
  { trx, storeId, store }: Pick<Context, 'trx' | 'storeId' | 'store'>,
  records: JsonObject[],
): Promise<JsonObject[]> {
  const ids = records.map(record => Number(record.id));
  if (ids.length === 0) return [];
  const currency = store.currency_code;
  const { rows: variants } = await sql<VariantRow & { place: number }>`select * from (
      select v.*, row_number() over (partition by v.product_id order by v.position, v.id) as place from variants v
        where v.store_id = ${storeId} and v.product_id = any(${ids}::bigint[]) and v.deleted_at is null) as v
    where v.place <= ${MAX_VARIANTS} order by v.product_id, v.place`.execute(trx);
  const { rows: figures } = await sql<{
    id: number;
    n: number;
    low: number;
    high: number;
    stock: number | null;
  }>`select product_id as id, count(*) as n, min(price) as low, max(price) as high, sum(inventory_quantity) filter (where
      inventory_management is not null) as stock
    from variants where store_id = ${storeId} and product_id = any(${ids}::bigint[]) and deleted_at is null group by product_id`.execute(
    trx,
  );
  const { rows: groups } = await sql<{
    id: number;
    ids: number[];
  }>`select product_id as id, array_agg(distinct group_id) as ids from plan_products
      where store_id = ${storeId} and product_id = any(${ids}::bigint[]) group by product_id`.execute(trx);
  const of = new Map(figures.map(one => [one.id, one]));
  const groupsOf = new Map(groups.map(one => [one.id, one.ids]));
  return records.map(record => {
    const figure = of.get(Number(record.id));
    const own = variants.filter(variant => variant.product_id === record.id);
    return {
      ...record,
      ...(record.options === undefined ? {} : { options: optionsWire(record.options, own) }),
      currencyCode: currency,
      variantsCount: figure?.n ?? 0,
      minPrice: toDecimal(figure?.low ?? 0, currency),
      maxPrice: toDecimal(figure?.high ?? 0, currency),
      inventoryQuantity: figure?.stock ?? null,
      planGroupIds: groupsOf.get(Number(record.id)) ?? [],
      variants: own.map(variant => variantWire(variant, currency, String(record.title))),
    };
  });
}
