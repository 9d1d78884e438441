/** Bundles: what a box may hold, which discount it gets, and what it costs. Amounts are minor units of one currency. */
import { sum, times, toMinor } from '../money/money.ts';
import { chargePrice, type PriceRule } from '../money/pricing.ts';
import { orderTotals, type OrderDiscount } from '../money/totals.ts';
import { t } from '../text/t.ts';

export type BundleDiscountType = 'NONE' | 'PERCENTAGE' | 'FIXED' | 'FIXED_PRICE';
export type PurchaseType = 'SUBSCRIPTION' | 'ONETIME' | 'ALL';
export type BoxSize = {
  id: number;
  name: string;
  minSize: number;
  /** 0: no limit. */
  maxSize: number;
  defaultSelected?: boolean;
};
export type Category = {
  id: number;
  name: string;
  minProducts: number;
  /** 0: no limit. */
  maxProducts: number;
  productIds: number[];
};
export type Tier = {
  id: number;
  name: string;
  conditionType: 'QUANTITY' | 'PRICE';
  minCartQuantity?: number;
  /** In the store's currency. */
  minCartValue?: string;
  value: string;
};
export type ProductDetail = {
  productId: number;
  minQuantity?: number;
  maxQuantity?: number;
  shortDescription?: string;
  longDescription?: string;
};
/** What the products of a box are narrowed by. */
export type BundleFilter = {
  id: number;
  name: string;
  source: 'TAG' | 'VENDOR' | 'PRODUCT_TYPE' | 'METAFIELD';
  /** "namespace.key". */
  metafield?: string;
  /** Empty: all that its products have. */
  values?: string[];
};
export type BundleItem = {
  variantId: number;
  quantity: number;
};
export type PresetVariant = {
  variantId: number;
  title?: string;
  discountValue?: string;
  items: BundleItem[];
};

/** A bundle as it is kept. */
export type Bundle = {
  id: number;
  publicId?: string;
  name: string;
  bundleType: 'BYOB' | 'PRESET';
  status: 'ACTIVE' | 'DRAFT';
  purchaseType: PurchaseType;
  sellingPlanGroupId?: number | null;
  productId?: number | null;
  variants?: PresetVariant[];
  hideContents?: boolean;
  productIds?: number[];
  excludedVariantIds?: number[];
  details?: ProductDetail[];
  categories?: Category[];
  filters?: BundleFilter[];
  type?: 'FIXED' | 'RANGE';
  boxSizes?: BoxSize[];
  discountType: BundleDiscountType;
  discounts?: Tier[];
  applyDiscountOnOnetime?: boolean;
  imageUrl?: string;
};

/** What is taken off a box; value as it was typed. */
export interface BundleDiscount {
  name: string;
  type: Exclude<BundleDiscountType, 'NONE'>;
  value: string;
}

/**
 * The discount of a box: the one with the highest threshold that is reached; discounts never add up (bundles.md, section 5).
 * `value` is what is in it before discounts; `worth` says a threshold in the same currency.
 */
export function tierOf(
  { discountType, discounts = [] }: Pick<Bundle, 'discountType' | 'discounts'>,
  box: { quantity: number; value: number },
  worth: (threshold: string) => number | null,
): BundleDiscount | undefined {
  if (discountType === 'NONE') return undefined;
  let best: { tier: Tier; share: number } | undefined;
  for (const tier of discounts) {
    const threshold = tier.conditionType === 'PRICE' ? worth(tier.minCartValue ?? '0') : (tier.minCartQuantity ?? 1);
    const reached = tier.conditionType === 'PRICE' ? box.value : box.quantity;
    if (threshold === null || reached < threshold) continue;
    // Thresholds of both kinds are compared by how much of the box they ask for.
    const share = threshold / Math.max(1, reached);
    if (!best || share >= best.share) best = { tier, share };
  }
  return best && { name: best.tier.name, type: discountType, value: best.tier.value };
}

