// Bundles of a subscription: which it can get, and what staff do with those it has.
import type { JsonObject, JsonValue } from '../../../../contract/types.ts';
import type { BundleItem } from '../../../../domain/bundles/bundle.ts';
import { sizeWords } from '../../../../domain/bundles/bundle.ts';
import { formatMoney } from '../../../../domain/money/money.ts';
import { notFound, type Context, type Handler } from '../../../platform/context.ts';
import { convert } from '../../../platform/records/exchange-rates.ts';
import {
  type Aggregate,
  callOfAction,
  contractView,
  engineOf,
  findVariants,
  loadAggregates,
  nameOfVariant,
  UnitOfWork,
} from '../../../engine/index.ts';
import { filterValuesOf, wordsOf, type FilterValues } from '../filters.ts';
import { isInStock, poolOf, readBundles } from '../catalogue.ts';
import {
  addBundle,
  bundleOf,
  changeBundleQuantity as changeQuantity,
  changeContents as refill,
  needHeld,
  planFor,
  presetOf,
  removeBundle as removeHeld,
} from '../on-subscription.ts';
import { intlLocale, later, t } from '../../../../domain/text/t.ts';

interface Named {
  id: number;
}
interface PoolOf {
  bundleId?: number;
  bundleTransactionId?: string;
  filterId?: number;
  value?: string;
}

async function openSubscription(context: Context, id: number): Promise<{ work: UnitOfWork; subscription: Aggregate }> {
  const work = await UnitOfWork.open(engineOf(context));
  const [subscription] = await loadAggregates(context.trx, context.storeId, [id], { lock: false });
  if (!subscription) throw notFound(later`subscription`);
  return { work, subscription };
}

/** The bundles that it has. @throws Refusal 404 */
export const list = async (context: Context, { id }: Named): Promise<JsonValue> =>
  (await contractView(engineOf(context), id)).bundles ?? [];

/** Bundles that are sold, and how they would come: with every order, or with the next one alone. @throws Refusal 404 */
export async function choices(context: Context, { id, bundleType }: Named & { bundleType: 'PRESET' | 'BYOB' }): Promise<JsonValue> {
  const { work, subscription } = await openSubscription(context, id);
  const found: JsonObject[] = [];
  for (const bundle of await readBundles(context, { status: 'ACTIVE', bundleType })) {
    const plan = await planFor(work, subscription, bundle);
    if (!plan && bundle.purchaseType === 'SUBSCRIPTION') continue;
    const comes = plan ? plan.plan.name : t`next order only`;
    if (bundleType === 'BYOB') {
      found.push({ id: bundle.id, title: bundle.name, detail: `${(bundle.boxSizes ?? []).map(sizeWords).join(', ')} · ${comes}` });
      continue;
    }
    const variants = await findVariants(engineOf(context), { ids: (bundle.variants ?? []).map(one => one.variantId) });
    for (const one of bundle.variants ?? []) {
      const variant = variants.find(other => other.id === one.variantId);
      const name = one.title || (variant ? nameOfVariant(variant) : '');
      found.push({ id: one.variantId, title: name && name !== bundle.name ? `${bundle.name}: ${name}` : bundle.name, detail: comes });
    }
  }
  return found;
}

/** The products that a filter leaves: those with a value, or with any. @throws Refusal 404 */
function namedBy(filters: readonly FilterValues[], filterId: number, value: string | undefined): number[] {
  const found = filters.find(({ filter }) => filter.id === filterId);
  if (!found) throw notFound(later`filter of the bundle`);
  return [...found.values].flatMap(([one, products]) => (value === undefined || one === value ? products.map(({ id }) => id) : []));
}

/** What a box may hold: of a bundle, or of one that the subscription has. @throws Refusal 404, 409 */
export async function pool(context: Context, { id, bundleId, bundleTransactionId, filterId, value }: Named & PoolOf): Promise<JsonValue> {
  const { subscription } = await openSubscription(context, id);
  const of = bundleId ?? (bundleTransactionId ? needHeld(subscription, bundleTransactionId).bundleId : undefined);
  const [bundle] = of === undefined ? [] : await readBundles(context, { ids: [of] });
  if (!bundle) return [];
  const { outOfStockHandling } = await context.setting('bundle-preferences');
  const own = new Set(subscription.lines.filter(line => line.bundle_transaction_id === bundleTransactionId).map(line => line.variant_id));
  const ids = await poolOf(context, bundle);
  const variants = new Map((await findVariants(engineOf(context), { ids })).map(one => [one.id, one]));
  const filters = await filterValuesOf(context, bundle);
  const filterTexts = wordsOf(filters);
  const narrowed = filterId === undefined ? undefined : new Set(namedBy(filters, filterId, value));
  const { currency_code: currency } = subscription.contract;
  return ids.flatMap(one => {
    const variant = variants.get(one);
    const price = variant && convert(context.store, variant.price, context.store.currency_code, currency);
    if (!variant || price === null || price === undefined) return [];
    if (narrowed && !narrowed.has(variant.product_id)) return [];
    const isOut = !isInStock(variant, 1);
    if (isOut && outOfStockHandling === 'HIDE' && !own.has(one)) return [];
    const costs = isOut ? t`Out of stock` : formatMoney(price, currency, intlLocale());
    return [{ id: one, title: nameOfVariant(variant), detail: [costs, ...(filterTexts.get(variant.product_id) ?? [])].join(' · ') }];
  });
}

export const addPreset: Handler = callOfAction<Named & { variantId: number; quantity?: number; once?: boolean }>(
  'ADD_BUNDLE',
  async (work, subscription, { variantId, quantity, once }) => {
    await addBundle(work, subscription, { ...(await presetOf(work, variantId)), quantity, once });
  },
);
export const addBox: Handler = callOfAction<Named & { bundleId: number; items: BundleItem[]; once?: boolean }>(
  'ADD_BUNDLE',
  async (work, subscription, { bundleId, items, once }) => {
    await addBundle(work, subscription, { bundle: await bundleOf(work, bundleId), items, once });
  },
);
export const changeContents: Handler = callOfAction<Named & { bundleTransactionId: string; items: BundleItem[] }>(
  'CHANGE_BUNDLE_CONTENTS',
  refill,
);
export const changeBundleQuantity: Handler = callOfAction<Named & { bundleTransactionId: string; quantity: number }>(
  'CHANGE_BUNDLE_QUANTITY',
  changeQuantity,
);
export const removeBundle: Handler = callOfAction<Named & { bundleTransactionId: string }>('REMOVE_BUNDLE', removeHeld);
