// An offer to one subscription, as it is shown, and what is recorded when a customer sees or takes it.
import { sql } from 'kysely';
import { monthlyValue } from '../../../domain/money/metrics.ts';
import { toDecimal } from '../../../domain/money/money.ts';
import type { JsonObject } from '../../../contract/types.ts';
import { inStoreCurrency } from '../../platform/records/exchange-rates.ts';
import { deliveryOf, nameOfVariant } from '../../engine/index.ts';
import type { Choice } from './choices.ts';
import type { Place, Scope } from './profiles.ts';

export type OfferKind = 'SWAP' | 'UPSELL' | 'UPGRADE' | 'BANNER';

/** What all offers say of the product that is offered. */
export function productMembers({ subscription }: Pick<Scope, 'subscription'>, { variant, price, basePrice }: Choice): JsonObject {
  const currency = subscription.contract.currency_code;
  return {
    bundleId: null,
    productId: variant.product_id,
    variantId: variant.id,
    name: nameOfVariant(variant),
    image: variant.image ?? null,
    price: toDecimal(price, currency),
    fullPrice: toDecimal(basePrice, currency),
    currencyCode: currency,
  };
}
export interface OfferEvent {
  kind: OfferKind;
  /** 0: the general settings. */
  profileId: number;
  happened: 'VIEWED' | 'OPENED' | 'DISMISSED' | 'ACCEPTED';
  place: Place;
  isOnce?: boolean;
  fromVariantId?: number | null;
  toVariantId?: number | null;
  quantity?: number;
  /** For all pieces of an order, in minor units of the subscription's currency. */
  before?: number;
  after?: number;
}

/** Writes down what became of an offer. A subscription sees and opens one once a day. */
export async function note({ context, subscription }: Pick<Scope, 'context' | 'subscription'>, event: OfferEvent): Promise<void> {
  const { trx, storeId, store } = context;
  const currency = subscription.contract.currency_code;
  const [before, after] = [event.before ?? 0, event.after ?? 0].map(amount => inStoreCurrency(store, amount, currency)) as [number, number];
  const { interval, intervalCount } = deliveryOf(subscription.contract);
  const monthly = event.isOnce ? 0 : Math.sign(after - before) * monthlyValue(Math.abs(after - before), interval, intervalCount);
  const now = context.now();
  await sql`insert into offer_events (store_id, kind, profile_id, contract_id, happened, place, day, is_once,
      from_variant_id, to_variant_id, quantity, value_before, value_after, monthly_change, created_at)
    values (${storeId}::integer, ${event.kind}, ${event.profileId}::bigint, ${subscription.contract.id}::bigint, ${event.happened},
      ${event.place},
      (${now}::timestamptz at time zone ${store.timezone}::text)::date, ${event.isOnce ?? false}, ${event.fromVariantId ?? null}::bigint,
      ${event.toVariantId ?? null}::bigint, ${event.quantity ?? 0}::integer, ${before}::bigint, ${after}::bigint, ${monthly}::bigint,
      ${now}::timestamptz)
    on conflict do nothing`.execute(trx);
}
