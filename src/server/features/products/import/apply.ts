// Writes products of a file into the catalogue, some hundred rows a statement. Each product is all or nothing: the caller's transaction
// holds whole products only.
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../../../../generated/tables.ts';
import { DEFAULT_VARIANT } from '../../../../domain/text/variant-name.ts';
import { variantTitle, type FileProduct, type FileVariant } from './catalogue-product.ts';
import { optionNames, pricedAt, readExisting, type Change } from './changes.ts';
import { optionValuesOf, type ProductRow, type VariantRow } from '../product-response.ts';
import { fold } from '../../../../domain/text/fold.ts';

/** The embedded platform gives its ids by adding to ours; a connected one gives its own. */
const PLATFORM_PRODUCT = 9_100_000_000_000;
const PLATFORM_VARIANT = 9_600_000_000_000;
const BATCH = 500;

export interface Applied {
  created: number;
  changed: number;
  unchanged: number;
  priceChanges: number;
}
type Row = Record<string, unknown>;
type ChangeOf<K extends Change['kind']> = Extract<Change, { kind: K }>;

/** Writes the changes. Running them again changes nothing, because a product that is as the file says is left alone. */
export async function applyChanges(trx: Kysely<Tables>, storeId: number, changes: readonly Change[], at: Date): Promise<Applied> {
  const create = changes.filter(change => change.kind === 'CREATE').map(change => change.product);
  const change = changes.filter(one => one.kind === 'CHANGE');
  await createProducts(trx, storeId, create, at);
  await changeProducts(trx, storeId, change, at);
  return {
    created: create.length,
    changed: change.length,
    unchanged: changes.length - create.length - change.length,
    priceChanges: change.reduce(
      (sum, one) => sum + one.update.filter(({ differences }) => differences.some(difference => difference.field === 'price')).length,
      0,
    ),
  };
}

async function nextIds(trx: Kysely<Tables>, table: 'products' | 'variants', count: number): Promise<number[]> {
  if (count === 0) return [];
  const { rows } = await sql<{
    id: number;
  }>`select nextval(pg_get_serial_sequence(${table}, 'id')) as id from generate_series(1, ${count}::integer)`.execute(trx);
  return rows.map(row => row.id);
}

/** Inserts rows that all have the same columns; each batch travels as one JSON parameter. */
async function insertMany(trx: Kysely<Tables>, table: 'products' | 'variants', rows: readonly Row[]): Promise<void> {
  const columns = sql.join(Object.keys(rows[0] ?? {}).map(name => sql.ref(name)));
  for (let from = 0; from < rows.length; from += BATCH) {
    await sql`insert into ${sql.table(table)} (${columns}) select ${columns}
        from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows.slice(from, from + BATCH))}::jsonb)`.execute(trx);
  }
}

/** Writes rows over those with their ids; all rows have the same columns. */
async function updateMany(trx: Kysely<Tables>, storeId: number, table: 'products' | 'variants', rows: readonly Row[]): Promise<void> {
  const sets = sql.join(
    Object.keys(rows[0] ?? {})
      .filter(name => name !== 'id')
      .map(name => sql`${sql.ref(name)} = n.${sql.ref(name)}`),
  );
  for (let from = 0; from < rows.length; from += BATCH) {
    await sql`update ${sql.table(table)} as t set ${sets}
        from jsonb_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows.slice(from, from + BATCH))}::jsonb) as n
          where t.store_id = ${storeId}::integer and t.id = n.id`.execute(trx);
  }
}

/** What product searches look through. */
const searchText = (
  product: { title: string; handle: string; vendor: string; product_type: string; tags: readonly string[] },
  skus: readonly string[],
): string =>
  fold([product.title, product.handle, product.vendor, product.product_type, ...product.tags, ...skus].filter(Boolean).join(' '));

const storedOptions = (variant: FileVariant): string[] => (variant.optionValues.length ? variant.optionValues : [DEFAULT_VARIANT]);

async function createProducts(trx: Kysely<Tables>, storeId: number, products: readonly FileProduct[], at: Date): Promise<void> {
  const ids = await nextIds(trx, 'products', products.length);
  const rows = products.map((product, i): Row => {
    const fields = {
      title: product.title ?? product.handle,
      handle: product.handle,
      vendor: product.vendor ?? '',
      product_type: product.productType ?? '',
      tags: product.tags ?? [],
    };
    return {
      store_id: storeId,
      id: ids[i],
      shopify_id: PLATFORM_PRODUCT + (ids[i] as number),
      ...fields,
      description: product.description ?? '',
      status: product.status ?? 'ACTIVE',
      image: product.image ?? null,
      options: product.options,
      is_gift_card: product.isGiftCard ?? false,
      search: searchText(
        fields,
        product.variants.map(variant => variant.sku ?? ''),
      ),
      created_at: at,
      updated_at: at,
    };
  });
  await insertMany(trx, 'products', rows);
  await createVariants(
    trx,
    storeId,
    products.flatMap((product, i) => product.variants.map((variant, n) => ({ productId: ids[i] as number, variant, position: n + 1 }))),
  );
}

