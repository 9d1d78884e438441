// Upgrades: what a subscription may be upgraded to, with its words; and how many put them away.
import { sql } from 'kysely';
import { frequencyLabel } from '../../../../domain/calendar/interval.ts';
import { times, toDecimal } from '../../../../domain/money/money.ts';
import type { JsonObject, JsonValue } from '../../../../contract/types.ts';
import { Reply, type Context } from '../../../platform/context.ts';
import { readWords } from '../../../platform/texts/words.ts';
import { billingOf, idByShopifyId, nameOf, nameOfVariant, presentPiece } from '../../../engine/index.ts';
import { scopeOf } from './offers.ts';
import type { Place, Scope } from '../profiles.ts';
import { textsFor, valuesOf } from '../upgrade-texts.ts';
import { sinceReset, upgradesOf, type UpgradeOffer } from '../upgrade.ts';
import { inFigures, t } from '../../../../domain/text/t.ts';

/** What of a subscription may be upgraded, and to what, in the words of a subscriber (C498). @throws Refusal 404 */
export async function assess(
  context: Context,
  { subscriptionContractShopifyId, locale, place = 'PORTAL' }: { subscriptionContractShopifyId: number; locale?: string; place?: Place },
): Promise<JsonObject> {
  const id = await idByShopifyId(context, subscriptionContractShopifyId);
  const scope = await scopeOf(context, id);
  const offers = await upgradesOf(scope, place);
  const words = offers.length > 0 ? await readWords(context, ['store', 'upgrade-profile']) : undefined;
  return {
    isEligible: offers.length > 0,
    profiles: offers.map(offer => {
      const values = valuesOf(scope, offer);
      const texts = (group: 'bannerTexts' | 'drawerTexts'): JsonValue =>
        words ? (textsFor(scope, offer.profile, group, words, locale ?? null, values) as JsonValue) : [];
      return {
        ...compared(scope, offer),
        bannerTexts: texts('bannerTexts'),
        drawerTexts: texts('drawerTexts'),
        shortDescriptionText: offer.profile.shortDescriptionText?.value ?? '',
      };
    }),
  };
}

/** A product as it is, beside the one that is offered. */
function compared(scope: Scope, { profile, line, quantity, price, basePrice, variant, frequency }: UpgradeOffer): JsonObject {
  const { contract } = scope.subscription;
  const cash = (minor: number): string => toDecimal(minor, contract.currency_code);
  const present = billingOf(contract);
  return {
    id: profile.id,
    type: profile.type,
    lineId: line.id,
    currencyCode: contract.currency_code,
    current: {
      variantId: line.variant_id,
      name: nameOf(line),
      quantity: line.quantity,
      price: cash(times(presentPiece(scope.subscription, line), line.quantity)),
      frequency: frequencyLabel(present),
    },
    upgraded: {
      variantId: variant.id,
      name: nameOfVariant(variant),
      quantity,
      price: cash(times(price, quantity)),
      frequency: frequencyLabel(frequency ?? present),
    },
    savingPerOrder: cash(times(Math.max(0, basePrice - price), quantity)),
    discountPercent: basePrice > price ? Math.round((1 - price / basePrice) * 1000) / 10 : 0,
  };
}

async function subscribersWho({ trx, storeId }: Context, profileId: number | undefined): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(distinct contract_id)::integer as n from offer_events e
    where store_id = ${storeId}::integer and kind = 'UPGRADE' and happened = 'DISMISSED' and ${sinceReset(storeId)}
      ${profileId === undefined ? sql`` : sql`and profile_id = ${profileId}::bigint`}`.execute(trx);
  return rows[0]?.n ?? 0;
}

/** How many subscribers put upgrades away, all of them or one (C497). */
export const getDismissedCount = async (context: Context, { profileId }: { profileId?: number }): Promise<JsonObject> => ({
  count: await subscribersWho(context, profileId),
});

/** Forgets who put upgrades away, all of them or one: they are shown to everybody again (C506), at once and however many they are. */
export async function resetDismissTracker(context: Context, { profileId }: { profileId?: number }): Promise<Reply> {
  const count = await subscribersWho(context, profileId);
  await sql`insert into upgrade_resets (store_id, profile_id, last_event)
    select ${context.storeId}::integer, ${profileId ?? 0}::bigint, coalesce(max(id), 0) from offer_events
      where store_id = ${context.storeId}::integer
    on conflict (store_id, profile_id) do update set last_event = excluded.last_event`.execute(context.trx);
  await context.log({
    action: 'upgrade-profile.reset',
    category: 'Upgrades',
    entity: 'upgrade-profile',
    entityId: profileId ?? 'all',
    description: `Upgrades are shown again to ${count} subscribers who put them away`,
  });
  const subscribers = inFigures(count);
  return new Reply(
    { count },
    { message: count === 1 ? t`The banner shows again to 1 subscriber.` : t`The banner shows again to ${subscribers} subscribers.` },
  );
}
