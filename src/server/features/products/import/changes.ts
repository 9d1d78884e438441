// What an import would do to the catalogue: compares the products of a file with those of the store, field by field.
import { sql, type Kysely } from 'kysely';
import { formatMoney } from '../../../../domain/money/money.ts';
import { ellipsis } from '../../../../domain/text/text.ts';
import type { Tables } from '../../../../generated/tables.ts';
import { isDefaultVariant, variantName } from '../../../../domain/text/variant-name.ts';
import { variantTitle, type FileProduct, type FileVariant } from './catalogue-product.ts';
import { optionValuesOf, type ProductRow, type VariantRow } from '../product-response.ts';

/** One difference, in words for a person. `field` names the column; of a variant, `variant` says which. */
export type Difference = {
  field: string;
  label: string;
  variant?: string;
  before: string;
  after: string;
};
export interface VariantChange {
  row: VariantRow;
  variant: FileVariant;
  differences: Difference[];
}
export type Change =
  | { kind: 'CREATE'; product: FileProduct }
  | {
      kind: 'CHANGE';
      product: FileProduct;
      row: ProductRow;
      differences: Difference[];
      update: VariantChange[];
      add: FileVariant[];
      /** Of each variant that it has then, in minor units. */
      prices: number[];
    }
  | { kind: 'NONE'; product: FileProduct };

export interface Existing {
  products: Map<string, ProductRow>;
  variants: Map<number, VariantRow[]>;
}

const BATCH = 500;

/**
 * The store's products with these handles, and their variants; with `lock` neither they nor their stock change until the transaction ends.
 */
export async function readExisting(
  trx: Kysely<Tables>,
  storeId: number,
  handles: readonly string[],
  { lock = false } = {},
): Promise<Existing> {
  const existing: Existing = { products: new Map(), variants: new Map() };
  for (let at = 0; at < handles.length; at += BATCH) {
    const some = handles.slice(at, at + BATCH);
    const { rows } =
      await sql<ProductRow>`select * from products where store_id = ${storeId} and handle = any(${some}::text[]) and deleted_at is null
        order by id ${lock ? sql`for update` : sql``}`.execute(trx);
    for (const row of rows) existing.products.set(row.handle, row);
    if (rows.length === 0) continue;
    const variants =
      await sql<VariantRow>`select * from variants where store_id = ${storeId} and product_id = any(${rows.map(row => row.id)}::bigint[])
        and deleted_at is null order by product_id, position, id ${lock ? sql`for update` : sql``}`.execute(trx);
    for (const variant of variants.rows)
      existing.variants.set(variant.product_id, [...(existing.variants.get(variant.product_id) ?? []), variant]);
  }
  return existing;
}

