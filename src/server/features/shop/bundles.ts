// Bundles in the cart: boxes that shoppers filled, and preset bundles, which are bought as a product. Each is one line of the cart with its
// contents; the engine prices it, and the subscription holds it as a bundle.
import { randomBytes } from 'node:crypto';
import { boxProblems, type Bundle, type BundleItem, type PresetVariant } from '../../../domain/bundles/bundle.ts';
import { t } from '../../../domain/text/t.ts';
import { plansOfBundle, readBundles } from '../bundles/catalogue.ts';
import { addBundle } from '../bundles/on-subscription.ts';
import { type Besides, type Catalogue, type EngineContext, type OfferedPlan, type SoldVariant } from '../../engine/index.ts';
import type { CartBundle, CartLine } from './cart.ts';
import type { Shop } from './shop.ts';
import { isSold } from './sold.ts';

/** A bundle as it is bought: what it was when it was priced. It is written down with the purchase. */
export interface BoughtBundle {
  bundle: Bundle;
  variant?: PresetVariant;
  items?: readonly BundleItem[];
  boxSizeId?: number | null;
  quantity: number;
  transactionId: string;
  offered: OfferedPlan | null;
}
export interface FoundBundle {
  cart: CartBundle;
  name: string;
  /** Undefined where it is not sold any more, or not like this. */
  bought?: BoughtBundle;
  /** All pieces of it. */
  contents: { variantId: number; quantity: number }[];
}

/** How the engine adds bundles to the subscription that is bought; undefined where there are none. */
const besidesOf = (bought: readonly BoughtBundle[]): Besides | undefined =>
  bought.length === 0
    ? undefined
    : {
        offered: bought.find(one => one.offered)?.offered ?? null,
        async add(work, subscription) {
          for (const { offered, ...one } of bought) await addBundle(work, subscription, { ...one, bought: offered });
        },
      };

/** A basket with bundles as the engine takes it. */
export function forEngine<B extends { bundles?: readonly BoughtBundle[] }>({ bundles = [], ...basket }: B) {
  const besides = besidesOf(bundles);
  return { ...basket, ...(besides ? { besides } : {}) };
}

/** The bundles of a cart as they are sold now. */
export async function findBundles(
  { context, bundleText }: Pick<Shop, 'context' | 'bundleText'>,
  wanted: readonly CartBundle[],
): Promise<FoundBundle[]> {
  if (wanted.length === 0) return [];
  const bundles = new Map((await readBundles(context, { ids: wanted.map(one => one.bundleId) })).map(one => [one.id, one]));
  const found: FoundBundle[] = [];
  for (const cart of wanted) {
    const bundle = bundles.get(cart.bundleId);
    const variant = bundle?.variants?.find(one => one.variantId === cart.variantId);
    const size = bundle?.boxSizes?.find(one => one.id === cart.boxSizeId);
    const items = variant?.items ?? cart.items;
    const contents = items.map(({ variantId, quantity }) => ({ variantId, quantity: quantity * cart.quantity }));
    const title = variant?.title || (size ? (bundleText(cart.bundleId, `boxSizes.${size.id}.name`) ?? size.name) : '');
    const whole = bundleText(cart.bundleId, 'name') ?? bundle?.name ?? '';
    const name = title && title !== whole ? `${whole}: ${title}` : whole;
    const offered =
      bundle && cart.planId !== null ? (await plansOfBundle(context, bundle)).find(one => one.plan.lspId === cart.planId) : null;
    const isSoldSo =
      bundle?.status === 'ACTIVE' &&
      (cart.planId === null ? bundle.purchaseType !== 'SUBSCRIPTION' : bundle.purchaseType !== 'ONETIME' && offered !== undefined) &&
      (bundle.bundleType === 'BYOB') === (cart.variantId === undefined) &&
      (bundle.bundleType === 'BYOB' || variant !== undefined);
    const { id: transactionId, quantity, boxSizeId } = cart;
    found.push({
      ...{ cart, name, contents },
      ...(bundle && isSoldSo
        ? {
            bought: {
              ...{ bundle, quantity, transactionId, offered: offered ?? null },
              ...(variant ? { variant } : { items: cart.items, ...(size && boxSizeId ? { boxSizeId } : {}) }),
            },
          }
        : {}),
    });
  }
  return found;
}

/** Why a bundle can't be bought as it is filled: what is not sold any more, and the rules that a box breaks. */
export function problemsOfBundle(
  { nameOf }: Pick<Shop, 'nameOf'>,
  { bought, contents }: FoundBundle,
  { byId, plans }: Catalogue,
): string[] {
  if (!bought) return [];
  const { bundle, boxSizeId } = bought;
  const pieces = contents.map(({ variantId, quantity }) => ({ variantId, quantity, variant: byId.get(variantId) }));
  if (bundle.bundleType === 'PRESET')
    return pieces.flatMap(({ variant }) => {
      const title = variant ? nameOf(variant) : bundle.name;
      return isSold(variant) ? [] : [t`${title} is not part of this bundle.`];
    });
  const isOffered = (variant: SoldVariant | undefined): boolean =>
    isSold(variant) &&
    (bundle.purchaseType === 'ONETIME' || (plans.get(variant.id) ?? []).some(one => one.groupId === bundle.sellingPlanGroupId));
  return boxProblems(
    bundle,
    pieces.map(({ variantId, quantity, variant }) => ({
      ...{ variantId, quantity },
      // What is not offered any more is part of no box.
      productId: isOffered(variant) ? (variant?.product_id ?? 0) : 0,
      title: variant ? nameOf(variant) : '',
    })),
    { boxSizeId: boxSizeId ?? null },
  );
}

/** The preset bundles that stand behind products, by the variant that is bought. */
export async function presetsOf(context: EngineContext): Promise<Map<number, { bundle: Bundle; variant: PresetVariant }>> {
  const bundles = await readBundles(context, { bundleType: 'PRESET', status: 'ACTIVE' });
  return new Map(bundles.flatMap(bundle => (bundle.variants ?? []).map(variant => [variant.variantId, { bundle, variant }] as const)));
}

export const newTransaction = (): string => randomBytes(16).toString('hex');

/** What a cart takes: products by which a preset bundle is bought are bundles, all others are lines. */
export async function asBundles(context: EngineContext, given: readonly CartLine[]): Promise<{ lines: CartLine[]; bundles: CartBundle[] }> {
  const presets = await presetsOf(context);
  return {
    lines: given.filter(line => !presets.has(line.variantId)),
    bundles: given.flatMap(({ variantId, planId, quantity }): CartBundle[] => {
      const preset = presets.get(variantId);
      return preset ? [{ id: newTransaction(), bundleId: preset.bundle.id, variantId, items: [], planId, quantity }] : [];
    }),
  };
}
