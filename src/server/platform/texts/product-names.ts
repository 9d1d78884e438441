// Names of products and their variants in the language of who reads them: the merchant's translations, else the shop's own names.
import { sql } from 'kysely';
import type { JsonObject } from '../../../contract/types.ts';
import { isDefaultVariant, variantName } from '../../../domain/text/variant-name.ts';
import type { LocalisedRecord, Reading } from './reading.ts';
import type { Words } from './words.ts';

/** Owner of these words; the key of a variant's is "variants.12.title". */
export const PRODUCT = 'product';

/** What a line or a variant that is sold knows of its names. */
export type Named = { product_id: number | null; product_title: string } & (
  | { variant_id: number | null; variant_title: string }
  | { id: number; title: string }
);

const own = (words: Words, locale: string | null, productId: number, key: string): string | undefined =>
  words.find(locale, { ownerKind: PRODUCT, ownerId: String(productId), key })?.value;

/** The name of a product. */
export const productTitle = (words: Words, locale: string | null, id: number, title: string): string =>
  own(words, locale, id, 'title') ?? title;

/** The name of a variant by itself; that of the only one of its product stays the platform's, which is never shown. */
export const variantTitle = (words: Words, locale: string | null, productId: number, id: number | null, title: string): string =>
  id === null || isDefaultVariant(title) ? title : (own(words, locale, productId, `variants.${id}.title`) ?? title);

/** The same line or variant with the names that a reader of `locale` reads: to be shown, never to be written. */
export function spoken<L extends Named>(words: Words, locale: string | null, one: L): L {
  if (one.product_id === null) return one;
  const product_title = productTitle(words, locale, one.product_id, one.product_title);
  return 'variant_title' in one
    ? { ...one, product_title, variant_title: variantTitle(words, locale, one.product_id, one.variant_id, one.variant_title) }
    : { ...one, product_title, title: variantTitle(words, locale, one.product_id, one.id, one.title) };
}

/** Products whose names are translated: those that a selling plan sells, with their variants; or one of them. */
export async function productRecords({ trx, storeId }: Pick<Reading, 'trx' | 'storeId'>, id?: string | number): Promise<LocalisedRecord[]> {
  const { rows } = await sql<{ id: number; title: string; variants: { id: number; title: string }[] }>`select p.id, p.title,
      (select coalesce(jsonb_agg(jsonb_build_object('id', v.id, 'title', v.title) order by v.position, v.id), '[]') from variants v
        where v.store_id = p.store_id and v.product_id = p.id and v.deleted_at is null) as variants
    from products p where p.store_id = ${storeId}::integer and p.deleted_at is null and p.status = 'ACTIVE' and not p.is_gift_card
      and exists (select from plan_products m where m.store_id = p.store_id and m.product_id = p.id)
      ${id === undefined ? sql`` : sql`and p.id::text = ${String(id)}`} order by lower(p.title), p.id`.execute(trx);
  return rows.map(({ id: productId, title, variants }) => ({
    id: productId,
    data: { title, variants: variants.map(one => ({ ...one, title: variantName(one.title) })) } as JsonObject,
  }));
}