const shown = (value: unknown): string => {
  if (value === null || value === undefined || value === '') return '';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (Array.isArray(value)) return value.map(String).join(', ');
  return String(value);
};
const plain = (html: string): string =>
  ellipsis(
    html
      .replace(/<[^<>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
    140,
  );
const STATUS: Record<string, string> = { ACTIVE: 'Active', DRAFT: 'Draft', ARCHIVED: 'Archived' };
const sameList = (a: readonly string[], b: readonly string[]): boolean => a.length === b.length && a.every((one, i) => one === b[i]);

/** Options as the platform writes them for a product without any count as none. */
const isDefaultName = (values: readonly string[]): boolean =>
  values.length === 0 || (values.length === 1 && isDefaultVariant(values[0] ?? ''));
/** What tells the variants of a product from each other: the values of their options; '' for the one of a product without any. */
export const variantKey = (values: readonly string[]): string => (isDefaultName(values) ? '' : values.join('\u0000').toLowerCase());
const titleOf = (row: VariantRow): string => (isDefaultName(optionValuesOf(row.option_values)) ? '' : row.title);

/** The option names that a product has, however they are kept; a product without options has none. */
export const optionNames = (options: unknown): string[] => {
  const names = Array.isArray(options)
    ? options.map(one => (one !== null && typeof one === 'object' ? String((one as { name?: unknown }).name ?? '') : String(one)))
    : [];
  return names.length === 1 && names[0]?.toLowerCase() === 'title' ? [] : names;
};

/** What importing one product would do. Columns that the file lacks change nothing, and variants that it lacks stay. */
export function changeOf(product: FileProduct, existing: Existing, currency: string): Change {
  const row = existing.products.get(product.handle);
  if (!row) return { kind: 'CREATE', product };
  const differences: Difference[] = [];
  const compare = (field: string, label: string, before: unknown, after: unknown, show: (value: unknown) => string = shown): void => {
    if (after === undefined) return;
    const isSame =
      Array.isArray(before) && Array.isArray(after)
        ? sameList(before.map(String), after.map(String))
        : (before ?? null) === (after ?? null);
    if (!isSame) differences.push({ field, label, before: show(before), after: show(after) });
  };
  compare('title', 'Title', row.title, product.title);
  compare('description', 'Description', row.description, product.description, value => plain(String(value ?? '')));
  compare('vendor', 'Vendor', row.vendor, product.vendor);
  compare('productType', 'Type', row.product_type, product.productType);
  compare('tags', 'Tags', row.tags, product.tags);
  compare('status', 'Status', row.status, product.status, value => STATUS[String(value)] ?? String(value));
  compare('isGiftCard', 'Gift card', row.is_gift_card, product.isGiftCard);
  compare('image', 'Picture', row.image, product.image);
  const names = optionNames(row.options);
  compare(
    'options',
    'Options',
    names,
    product.options.map(option => option.name),
  );

  const rows = existing.variants.get(row.id) ?? [];
  const byKey = new Map(rows.map(one => [variantKey(optionValuesOf(one.option_values)), one]));
  const matched = new Set<number>();
  const update: VariantChange[] = [];
  const add: FileVariant[] = [];
  // A product that had no options and gets some: its one variant becomes the first of the file, so that subscriptions keep it.
  const [only] = rows;
  const takesOver =
    rows.length === 1 && only && isDefaultName(optionValuesOf(only.option_values)) && product.options.length > 0 ? only : undefined;
  for (const [index, variant] of product.variants.entries()) {
    const found = byKey.get(variantKey(variant.optionValues)) ?? (index === 0 ? takesOver : undefined);
    if (!found || matched.has(found.id)) {
      add.push(variant);
      continue;
    }
    matched.add(found.id);
    const changes = variantDifferences(found, variant, currency);
    if (changes.length) update.push({ row: found, variant, differences: changes });
  }
  if (differences.length === 0 && update.length === 0 && add.length === 0) return { kind: 'NONE', product };
  const changed = new Map(update.map(one => [one.row.id, one.variant.price]));
  const prices = [...rows.map(one => changed.get(one.id) ?? one.price), ...add.map(pricedAt)];
  return { kind: 'CHANGE', product, row, differences, update, add, prices };
}

/** What a variant that is new costs, in minor units. */
export const pricedAt = ({ price = 0 }: FileVariant): number => price;

function variantDifferences(row: VariantRow, variant: FileVariant, currency: string): Difference[] {
  const name = titleOf(row);
  const differences: Difference[] = [];
  const compare = (field: string, label: string, before: unknown, after: unknown, show: (value: unknown) => string = shown): void => {
    if (after === undefined || (before ?? null) === (after ?? null)) return;
    differences.push({ field, label, ...(name === '' ? {} : { variant: name }), before: show(before), after: show(after) });
  };
  const money = (value: unknown): string => (typeof value === 'number' ? formatMoney(value, currency) : '');
  compare('title', 'Variant', name, variantName(variantTitle(variant.optionValues)));
  compare('price', 'Price', row.price, variant.price, money);
  compare('compareAtPrice', 'Compare-at price', row.compare_at_price, variant.compareAtPrice, money);
  compare('sku', 'SKU', row.sku, variant.sku);
  compare('image', 'Picture', row.image, variant.image);
  compare('inventoryManagement', 'Stock is tracked by', row.inventory_management, variant.inventoryManagement);
  compare('inventoryPolicy', 'When out of stock', row.inventory_policy, variant.inventoryPolicy, value =>
    value === 'continue' ? 'Continue selling' : 'Stop selling',
  );
  compare('inventoryQuantity', 'In stock', row.inventory_quantity, variant.inventoryQuantity);
  compare('weightInGrams', 'Weight in grams', row.weight_in_grams, variant.weightInGrams);
  compare('requiresShipping', 'Needs shipping', row.requires_shipping, variant.requiresShipping);
  compare('taxable', 'Taxed', row.taxable, variant.taxable);
  return differences;
}

/** Everything one product changes, for people: its own fields, its variants' fields, and variants that are new. */
export const allDifferences = (change: Extract<Change, { kind: 'CHANGE' }>): Difference[] => [
  ...change.differences,
  ...change.update.flatMap(one => one.differences),
  ...change.add.map((variant): Difference => ({
    field: 'variant',
    label: 'New variant',
    before: '',
    after: variantName(variantTitle(variant.optionValues)),
  })),
];
