// Writes products of a file into the catalogue. Each product is all or nothing: the caller's transaction holds whole products only.
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../generated/tables.ts';
import { DEFAULT_VARIANT, variantTitle, type FileProduct, type FileVariant } from './catalogue-product.ts';
import { optionNames, type Change } from './changes.ts';
import { optionValuesOf, type ProductRow, type VariantRow } from './wire.ts';

/** The embedded platform gives its ids by adding to ours; a connected one gives its own. */
const PLATFORM_PRODUCT = 9_100_000_000_000;
const PLATFORM_VARIANT = 9_600_000_000_000;
/** Rows of one insert; more would keep the embedded database from others for too long. */
const BATCH = 200;

export interface Applied { created: number; changed: number; unchanged: number; priceChanges: number }

/** Writes the changes. Running them again changes nothing, because a product that is as the file says is left alone. */
export async function applyChanges(trx: Kysely<Tables>, storeId: number, changes: readonly Change[], at: Date): Promise<Applied> {
  const create = changes.filter(change => change.kind === 'CREATE').map(change => change.product);
  const change = changes.filter(one => one.kind === 'CHANGE');
  await insertProducts(trx, storeId, create, at);
  for (const one of change) await changeProduct(trx, storeId, one, at);
  return {
    created: create.length, changed: change.length, unchanged: changes.length - create.length - change.length,
    priceChanges: change.reduce((sum, one) => sum + one.update.filter(({ differences }) => differences.some(difference => difference.field === 'price')).length, 0),
  };
}

async function nextIds(trx: Kysely<Tables>, table: 'products' | 'variants', count: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select nextval(pg_get_serial_sequence(${table}, 'id')) as id from generate_series(1, ${count}::integer)`.execute(trx);
  return rows.map(row => row.id);
}

/** What product searches look through. */
const searchText = (product: { title: string; handle: string; vendor: string; productType: string; tags: readonly string[] }, skus: readonly string[]): string =>
  [product.title, product.handle, product.vendor, product.productType, ...product.tags, ...skus].filter(Boolean).join(' ').toLowerCase();

const optionsOf = (product: FileProduct): string => JSON.stringify(product.options);

async function insertProducts(trx: Kysely<Tables>, storeId: number, products: readonly FileProduct[], at: Date): Promise<void> {
  for (let from = 0; from < products.length; from += BATCH) {
    const some = products.slice(from, from + BATCH);
    const ids = await nextIds(trx, 'products', some.length);
    await trx.insertInto('products').values(some.map((product, i) => {
      const id = ids[i] as number;
      const fields = { title: product.title ?? product.handle, handle: product.handle, vendor: product.vendor ?? '', productType: product.productType ?? '', tags: product.tags ?? [] };
      return {
        store_id: storeId, id, shopify_id: PLATFORM_PRODUCT + id, handle: fields.handle, title: fields.title, vendor: fields.vendor, product_type: fields.productType, tags: fields.tags,
        description: product.description ?? '', status: product.status ?? 'ACTIVE', image: product.image ?? null, options: optionsOf(product), is_gift_card: product.isGiftCard ?? false,
        search: searchText(fields, product.variants.map(variant => variant.sku ?? '')), created_at: at, updated_at: at,
      };
    })).execute();
    await insertVariants(trx, storeId, some.flatMap((product, i) => product.variants.map((variant, n) => ({ productId: ids[i] as number, variant, position: n + 1 }))));
  }
}

interface NewVariant { productId: number; variant: FileVariant; position: number }

async function insertVariants(trx: Kysely<Tables>, storeId: number, variants: readonly NewVariant[]): Promise<void> {
  for (let from = 0; from < variants.length; from += BATCH) {
    const some = variants.slice(from, from + BATCH);
    const ids = await nextIds(trx, 'variants', some.length);
    await trx.insertInto('variants').values(some.map(({ productId, variant, position }, i) => {
      const id = ids[i] as number;
      return {
        store_id: storeId, id, product_id: productId, shopify_id: PLATFORM_VARIANT + id, title: variantTitle(variant.optionValues), option_values: JSON.stringify(variant.optionValues.length ? variant.optionValues : [DEFAULT_VARIANT]), position,
        sku: variant.sku ?? '', price: variant.price ?? 0, compare_at_price: variant.compareAtPrice ?? null, image: variant.image ?? null,
        inventory_management: variant.inventoryManagement ?? null, inventory_policy: variant.inventoryPolicy ?? 'deny', inventory_quantity: variant.inventoryQuantity ?? 0,
        weight_in_grams: variant.weightInGrams ?? 0, requires_shipping: variant.requiresShipping ?? true, taxable: variant.taxable ?? true,
      };
    })).execute();
  }
}

async function changeProduct(trx: Kysely<Tables>, storeId: number, { product, row, update, add }: Extract<Change, { kind: 'CHANGE' }>, at: Date): Promise<void> {
  const before: ProductRow = row;
  for (const { row: variant, variant: given } of update) {
    const defined = Object.fromEntries(Object.entries({
      price: given.price, compare_at_price: given.compareAtPrice, sku: given.sku, image: given.image, inventory_management: given.inventoryManagement, inventory_policy: given.inventoryPolicy,
      inventory_quantity: given.inventoryQuantity, weight_in_grams: given.weightInGrams, requires_shipping: given.requiresShipping, taxable: given.taxable,
    }).filter(([, value]) => value !== undefined));
    await trx.updateTable('variants').set({ ...defined, title: variantTitle(given.optionValues), option_values: JSON.stringify(given.optionValues.length ? given.optionValues : [DEFAULT_VARIANT]) })
      .where('store_id', '=', storeId).where('id', '=', variant.id).execute();
  }
  const { rows: variants } = await sql<VariantRow>`select * from variants where store_id = ${storeId} and product_id = ${before.id} and deleted_at is null order by position, id`.execute(trx);
  const last = Math.max(0, ...variants.map(variant => variant.position));
  await insertVariants(trx, storeId, add.map((variant, n) => ({ productId: before.id, variant, position: last + n + 1 })));

  const fields = { title: product.title ?? before.title, handle: before.handle, vendor: product.vendor ?? before.vendor, productType: product.productType ?? before.product_type, tags: product.tags ?? before.tags };
  const skus = [...variants.map(variant => variant.sku), ...add.map(variant => variant.sku ?? '')];
  const values = [...variants.map(variant => optionValuesOf(variant.option_values)), ...add.map(variant => variant.optionValues)];
  const names = product.options.length ? product.options.map(option => option.name) : optionNames(before.options);
  await trx.updateTable('products').set({
    title: fields.title, vendor: fields.vendor, product_type: fields.productType, tags: fields.tags, description: product.description ?? before.description, status: product.status ?? before.status,
    image: product.image === undefined ? before.image : product.image, is_gift_card: product.isGiftCard ?? before.is_gift_card, search: searchText(fields, skus), updated_at: at,
    options: JSON.stringify(names.map((name, index) => ({ name, values: [...new Set(values.map(one => one[index]).filter(value => value !== undefined))] }))),
  }).where('store_id', '=', storeId).where('id', '=', before.id).execute();
}
