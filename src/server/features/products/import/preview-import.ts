// What an import would do, kept with its file until the import is started.
import { createHash } from 'crypto';
import type { Kysely } from 'kysely';
import { toDecimal } from '../../../../domain/money/money.ts';
import type { JsonObject } from '../../../../contract/types.ts';
import type { Tables } from '../../../../generated/tables.ts';
import { type Context, invalid, notFound } from '../../../platform/context.ts';
import { yieldToEventLoop } from '../../../platform/queue/yield-to-event-loop.ts';
import type { FileProduct } from './catalogue-product.ts';
import { type Change, readExisting, changeOf, allDifferences, pricedAt } from './changes.ts';
import { productsOf } from './group-rows.ts';
import { type RowError, readProductCsv, MAX_FILE_BYTES } from './read-csv.ts';
import { later, t } from '../../../../domain/text/t.ts';

export type ImportMode = 'ALL_OR_NOTHING' | 'SKIP_ERRORS';

/** How many entries of each kind a preview and a result name; the counts are of all. */
export const NAMED = 200;

interface ImportFile {
  products: FileProduct[];
  errors: RowError[];
  handles: number;
}

export async function readFile(content: Uint8Array | string, currency: string): Promise<ImportFile> {
  return productsOf(await readProductCsv(content), currency);
}

interface Verdict {
  products: number;
  errors: number;
  first: RowError | undefined;
}

