/** What is said of a box while it is filled, by the texts of the store: the server's pages and the storefront's script say the same. */
import { formatMoney, toMinor } from '../money/money.ts';
import { filledIn } from '../text/placeholders.ts';
import type { BoxFault, BoxSize, BundleDiscount } from './bundle.ts';
import type { BoxPrice, BoxProduct, PublishedBox } from './published-box.ts';

type Texts = Readonly<Record<string, string>>;

/** A text of the store with its values. */
export const boxText = (texts: Texts, key: string, values: Readonly<Record<string, string | number>> = {}): string =>
  filledIn(texts[key] ?? '', Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)])));

/** A product with its variant, where it has several. */
export const nameOfPiece = ({ title }: Pick<BoxProduct, 'title'>, variant: { title: string }): string =>
  variant.title ? `${title}, ${variant.title}` : title;

/** The box with the names of its products, variants and filters in the words of its texts; the shop's own names where there are none. */
export const boxInWords = (box: PublishedBox, texts: Texts): PublishedBox => ({
  ...box,
  products: box.products.map(product => ({
    ...product,
    title: texts[`products.${product.id}.title`] ?? product.title,
    variants: product.variants.map(one => ({ ...one, title: texts[`products.${product.id}.variants.${one.id}.title`] ?? one.title })),
  })),
  filters: box.filters.map(filter => ({ ...filter, name: texts[`filters.${filter.id}.name`] ?? filter.name })),
});

/** How many pieces are missing to the next size, or are too many (below 0). */
function missing(allowed: readonly BoxSize[], pieces: number): number {
  const next = Math.min(...allowed.map(size => size.minSize).filter(min => min > pieces));
  if (Number.isFinite(next)) return next - pieces;
  return Math.max(...allowed.map(size => size.maxSize)) - pieces;
}

/** What is to be done about a rule that a box breaks. */
export function faultWords(box: Pick<PublishedBox, 'products'>, texts: Texts, fault: BoxFault): string {
  if (fault.rule === 'SIZE') {
    const n = missing(fault.allowed, fault.pieces);
    return n > 0 ? boxText(texts, 'bundleProgressMin', { remaining: n }) : boxText(texts, 'bundleTooMany', { remaining: -n });
  }
  const { rule, of, limit } = fault;
  const values = { min: limit, max: limit };
  const about = rule.startsWith('CATEGORY') ? texts[`categories.${of}.name`] : box.products.find(one => one.id === of)?.title;
  const key = {
    CATEGORY_MIN: 'bundleCategoryMin',
    CATEGORY_MAX: 'bundleCategoryMax',
    PRODUCT_MIN: 'bundleProductMin',
    PRODUCT_MAX: 'bundleProductMax',
  }[rule];
  return `${about}: ${boxText(texts, key, values)}`;
}

/** "10 %", or an amount. */
export function discountWords({ type, value }: BundleDiscount, currency: string, locale: string): string {
  return type === 'PERCENTAGE'
    ? (Number(value) / 100).toLocaleString(locale, { style: 'percent', maximumFractionDigits: 2 })
    : formatMoney(toMinor(value, currency), currency, locale);
}

/** What the discount of a box is and, of one that may be bought as it is, what the next one asks for. */
export function savingWords(
  { discount, next, full, total }: BoxPrice,
  texts: Texts,
  currency: string,
  locale: string,
  isReady: boolean,
): string[] {
  const isPrice = discount?.type === 'FIXED_PRICE';
  const now =
    discount && full > total
      ? boxText(texts, 'bundleDiscount', {
          discount: isPrice ? formatMoney(full - total, currency, locale) : discountWords(discount, currency, locale),
        })
      : '';
  const more =
    isReady && next && next.discount.type !== 'FIXED_PRICE'
      ? boxText(texts, 'bundleNextTier', {
          remaining: next.missing,
          next_discount: discountWords(next.discount, currency, locale),
        })
      : '';
  return [now, more].filter(Boolean);
}
