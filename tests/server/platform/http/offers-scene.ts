// What a store needs so that the calls of swaps, upsells and upgrades have something to answer for a subscription, and their inputs.
import type { JsonObject } from '../../../../src/contract/types.ts';

export async function offersScene(
  must: (name: string, input: JsonObject) => Promise<any>,
  one: (text: string, params?: unknown[]) => Promise<number>,
  contract: number,
): Promise<Record<string, JsonObject>> {
  const lineId = await one('select id from contract_lines where store_id = 1 and contract_id = $1 order by id limit 1', [contract]);
  const shopifyId = await one('select shopify_id as id from contracts where id = $1', [contract]);
  const old = await one('select variant_id as id from contract_lines where id = $1', [lineId]);
  const other = await one(
    "select v.id from variants v join products p on p.store_id = v.store_id and p.id = v.product_id and p.status = 'ACTIVE' where v.store_id = 1 and v.id <> $1 and v.product_id <> (select product_id from variants where id = $1) and p.title not like 'Goods %' order by v.id limit 1",
    [old],
  );
  const product = await one('select product_id as id from variants where id = $1', [other]);
  const swap = (await must('swap.create', {
    name: 'Zzswap',
    matchType: 'PRODUCT',
    sourceProducts: { productIds: [], variantIds: [old] },
    targetProducts: { productIds: [], variantIds: [other] },
  })) as { id: number };
  const upsell = (await must('upsell-profiles.create', { name: 'Zzupsell', productSource: 'MANUAL', items: [{ productId: product }] })) as {
    id: number;
  };
  const upgrade = (await must('upgrade-profiles.create', {
    name: 'Zzupgrade',
    productsMapping: [{ oldVariantId: old, newVariantId: other }],
    shortDescriptionText: { value: 'Zzwords' },
  })) as { id: number };
  for (const [table, { id }] of [['swap', swap] as const, ['upsell-profiles', upsell] as const, ['upgrade-profiles', upgrade] as const])
    await must(`${table}.activate`, { id });
  return {
    'offers.list': { id: contract, place: 'ADMIN' },
    'offers.swaps': { id: contract, lineId, place: 'ADMIN' },
    'swap.read': { id: swap.id },
    'swap.translations': { profileId: String(swap.id), localeStoreId: 'en' },
    'upsell-profiles.read': { id: upsell.id },
    'upgrade-profiles.read': { id: upgrade.id },
    'upgrade-profiles.category': { id: 'upgrade' },
    'upgrade-profiles.assess': { subscriptionContractShopifyId: shopifyId },
    'upgrade-profiles.multilingualTexts': { profileId: upgrade.id, localeStoreId: 'en' },
  };
}
