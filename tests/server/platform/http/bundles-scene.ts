// What a store needs so that the calls of bundles have something to answer, and their inputs.
import type { JsonObject } from '../../../../src/contract/types.ts';

export async function bundlesScene(
  must: (name: string, input: JsonObject) => Promise<any>,
  one: (text: string, params?: unknown[]) => Promise<number>,
  contract: number,
): Promise<Record<string, JsonObject>> {
  const product = await one(
    "select id from products where store_id = 1 and status = 'ACTIVE' and deleted_at is null and not is_gift_card and title not like 'Goods %' order by id limit 1",
  );
  const bundle = (await must('bundles.create', {
    name: 'Zzbundle',
    bundleType: 'BYOB',
    purchaseType: 'ONETIME',
    productIds: [product],
    boxSizes: [{ name: 'Zzsize', minSize: 2, maxSize: 2 }],
    details: [{ productId: product, shortDescription: 'Zzshort' }],
    categories: [{ name: 'Zzcategory', productIds: [product] }],
  })) as { id: number };
  await must('bundles.publish', { id: bundle.id });
  const bundleId = bundle.id;
  const texts = { bundleId: String(bundleId), localeStoreId: 'en' };
  return {
    'bundles.read': { id: bundleId },
    'bundles.readV2': { id: bundleId },
    'bundles.productPriority': { bundleId },
    'bundles.productDescription': { bundleId },
    'bundles.excluded': { bundleId },
    'bundles.productPlans': { productId: product },
    'bundles.checkIfPreset': { productId: product },
    'bundles.translationsById': texts,
    'bundles.preview': { bundle: { productIds: [product], boxSizes: [{ name: 'Zzsize', minSize: 2, maxSize: 2 }] } },
    'bundles.translationsByKeys': texts,
    'multilingual.bundles': { localeStoreId: 'en' },
    'multilingual.bundleProducts': texts,
    'multilingual.bundleCategories': texts,
    'multilingual.bundleVariants': texts,
    'subscription-bundles.list': { id: contract },
    'subscription-bundles.choices': { id: contract, bundleType: 'BYOB' },
    'subscription-bundles.pool': { id: contract, bundleId },
  };
}
