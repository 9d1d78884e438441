/**
 * A box as pages of a shop know it (docs/storefront.md): what it may hold, what that costs, and its words. The server writes it, and the
 * pages, the storefront's script and the customer portal fill a box by it. Amounts are minor units of the store's currency; ids of
 * products and variants are the platform's numbers.
 */
import { chargePrice, FULL_PRICE, type PriceRule } from '../money/pricing.ts';
import { sum, toMinor } from '../money/money.ts';
import type { BuilderLook } from './builder-look.ts';
import { bundlePrice, sizeFor, tierOf, type BoxRules, type BoxSize, type Bundle, type BundleDiscount, type Tier } from './bundle.ts';

export interface BoxVariant {
  id: number;
  title: string;
  price: number;
  image?: string;
  isSoldOut?: true;
}
export interface BoxProduct {
  id: number;
  title: string;
  image?: string;
  variants: BoxVariant[];
}
export interface PublishedBox
  extends Required<Pick<BoxRules, 'boxSizes' | 'categories' | 'details'>>, Pick<Bundle, 'purchaseType' | 'discountType'> {
  /** It stands in the address of its page. */
  id: string;
  isOnceFirst: boolean;
  /** Whether its discount counts for what is bought once. */
  isDiscountedOnce: boolean;
  /** Our id of the group of its plans; null: it is bought once only. */
  group: number | null;
  discounts: Tier[];
  products: BoxProduct[];
  /** What its products are narrowed by; `values` with the products that have them. */
  filters: { id: number; name: string; values: { value: string; products: number[] }[] }[];
  /** Products that are sold out are left out; else they are shown, and can't be chosen. */
  hidesSoldOut: boolean;
  /** Pictures of categories and sizes: "categories.1", "boxSizes.2". */
  pictures: Record<string, string>;
  image?: string;
  hero?: string;
  look: BuilderLook;
  customCss: string;
  /** The merchant's JavaScript, which runs in a frame without rights below the box. */
  customJs?: string;
  /** The discount of the platform that takes the box's own off in the platform's cart. */
  automaticDiscount?: { id: string; class: string };
  /** Where a page goes once it is in the cart. */
  goal: { to: string; url?: string };
  /**
   * Texts of the store by their keys, those of the box by their place: "name", "categories.1.name", "details.9001.shortDescription";
   * names of products and variants that differ in a language: "products.9001.title", "products.9001.variants.44012.title".
   */
  texts: Record<string, string>;
  /** Language -> the words that differ from `texts`. */
  textsByLocale: Record<string, Record<string, string>>;
}

/** What is in a box: number of a variant -> pieces. */
export type Filling = ReadonlyMap<number, number>;

export interface BoxPrice {
  pieces: number;
  size: BoxSize | undefined;
  discount: BundleDiscount | undefined;
  /** What the checkout charges for it; `full` is without the discounts of plan and box. */
  total: number;
  full: number;
  /** The next discount by pieces, and how many are missing. */
  next: { missing: number; discount: BundleDiscount } | undefined;
}

/** The pieces of a filling with their products and prices. What the box does not offer is left out. */
export function piecesOf({ products }: Pick<PublishedBox, 'products'>, filling: Filling) {
  return products.flatMap(product =>
    product.variants.flatMap(variant => {
      const quantity = filling.get(variant.id) ?? 0;
      return quantity > 0 ? [{ product, variant, productId: product.id, variantId: variant.id, price: variant.price, quantity }] : [];
    }),
  );
}

/** What a filling costs: bought once, or under the price of a plan's first order that pays for `deliveries`. */
export function boxPrice(
  box: PublishedBox,
  filling: Filling,
  currency: string,
  plan?: { rule: PriceRule; deliveriesPerCharge: number },
): BoxPrice {
  const pieces = piecesOf(box, filling);
  const quantity = sum(pieces.map(one => one.quantity));
  const value = sum(pieces.map(one => one.price * one.quantity));
  const worth = (threshold: string): number => toMinor(threshold || '0', currency);
  const isDiscounted = plan !== undefined || box.isDiscountedOnce;
  const discount = isDiscounted ? tierOf(box, { quantity, value }, worth) : undefined;
  const [rule, deliveries] = [plan?.rule ?? FULL_PRICE, plan?.deliveriesPerCharge ?? 1];
  const { discountType: type } = box;
  const next = isDiscounted ? nextTier(box, quantity) : undefined;
  return {
    pieces: quantity,
    size: sizeFor(box.boxSizes, quantity),
    discount,
    ...bundlePrice(pieces, rule, discount, currency, deliveries),
    next: next && type !== 'NONE' ? { missing: next.from - quantity, discount: { name: next.name, type, value: next.value } } : undefined,
  };
}

/** The discount by pieces that comes next, if the box can get that large. */
function nextTier({ discounts, boxSizes }: PublishedBox, quantity: number): (Tier & { from: number }) | undefined {
  const largest = Math.max(...boxSizes.map(size => (size.maxSize === 0 ? Infinity : size.maxSize)));
  return discounts
    .map(one => ({ ...one, from: one.conditionType === 'QUANTITY' ? (one.minCartQuantity ?? 0) : 0 }))
    .filter(({ from }) => from > quantity && from <= largest)
    .toSorted((one, other) => one.from - other.from)[0];
}

/** What one piece costs under a plan, before the discount of the box. */
export const piecePrice = ({ price }: BoxVariant, plan?: { rule: PriceRule }): number => chargePrice(price, plan?.rule ?? FULL_PRICE, 1);

/** The size that is chosen at first. */
export const firstSize = ({ boxSizes }: Pick<PublishedBox, 'boxSizes'>): BoxSize | undefined =>
  boxSizes.find(one => one.defaultSelected) ?? boxSizes[0];

/** The products as they are shown: by category, each in the first that has it; without categories all together. */
export function sectionsOf({ categories, products, hidesSoldOut }: PublishedBox): { category: number | null; products: BoxProduct[] }[] {
  const shown = products.flatMap(product => {
    const variants = hidesSoldOut ? product.variants.filter(one => !one.isSoldOut) : product.variants;
    return variants.length ? [{ ...product, variants }] : [];
  });
  if (categories.length === 0) return [{ category: null, products: shown }];
  const seen = new Set<number>();
  return categories.map(({ id, productIds }) => {
    const own = shown.filter(one => productIds.includes(one.id) && !seen.has(one.id));
    for (const one of own) seen.add(one.id);
    return { category: id, products: own };
  });
}
