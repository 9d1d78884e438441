// Groups the rows of a product file into products: rows of one handle are one product, its variants and its pictures.
import { yieldToEventLoop } from '../../../platform/queue/yield-to-event-loop.ts';
import { Cells } from './cells.ts';
import { cleanHtml } from './clean-html.ts';
import { DEFAULT_VARIANT } from '../../../../domain/text/variant-name.ts';
import { variantTitle, type FileProduct, type FileVariant, type ProductStatus } from './catalogue-product.ts';
import type { ColumnKey } from './columns.ts';
import type { CsvFile, CsvRow, RowError } from './read-csv.ts';
import { t } from '../../../../domain/text/t.ts';

const OPTIONS = [
  ['option1Name', 'option1Value'],
  ['option2Name', 'option2Value'],
  ['option3Name', 'option3Value'],
] as const;
const MAX_VARIANTS = 2048;
const STATUSES: Record<string, ProductStatus> = { active: 'ACTIVE', draft: 'DRAFT', archived: 'ARCHIVED' };
const POLICIES: Record<string, 'deny' | 'continue'> = { deny: 'deny', continue: 'continue', false: 'deny', true: 'continue' };

export interface FileProducts {
  /** Only products without a mistake; a product is imported whole or not at all. */
  products: FileProduct[];
  errors: RowError[];
  /** Handles that the file names, with or without mistakes. */
  handles: number;
}

/** A handle as it is compared and saved: in small letters, each letter and its accents in one character (NFC). */
const handleOf = (text = ''): string => text.normalize('NFC').toLowerCase();

/** Reads every product of the file; `currency` is the store's, in which the file's prices are written. Other requests get their turn. */
export async function productsOf(file: CsvFile, currency: string): Promise<FileProducts> {
  const errors = [...file.errors];
  const groups = new Map<string, CsvRow[]>();
  for (const row of file.rows) {
    const handle = handleOf(row.cells.handle);
    if (handle === '') {
      new Cells(row, file.columns, errors).wrong(
        'handle',
        t`Row ${row.row} has no handle. Every row starts with the handle of its product.`,
      );
      continue;
    }
    const group = groups.get(handle);
    if (group) group.push(row);
    else groups.set(handle, [row]);
  }
  const products: FileProduct[] = [];
  const yieldTurn = yieldToEventLoop();
  for (const [handle, rows] of groups) {
    products.push(readProduct(handle, rows, file.columns, currency, errors));
    await yieldTurn();
  }
  const broken = new Set(errors.map(error => error.handle && handleOf(error.handle)));
  errors.sort((a, b) => a.row - b.row);
  return { products: products.filter(product => !broken.has(product.handle)), errors, handles: groups.size };
}