interface NewVariant {
  productId: number;
  variant: FileVariant;
  position: number;
}

async function createVariants(trx: Kysely<Tables>, storeId: number, variants: readonly NewVariant[]): Promise<void> {
  const ids = await nextIds(trx, 'variants', variants.length);
  await insertMany(
    trx,
    'variants',
    variants.map(({ productId, variant, position }, i): Row => ({
      store_id: storeId,
      id: ids[i],
      product_id: productId,
      shopify_id: PLATFORM_VARIANT + (ids[i] as number),
      title: variantTitle(variant.optionValues),
      option_values: storedOptions(variant),
      position,
      sku: variant.sku ?? '',
      price: pricedAt(variant),
      compare_at_price: variant.compareAtPrice ?? null,
      image: variant.image ?? null,
      inventory_management: variant.inventoryManagement ?? null,
      inventory_policy: variant.inventoryPolicy ?? 'deny',
      inventory_quantity: variant.inventoryQuantity ?? 0,
      weight_in_grams: variant.weightInGrams ?? 0,
      requires_shipping: variant.requiresShipping ?? true,
      taxable: variant.taxable ?? true,
    })),
  );
}

/** A value of the file, or what was there where the file says nothing. */
const or = <T>(given: T | undefined, before: T): T => (given === undefined ? before : given);

const variantOver = (row: VariantRow, given: FileVariant): Row => ({
  id: row.id,
  title: variantTitle(given.optionValues),
  option_values: storedOptions(given),
  sku: or(given.sku, row.sku),
  price: or(given.price, row.price),
  compare_at_price: or(given.compareAtPrice, row.compare_at_price),
  image: or(given.image, row.image),
  inventory_management: or(given.inventoryManagement, row.inventory_management),
  inventory_policy: or<string>(given.inventoryPolicy, row.inventory_policy),
  inventory_quantity: or(given.inventoryQuantity, row.inventory_quantity),
  weight_in_grams: or(given.weightInGrams, row.weight_in_grams),
  requires_shipping: or(given.requiresShipping, row.requires_shipping),
  taxable: or(given.taxable, row.taxable),
});

async function changeProducts(trx: Kysely<Tables>, storeId: number, changes: readonly ChangeOf<'CHANGE'>[], at: Date): Promise<void> {
  if (changes.length === 0) return;
  await updateMany(
    trx,
    storeId,
    'variants',
    changes.flatMap(change => change.update.map(({ row, variant }) => variantOver(row, variant))),
  );
  // Options and search text follow from all variants, also those that the file does not have.
  const { variants: stored } = await readExisting(
    trx,
    storeId,
    changes.map(({ row }) => row.handle),
  );
  await createVariants(
    trx,
    storeId,
    changes.flatMap(({ row, add }) => {
      const last = Math.max(0, ...(stored.get(row.id) ?? []).map(variant => variant.position));
      return add.map((variant, n) => ({ productId: row.id, variant, position: last + n + 1 }));
    }),
  );
  await updateMany(
    trx,
    storeId,
    'products',
    changes.map(change => productOver(change, stored.get(change.row.id) ?? [], at)),
  );
}

function productOver({ product, row, add }: ChangeOf<'CHANGE'>, variants: readonly VariantRow[], at: Date): Row {
  const before: ProductRow = row;
  const fields = {
    title: or(product.title, before.title),
    handle: before.handle,
    vendor: or(product.vendor, before.vendor),
    product_type: or(product.productType, before.product_type),
    tags: or(product.tags, before.tags),
  };
  const values = [...variants.map(variant => optionValuesOf(variant.option_values)), ...add.map(variant => variant.optionValues)];
  const names = product.options.length ? product.options.map(option => option.name) : optionNames(before.options);
  return {
    id: before.id,
    ...fields,
    description: or(product.description, before.description),
    status: or<string>(product.status, before.status),
    image: or(product.image, before.image),
    is_gift_card: or(product.isGiftCard, before.is_gift_card),
    options: names.map((name, index) => ({
      name,
      values: [...new Set(values.map(one => one[index]).filter(value => value !== undefined))],
    })),
    search: searchText(fields, [...variants.map(variant => variant.sku), ...add.map(variant => variant.sku ?? '')]),
    updated_at: at,
  };
}