/** The discount of a preset bundle, of the variant that is bought. */
export const presetDiscount = (
  { name, discountType }: Pick<Bundle, 'name' | 'discountType'>,
  variant: PresetVariant,
): BundleDiscount | undefined =>
  discountType === 'NONE' || !(Number(variant.discountValue ?? 0) > 0)
    ? undefined
    : { name, type: discountType, value: variant.discountValue as string };

/** Whether the bundle's discount counts for a one-time purchase (bundles.md, section 5): the plan's never does. */
export const isDiscountedOnce = ({
  purchaseType,
  applyDiscountOnOnetime,
}: Pick<Bundle, 'purchaseType' | 'applyDiscountOnOnetime'>): boolean => purchaseType !== 'ALL' || applyDiscountOnOnetime !== false;

/** How an order takes the discount of a bundle off its lines: before all other discounts, on top of the plan's. */
export const orderDiscountOf = (discount: BundleDiscount, deliveries: number, currency: string): OrderDiscount => ({
  id: 0,
  kind: 'BUNDLE',
  type: discount.type === 'FIXED' ? 'FIXED_AMOUNT' : discount.type,
  value: discount.type === 'PERCENTAGE' ? Number(discount.value) : times(toMinor(discount.value, currency), deliveries),
  targetType: 'LINE_ITEM',
  lineIds: [],
});

/**
 * What pieces of a bundle cost together, under a plan and with the bundle's discount on top of it: multiplied, not added (bundles.md,
 * section 5). `deliveries`: so many are paid at once; `full` is without plan and discount.
 */
export function bundlePrice(
  pieces: readonly { price: number; quantity: number }[],
  plan: PriceRule,
  discount: BundleDiscount | undefined,
  currency: string,
  deliveries = 1,
): { full: number; total: number } {
  const lines = pieces.map(({ price, quantity }, id) => ({ id, price: chargePrice(price, plan, deliveries), quantity }));
  const { total } = orderTotals({ lines, discounts: discount ? [orderDiscountOf(discount, deliveries, currency)] : [], shipping: 0 });
  return { full: sum(pieces.map(({ price, quantity }) => price * quantity * deliveries)), total };
}

/** The size that a number of pieces fills; of several the one that is named. */
export function sizeFor(sizes: readonly BoxSize[], pieces: number, boxSizeId?: number | null): BoxSize | undefined {
  const fits = (size: BoxSize): boolean => pieces >= size.minSize && (size.maxSize === 0 || pieces <= size.maxSize);
  return boxSizeId ? sizes.find(size => size.id === boxSizeId && fits(size)) : sizes.find(fits);
}

/** The sizes with both their ends: one to choose from has a single number of pieces, which is entered once. */
export const withBothEnds = <S extends Pick<BoxSize, 'minSize' | 'maxSize'>>(type: Bundle['type'], sizes: readonly S[]): S[] =>
  sizes.map(size => (type === 'RANGE' ? size : { ...size, maxSize: size.minSize }));

/** "6" or "4 to 12" pieces. */
export const sizeWords = ({ minSize, maxSize }: Pick<BoxSize, 'minSize' | 'maxSize'>): string =>
  maxSize === minSize ? String(minSize) : maxSize === 0 ? t`${minSize} or more` : t`${minSize} to ${maxSize}`;

/** What a box must hold: ids of products are ours or the platform's, as those of its pieces are. */
export interface BoxRules {
  boxSizes?: readonly BoxSize[];
  categories?: readonly Pick<Category, 'id' | 'minProducts' | 'maxProducts' | 'productIds'>[];
  details?: readonly ProductDetail[];
}
/** A rule that a box breaks. `of`: the id of the category, or of the product; `limit`: how many there must be, or may be. */
export type BoxFault =
  | { rule: 'SIZE'; pieces: number; allowed: readonly BoxSize[] }
  | { rule: 'CATEGORY_MIN' | 'CATEGORY_MAX' | 'PRODUCT_MIN' | 'PRODUCT_MAX'; of: number; limit: number };

