// A banner on a page of the storefront: a subscriber adds the product of the page to a subscription.
import { times } from '../../../domain/money/money.ts';
import type { JsonObject } from '../../../contract/types.ts';
import { invalidState, notFound } from '../../platform/context.ts';
import { addLine, type Pricing } from '../../engine/index.ts';
import { showable } from './choices.ts';
import { note } from './offer.ts';
import type { PurchaseType, Scope } from './profiles.ts';
import { later, t } from '../../../domain/text/t.ts';

export interface BannerInput {
  /** The subscription. */
  id: number;
  bannerId: number;
  variantId: number;
  purchaseType: PurchaseType;
  quantity?: number;
}

/** The published banner. @throws Refusal 404, 409 while it is a draft */
async function needBanner({ context: { trx, storeId } }: Scope, id: number): Promise<JsonObject> {
  const row = await trx
    .selectFrom('records')
    .select('data')
    .where('store_id', '=', storeId)
    .where('entity', '=', 'storefront-banner')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!row) throw notFound(later`banner`);
  const banner = row.data as JsonObject;
  if (banner.status !== 'ACTIVE') throw invalidState(t`This banner is a draft: subscribers do not see it.`);
  return banner;
}

/**
 * Adds a product of the store by a banner, once at its price or for good by its selling plan, and notes it among the banner's figures.
 * @throws Refusal 404, 409 where the banner does not offer it that way, or the subscription can't have it
 */
export async function acceptBanner(scope: Scope, { bannerId, variantId, purchaseType, quantity = 1 }: BannerInput): Promise<void> {
  const banner = await needBanner(scope, bannerId);
  const preferences = (banner.preferences ?? {}) as JsonObject;
  const isOnce = purchaseType === 'ONETIME';
  if (preferences[isOnce ? 'offerOneTime' : 'offerSubscription'] === false) throw invalidState(t`This banner does not offer it that way.`);
  const pricing: Pricing = isOnce ? { discountType: 'NONE' } : { discountType: 'SELLING_PLAN' };
  const [choice] = await showable(scope, [variantId], { pieces: quantity, needsPlan: !isOnce, pricing: () => pricing });
  if (!choice)
    throw invalidState(t`The subscription can't have this product that way: it is not sold, out of stock, or has no fitting plan.`);
  await addLine(scope.work, scope.subscription, {
    variantId,
    quantity,
    type: isOnce ? 'ONE_TIME' : 'RECURRING',
    ...pricing,
    isUpsell: true,
  });
  await note(scope, {
    kind: 'BANNER',
    profileId: bannerId,
    happened: 'ACCEPTED',
    place: 'STOREFRONT',
    isOnce,
    toVariantId: variantId,
    quantity,
    after: times(choice.price, quantity),
  });
}