function readProduct(handle: string, rows: CsvRow[], columns: Map<ColumnKey, string>, currency: string, errors: RowError[]): FileProduct {
  const all = rows.map(row => new Cells(row, columns, errors));
  const first = all[0]!; // a group has at least one row
  const product: FileProduct = { row: first.row, handle, options: [], variants: [] };
  if (!/^[\p{L}\p{N}][\p{L}\p{M}\p{N}_-]*$/u.test(handle) || handle.length > 255) {
    first.wrong('handle', t`“${handle.slice(0, 80)}” can't be a handle. Use letters, digits and dashes, such as ground-coffee.`);
  }

  const title = first.text('title');
  if (title === '') first.wrong('title', t`“${handle}” has no title. The first row of a product carries its title.`);
  else if (title !== undefined) product.title = title;
  const body = first.text('body', 500_000);
  if (body !== undefined) product.description = cleanHtml(body);
  assign(product, 'vendor', first.text('vendor'));
  assign(product, 'productType', first.text('type'));
  assign(product, 'tags', first.tags('tags'));
  const published = first.truth('published', true);
  assign(
    product,
    'status',
    first.word('status', STATUSES, 'ACTIVE') ?? (published === undefined ? undefined : published ? 'ACTIVE' : 'DRAFT'),
  );
  assign(product, 'isGiftCard', first.truth('giftCard', false));

  product.options = readOptionNames(first);
  const values = new Map<string, FileVariant>();
  const pictures: { position: number; src: string }[] = [];
  for (const [index, cells] of all.entries()) {
    const src = cells.url('imageSrc');
    if (src) pictures.push({ position: cells.whole('imagePosition') || Number.MAX_SAFE_INTEGER, src });
    const isVariant = index === 0 || cells.has('option1Value') || cells.has('price') || cells.has('sku');
    if (!isVariant) continue;
    const variant = readVariant(cells, product, currency);
    const key = variant.optionValues.join('\u0000').toLowerCase();
    const same = values.get(key);
    if (same) {
      cells.wrong(
        'option1Value',
        product.options.length === 0
          ? t`Row ${cells.row} repeats the product of row ${same.row} without saying how it differs. Give both rows an option value.`
          : t`Row ${cells.row} repeats the variant “${variantTitle(variant.optionValues)}” of row ${same.row}.`,
      );
      continue;
    }
    values.set(key, variant);
    product.variants.push(variant);
  }
  if (product.variants.length > MAX_VARIANTS)
    first.wrong('handle', t`“${handle}” has ${product.variants.length} variants; a product can have at most ${MAX_VARIANTS}.`);
  for (const [index, option] of product.options.entries()) {
    option.values = [...new Set(product.variants.map(variant => variant.optionValues[index] ?? ''))];
  }
  if (columns.has('imageSrc')) product.image = pictures.sort((a, b) => a.position - b.position)[0]?.src ?? null;
  return product;
}

/** The platform writes "Title" / "Default Title" for a product without options. */
function readOptionNames(first: Cells): { name: string; values: string[] }[] {
  if (first.text('option1Value')?.toLowerCase() === DEFAULT_VARIANT.toLowerCase()) return [];
  const options: { name: string; values: string[] }[] = [];
  for (const [nameKey, valueKey] of OPTIONS) {
    const name = first.text(nameKey);
    if (!name) {
      if (first.has(valueKey)) first.wrong(nameKey, t`This option has a value but no name. Name it, for example “Size”.`);
      break;
    }
    if (options.some(option => option.name.toLowerCase() === name.toLowerCase())) {
      first.wrong(nameKey, t`The option “${name}” is there twice. Every option of a product needs its own name.`);
    }
    options.push({ name, values: [] });
  }
  return options;
}

function readVariant(cells: Cells, product: FileProduct, currency: string): FileVariant {
  const variant: FileVariant = { row: cells.row, optionValues: [] };
  for (const [index, [, valueKey]] of OPTIONS.entries()) {
    const option = product.options[index];
    const value = cells.text(valueKey);
    if (option && value) variant.optionValues.push(value);
    else if (option) cells.wrong(valueKey, t`This variant has no value for “${option.name}”.`);
    else if (value && product.options.length > 0)
      cells.wrong(valueKey, t`“${value}” belongs to an option that the first row of this product doesn't name.`);
  }
  const price = cells.money('price', currency);
  if (price === null) cells.wrong('price', t`The price is empty. Enter 0 if the variant costs nothing.`);
  else assign(variant, 'price', price);
  assign(variant, 'compareAtPrice', cells.money('compareAtPrice', currency));
  assign(variant, 'sku', cells.text('sku')?.replace(/^'/, '')); // exports put an apostrophe before numbers
  assign(variant, 'image', cells.url('variantImage'));
  const tracker = cells.text('tracker');
  if (tracker !== undefined) variant.inventoryManagement = tracker === '' ? null : tracker.toLowerCase();
  assign(variant, 'inventoryPolicy', cells.word('policy', POLICIES, 'deny'));
  assign(variant, 'inventoryQuantity', cells.whole('quantity'));
  assign(variant, 'weightInGrams', cells.grams('grams'));
  assign(variant, 'requiresShipping', cells.truth('requiresShipping', true));
  assign(variant, 'taxable', cells.truth('taxable', true));
  return variant;
}

function assign<T, K extends keyof T>(target: T, key: K, value: T[K] | undefined): void {
  if (value !== undefined) target[key] = value;
}
