// Names of products and their variants in the language of the reader: the merchant's translations, else the shop's own names.
import { isDefaultVariant } from '../../../domain/text/variant-name.ts';
import { PRODUCT } from './product-records.ts';
import type { Words } from './words.ts';

export { PRODUCT };

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