/** The rules that a box breaks; of several sizes the one that is named counts. */
export function boxFaults(
  { boxSizes = [], categories = [], details = [] }: BoxRules,
  items: readonly { productId: number; quantity: number }[],
  boxSizeId?: number | null,
): BoxFault[] {
  const faults: BoxFault[] = [];
  const pieces = sum(items.map(item => item.quantity));
  const size = boxSizeId ? boxSizes.find(one => one.id === boxSizeId) : undefined;
  const allowed = size ? [size] : boxSizes;
  if (!sizeFor(allowed, pieces, boxSizeId)) faults.push({ rule: 'SIZE', pieces, allowed });
  const within = (ids: readonly number[]): number => sum(items.filter(item => ids.includes(item.productId)).map(item => item.quantity));
  for (const { id, productIds, minProducts, maxProducts } of categories) {
    const n = within(productIds);
    if (n < minProducts) faults.push({ rule: 'CATEGORY_MIN', of: id, limit: minProducts });
    if (maxProducts > 0 && n > maxProducts) faults.push({ rule: 'CATEGORY_MAX', of: id, limit: maxProducts });
  }
  for (const { productId, minQuantity = 0, maxQuantity = 0 } of details) {
    const n = within([productId]);
    if (n > 0 && n < minQuantity) faults.push({ rule: 'PRODUCT_MIN', of: productId, limit: minQuantity });
    if (maxQuantity > 0 && n > maxQuantity) faults.push({ rule: 'PRODUCT_MAX', of: productId, limit: maxQuantity });
  }
  return faults;
}

/**
 * What is wrong with a box, in words for the person who fills it: its size, the limits of categories and of products, and what is not part
 * of the bundle. `checksCategories` false: only the size counts, as where a flow fills the box.
 */
export function boxProblems(
  bundle: Bundle,
  items: readonly (BundleItem & { productId: number; title: string })[],
  { boxSizeId, checksCategories = true }: { boxSizeId?: number | null; checksCategories?: boolean } = {},
): string[] {
  const strange = items.flatMap(({ title, productId, variantId }) =>
    (bundle.productIds ?? []).includes(productId) && !(bundle.excludedVariantIds ?? []).includes(variantId)
      ? []
      : [t`${title} is not part of this bundle.`],
  );
  const faults = boxFaults(checksCategories ? bundle : { boxSizes: bundle.boxSizes ?? [] }, items, boxSizeId);
  const ofSize = faults.filter(({ rule }) => rule === 'SIZE');
  const words = (fault: BoxFault): string => faultInWords(bundle, items, fault);
  return [...ofSize.map(words), ...strange, ...faults.filter(fault => !ofSize.includes(fault)).map(words)];
}

function faultInWords({ categories = [] }: Bundle, items: readonly { productId: number; title: string }[], fault: BoxFault): string {
  if (fault.rule === 'SIZE') {
    const { pieces } = fault;
    const allowed = fault.allowed.map(sizeWords).join(', ');
    return pieces === 1
      ? t`There is 1 piece in the box. It must hold ${allowed}.`
      : t`There are ${pieces} pieces in the box. It must hold ${allowed}.`;
  }
  const { rule, of, limit } = fault;
  const name = categories.find(one => one.id === of)?.name ?? '';
  const title = items.find(item => item.productId === of)?.title ?? '';
  switch (rule) {
    case 'CATEGORY_MIN':
      return t`Pick at least ${limit} from “${name}”.`;
    case 'CATEGORY_MAX':
      return t`Pick at most ${limit} from “${name}”.`;
    case 'PRODUCT_MIN':
      return t`Take at least ${limit} of ${title}, or none.`;
    case 'PRODUCT_MAX':
      return t`Take at most ${limit} of ${title}.`;
  }
}
