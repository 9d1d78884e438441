// A store on its first day, to try the way in: its products came from the shop, everything else is still to be set up.
import type { Kysely } from 'kysely';
import { randomBytes } from 'node:crypto';
import type { Tables } from '../../../generated/tables.ts';
import { openStore, type OpenedStore, type Opener } from '../../platform/auth/open-store.ts';
import { COLLECTIONS, PRODUCTS } from './catalogue.ts';
import { STORE_DETAILS } from './store.ts';

/** How the details of such a store say that it is one. */
export const NEW_STORE = 'NEW_STORE';
/** Far above the ids that the platform's own products have in the other demo stores. */
const SHOPIFY_BASE = 8_500_000_000;

const SHOP = 'Marrow & Mint';

/** Makes the store in a transaction that belongs to none (asSystem). On the free plan, with an owner, products and collections. */
export async function openNewStore(trx: Kysely<Tables>, server: Opener, widgetVersion = 2): Promise<OpenedStore> {
  const email = `robin@${randomBytes(4).toString('hex')}.example`;
  const made = await openStore(trx, server, {
    name: SHOP,
    handle: 'new-store',
    email,
    firstName: 'Robin',
    lastName: 'Hale',
    countryCode: 'US',
    currencyCode: 'USD',
    timezone: 'America/New_York',
    widgetVersion,
    details: { ...STORE_DETAILS, widgetStatus: 'DRAFT', demo: NEW_STORE, hasSimulatedCustomers: true },
    isDemo: true,
  });
  const { storeId } = made;
  const products = new Map<string, number>();
  for (const [i, product] of PRODUCTS.entries()) {
    const image = `/demo/${product.handle}.svg`;
    const { id } = await trx
      .insertInto('products')
      .values({
        store_id: storeId,
        shopify_id: SHOPIFY_BASE + i + 1,
        handle: product.handle,
        title: product.title,
        vendor: product.vendor,
        product_type: product.type,
        description: `<p>${product.description}</p>`,
        status: product.status ?? 'ACTIVE',
        tags: product.tags,
        image,
        options: JSON.stringify(product.options),
        is_gift_card: product.isGiftCard ?? false,
        search: `${product.title} ${product.handle} ${product.variants.map(variant => variant.sku).join(' ')}`.toLowerCase(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    products.set(product.handle, id);
    await trx
      .insertInto('variants')
      .values(
        product.variants.map((variant, n) => ({
          store_id: storeId,
          product_id: id,
          shopify_id: SHOPIFY_BASE + 1_000_000 + i * 100 + n,
          title: variant.title,
          sku: variant.sku,
          price: variant.price,
          position: n + 1,
          image,
          option_values: JSON.stringify(variant.options),
          inventory_management: variant.stock == null ? null : 'shopify',
          inventory_policy: variant.policy ?? 'deny',
          inventory_quantity: variant.stock ?? 0,
          weight_in_grams: variant.grams,
          requires_shipping: variant.grams > 0,
        })),
      )
      .execute();
  }
  for (const [i, collection] of COLLECTIONS.entries()) {
    const members = PRODUCTS.filter(product => product.collections.includes(collection.handle) && product.status !== 'ARCHIVED');
    const { id } = await trx
      .insertInto('collections')
      .values({
        store_id: storeId,
        shopify_id: SHOPIFY_BASE + i + 1,
        title: collection.title,
        type: collection.type,
        image: members[0] ? `/demo/${members[0].handle}.svg` : null,
        seed_status: 'COMPLETED',
        sync_status: 'COMPLETED',
        sync_done: members.length,
        sync_total: members.length,
        last_synced_at: new Date(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    if (members.length)
      await trx
        .insertInto('collection_products')
        .values(
          members.map((product, n) => ({
            store_id: storeId,
            collection_id: id,
            product_id: products.get(product.handle)!,
            position: n + 1,
          })),
        )
        .execute();
  }
  return made;
}
