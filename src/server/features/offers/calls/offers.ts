// What is offered to a subscription now, and taking it. The team does so in the name of the customer.
import type { JsonObject, JsonValue } from '../../../../contract/types.ts';
import { accessOf } from '../../../../contract/access.ts';
import { notFound, type Context, type Handler } from '../../../platform/context.ts';
import { callOfAction, engineOf, group, loadAggregates, UnitOfWork } from '../../../engine/index.ts';
import { bundleMembers, bundleSwaps, bundleUpsells } from '../bundles.ts';
import { note, type OfferEvent } from '../offer.ts';
import { activeProfiles, type Place, type Scope } from '../profiles.ts';
import { acceptBanner } from '../banner.ts';
import { acceptUpsell, upsellMembers, upsellsOf } from '../upsell.ts';
import { upgradeMembers, upgradesOf } from '../upgrade.ts';
import { acceptSwap, swapMembers, swapsOf, type SwapOffer, type SwapProfile } from '../swap.ts';
import { later } from '../../../../domain/text/t.ts';

/** Swaps of one product that are shown at once; the dialog of a swap has all products. */
const SWAPS = 4;
/** Subscriptions that offers are made to. */
const OPEN = ['ACTIVE', 'PAUSED'];

/** A subscription to look at, without a lock. @throws Refusal 404 */
export async function scopeOf(context: Context, id: number): Promise<Scope> {
  const work = await UnitOfWork.open(engineOf(context));
  const [subscription] = await loadAggregates(context.trx, context.storeId, [id], { lock: false });
  if (!subscription) throw notFound(later`subscription`);
  return { context, work, subscription };
}

/** All that is offered to a subscription now, what the store's plan has and its profiles say. @throws Refusal 404 */
export async function list(context: Context, { id, place = 'ADMIN' }: { id: number; place?: Place }): Promise<JsonValue> {
  const scope = await scopeOf(context, id);
  if (!OPEN.includes(scope.subscription.contract.status)) return [];
  const { planHas } = accessOf(context.session);
  return [
    ...(planHas('upgrades') ? (await upgradesOf(scope, place)).map(offer => upgradeMembers(scope, offer)) : []),
    ...(planHas('upsell') ? (await upsellsOf(scope)).flatMap(offer => upsellMembers(scope, offer)) : []),
    ...(planHas('upsell') ? (await bundleUpsells(scope)).map(offer => bundleMembers(scope, offer)) : []),
    ...(planHas('product_swap') ? await swapRows(scope, place) : []),
  ];
}

async function swapRows(scope: Scope, place: Place): Promise<JsonObject[]> {
  const profiles = await activeProfiles<SwapProfile>(scope.context, 'swap-profile');
  const rows: JsonObject[] = [];
  for (const line of scope.subscription.lines)
    rows.push(
      ...oneOfEach(await swapsOf(scope, line, place, profiles))
        .slice(0, SWAPS)
        .map(offer => swapMembers(scope, offer, place)),
      ...(await bundleSwaps(scope, line)).map(offer => bundleMembers(scope, offer, line)),
    );
  return rows;
}

/** One variant of each product, in their order: the one that is called like the present one, else the first. */
function oneOfEach(offers: readonly SwapOffer[]): SwapOffer[] {
  const byProduct = group(offers, ({ variant }) => variant.product_id);
  return [...byProduct.values()].flatMap(
    ([first, ...others]) => [first, ...others].find(offer => offer && offer.variant.title === offer.line.variant_title) ?? first ?? [],
  );
}

/** All swaps of one product. @throws Refusal 404 */
export async function swaps(
  context: Context,
  { id, lineId, place = 'ADMIN' }: { id: number; lineId: number; place?: Place },
): Promise<JsonValue> {
  const scope = await scopeOf(context, id);
  const line = scope.subscription.lines.find(one => one.id === lineId);
  if (!line) throw notFound(later`product of the subscription`);
  return [
    ...(await swapsOf(scope, line, place)).map(offer => swapMembers(scope, offer, place)),
    ...(await bundleSwaps(scope, line)).map(offer => bundleMembers(scope, offer, line)),
  ];
}

/** Takes an offer: the action that it is to the subscription, and how. */
const taking = <T extends { id: number }>(
  action: 'SWAP_PRODUCT' | 'ADD_PRODUCT',
  accept: (scope: Scope, input: T) => Promise<void>,
): Handler => callOfAction<T>(action, (work, subscription, input, context) => accept({ context, work, subscription }, input));
export const swap = taking('SWAP_PRODUCT', acceptSwap);
export const upsell = taking('ADD_PRODUCT', acceptUpsell);
export const banner = taking('ADD_PRODUCT', acceptBanner);

/** Writes down that a subscriber saw an offer, opened it, or put it away. @throws Refusal 404 */
export async function seen(
  context: Context,
  { id, ...event }: Pick<OfferEvent, 'kind' | 'profileId' | 'happened' | 'place'> & { id: number },
): Promise<JsonValue> {
  await note(await scopeOf(context, id), event);
  return { happened: event.happened };
}