/** What was found in files that were looked at lately, so that starting need not read them again. Files never change. */
class Verdicts {
  readonly #known = new Map<string, Verdict>();
  of(storeId: number, fileId: number): Verdict | undefined {
    return this.#known.get(`${storeId} ${fileId}`);
  }
  keep(storeId: number, fileId: number, { products, errors }: ImportFile): Verdict {
    const verdict = { products: products.length, errors: errors.length, first: errors[0] };
    this.#known.set(`${storeId} ${fileId}`, verdict);
    const [oldest] = this.#known.keys();
    if (this.#known.size > 100 && oldest !== undefined) this.#known.delete(oldest);
    return verdict;
  }
}
const verdicts = new Verdicts();

export const errorWire = ({ row, column, handle, message }: RowError): JsonObject => ({
  row,
  column: column ?? null,
  handle: handle ?? null,
  message,
});

/**
 * Keeps the file and says what importing it would do: products to create, to change (field by field), unchanged, and errors by row.
 * The file is read before a transaction is opened and compared between transactions, so that a large
 * one keeps no other call waiting for the database.
 */
export async function previewImport(
  context: Pick<Context, 'transaction' | 'store'>,
  fileName: string,
  content: string,
): Promise<JsonObject> {
  const bytes = Buffer.from(content, 'utf8');
  if (bytes.length > MAX_FILE_BYTES)
    throw invalid([
      {
        pointer: '/content',
        rule: 'maxLength',
        message: t`This file is larger than 10 MB. Split it and import the parts one after the other.`,
      },
    ]);
  const file = await readFile(content, context.store.currency_code);
  const changes: Change[] = [];
  const yieldTurn = yieldToEventLoop();
  for (let at = 0; at < file.products.length; at += STEP) {
    const some = file.products.slice(at, at + STEP);
    const existing = await context.transaction(({ trx, storeId }) =>
      readExisting(
        trx,
        storeId,
        some.map(product => product.handle),
      ),
    );
    for (const product of some) {
      changes.push(changeOf(product, existing, context.store.currency_code));
      await yieldTurn();
    }
  }
  return context.transaction(inner => keepPreview(inner, file, changes, fileName, bytes));
}

async function keepPreview(
  context: Context,
  file: ImportFile,
  changes: readonly Change[],
  fileName: string,
  bytes: Buffer,
): Promise<JsonObject> {
  const { trx, storeId } = context;
  const currency = context.store.currency_code;
  const create = changes.filter(change => change.kind === 'CREATE');
  const change = changes.filter(one => one.kind === 'CHANGE');
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const stored =
    (await trx
      .selectFrom('files')
      .select('id')
      .where('store_id', '=', storeId)
      .where('sha256', '=', sha256)
      .where('content_type', '=', 'text/csv')
      .limit(1)
      .executeTakeFirst()) ??
    (await trx
      .insertInto('files')
      .values({
        store_id: storeId,
        name: fileName,
        content_type: 'text/csv',
        size: bytes.length,
        sha256,
        content: bytes,
        created_by: context.user.email,
        created_at: context.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow());
  verdicts.keep(storeId, stored.id, file);
  await context.log({
    action: 'products.previewed',
    category: 'Products',
    description: `Product file “${fileName}” looked at`,
    entity: 'product',
    after: { fileId: stored.id, products: file.handles, errors: file.errors.length },
  });
  const broken = new Set(file.errors.map(error => error.handle).filter(Boolean)).size;
  return {
    fileId: stored.id,
    fileName,
    size: bytes.length,
    counts: {
      products: file.handles,
      toCreate: create.length,
      toChange: change.length,
      unchanged: changes.length - create.length - change.length,
      withErrors: broken,
      errors: file.errors.length,
    },
    toCreate: create.slice(0, NAMED).map(({ product }) => ({
      handle: product.handle,
      title: product.title ?? product.handle,
      image: product.image ?? null,
      variants: product.variants.length,
      ...priceRange(product.variants.map(pricedAt), currency),
      row: product.row,
    })),
    toChange: change.slice(0, NAMED).map(one => ({
      productId: one.row.id,
      handle: one.product.handle,
      title: one.row.title,
      // The picture that it will have.
      image: one.product.image === undefined ? one.row.image : one.product.image,
      ...priceRange(one.prices, currency),
      row: one.product.row,
      changes: allDifferences(one) as JsonObject[],
    })),
    errors: file.errors.slice(0, NAMED).map(errorWire),
    isComplete: create.length <= NAMED && change.length <= NAMED && file.errors.length <= NAMED,
  };
}

/** What the variants of a product cost, from and to. */
const priceRange = (prices: readonly number[], currency: string): JsonObject =>
  prices.length === 0
    ? {}
    : {
        minPrice: toDecimal(
          prices.reduce((a, b) => Math.min(a, b)),
          currency,
        ),
        maxPrice: toDecimal(
          prices.reduce((a, b) => Math.max(a, b)),
          currency,
        ),
      };

/** The file of a preview. @throws Refusal 404 */
export async function needFile(trx: Kysely<Tables>, storeId: number, fileId: number): Promise<{ name: string; content: Uint8Array }> {
  const file = await trx
    .selectFrom('files')
    .select(['name', 'content'])
    .where('store_id', '=', storeId)
    .where('id', '=', fileId)
    .where('content_type', '=', 'text/csv')
    .executeTakeFirst();
  if (!file) throw notFound(later`file`);
  return file;
}

/**
 * Refuses to start where nothing would come in: a file that can't be read, or one with errors when all or nothing is
 * wanted. Answers how many products would.
 */
export async function refuseBadFile(
  storeId: number,
  fileId: number,
  content: Uint8Array,
  currency: string,
  mode: ImportMode,
): Promise<number> {
  const { products, errors, first } = verdicts.of(storeId, fileId) ?? verdicts.keep(storeId, fileId, await readFile(content, currency));
  if (first && (mode === 'ALL_OR_NOTHING' || products === 0)) {
    const more = errors - 1;
    throw invalid([
      {
        pointer: '/fileId',
        rule: 'IMPORT_ERRORS',
        message:
          more === 0
            ? t`Nothing was imported. Row ${first.row}: ${first.message}`
            : more === 1
              ? t`Nothing was imported. Row ${first.row}: ${first.message} There is 1 more error.`
              : t`Nothing was imported. Row ${first.row}: ${first.message} There are ${more} more errors.`,
      },
    ]);
  }
  return products;
}
/** Products that are read or written in one transaction, at most. */
export const STEP = 500;
