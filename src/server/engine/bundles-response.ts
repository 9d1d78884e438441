// Bundles of a contract as they go over the wire, with what is in each and what it costs in one order.
import { sum, toDecimal, toMinor } from '../../domain/money/money.ts';
import type { JsonObject } from '../../contract/types.ts';
import type { Aggregate } from './aggregate.ts';
import { heldBundles, linesOfBundle, type HeldBundle } from './bundles.ts';
import { nameOf, type OrderLine } from './price.ts';

/** Bundles that it holds; lines of a bundle that nothing is known of stand for it by the first product. */
export function bundlesWire(subscription: Aggregate, priced: readonly OrderLine[]): JsonObject[] {
  const held = heldBundles(subscription);
  const known = new Set(held.map(one => one.id));
  const unknown = [...new Set(subscription.lines.flatMap(line => line.bundle_transaction_id ?? []))].filter(id => !known.has(id));
  return [
    ...held.map(one => wire(subscription, priced, one.id, one)),
    ...unknown.map(id => wire(subscription, priced, id, { name: linesOfBundle(subscription, id)[0]?.product_title ?? '' })),
  ];
}

function wire(subscription: Aggregate, priced: readonly OrderLine[], id: string, rest: Partial<HeldBundle>): JsonObject {
  const { currency_code: currency, next_cycle: next } = subscription.contract;
  const lines = linesOfBundle(subscription, id);
  const inOrder = priced.filter(one => lines.some(line => line.id === one.lineId));
  const cost = sum(
    inOrder.length > 0 ? inOrder.map(one => toMinor(one.discountedPrice, currency)) : lines.map(line => line.price * line.quantity),
  );
  return {
    bundleTransactionId: id,
    bundleId: rest.bundleId ?? null,
    name: rest.name ?? '',
    bundleType: rest.bundleType ?? null,
    variantId: rest.variantId ?? null,
    boxSizeId: rest.boxSizeId ?? null,
    boxName: rest.boxName ?? null,
    quantity: rest.quantity ?? 1,
    contents: lines.map(line => `${line.quantity} × ${nameOf(line)}`).join(', '),
    isOneTimeAdded: lines.some(line => line.one_time_added),
    isOneTimeRemoved: lines.some(line => line.one_time_removed_cycle !== null && line.one_time_removed_cycle >= next),
    lineIds: lines.map(line => line.id),
    firstLineId: lines[0]?.id ?? null,
    items: lines.flatMap(line => (line.variant_id === null ? [] : [{ variantId: line.variant_id, quantity: line.quantity }])),
    discountedPrice: toDecimal(cost, currency),
    currencyCode: currency,
  };
}
