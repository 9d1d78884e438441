// Products with what is not in their own row, and what their lists can be narrowed to.
import { sql, type RawBuilder } from 'kysely';
import type { JsonObject } from '../../../contract/types.ts';
import { variantName } from '../../../domain/text/variant-name.ts';
import { metafieldsWire, metafieldTitles } from './metafields.ts';
import { shownOptions, withVariants } from './product-response.ts';
import { rules } from '../../platform/records/rules.ts';

export const product = rules({
  derive: {
    needs: ['id', 'title', 'options', 'metafields'],
    members: [
      'options',
      'metafields',
      'currencyCode',
      'variantsCount',
      'minPrice',
      'maxPrice',
      'inventoryQuantity',
      'planGroupIds',
      'variants',
    ],
    of: async (products, context) => {
      const titles = products.some(({ metafields }) => metafields !== null) ? await metafieldTitles(context) : new Map<string, string>();
      return withVariants(
        context,
        // Lists leave options and metafields out, so that nothing is shown of them.
        products.map(({ options, metafields, ...rest }): JsonObject => {
          const product = options === null ? rest : { ...rest, options: options as JsonObject };
          return metafields === null ? product : { ...product, metafields: metafieldsWire(metafields as JsonObject, titles) };
        }),
      );
    },
  },
  narrow: {
    lspgId: (id, { storeId }) =>
      sql`exists (select 1 from plan_products m where m.store_id = ${storeId}::integer and m.group_id = ${id}::bigint
        and m.product_id = r.id)`,
    hideGiftCards: isHidden => (isHidden === true ? sql`not r.is_gift_card` : sql`true`),
  },
});

const inGiftProgram = (storeId: number, which: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`exists (select 1 from records g where g.store_id = ${storeId}::integer and g.entity = 'gift-program' and g.deleted_at is null
    and ${which} and g.data -> 'variantIds' @> to_jsonb(r.id))`;

/** Variants of products that are there; their names and option values in the words that people read. */
export const variant = rules({
  scope: () => sql`exists (select 1 from products p where p.store_id = r.store_id and p.id = r.product_id and p.deleted_at is null)`,
  columns: ({ store }) => ({
    productTitle: sql`(select p.title from products p where p.store_id = r.store_id and p.id = r.product_id)`,
    currencyCode: sql`${store.currency_code}::text`,
  }),
  narrow: {
    giftProgramId: (id, { storeId }) => inGiftProgram(storeId, sql`g.id = ${id}::bigint`),
    // Whichever program asks: a product can be in one of them.
    giftsWithout: (_id, { storeId }) =>
      sql`not ${inGiftProgram(storeId, sql`true`)} and not exists (select 1 from products p where p.store_id = r.store_id
        and p.id = r.product_id and (p.is_gift_card or p.status = 'ARCHIVED'))`,
  },
  derive: {
    needs: ['title', 'optionValues'],
    members: ['title', 'optionValues'],
    of: variants =>
      variants.map(({ title, optionValues }) => ({ title: variantName(String(title)), optionValues: shownOptions(optionValues) })),
  },
});

export const collection = rules({
  columns: () => ({
    productsCount: sql`(select count(*) from collection_products m join products p on p.store_id = m.store_id and p.id = m.product_id
        and p.deleted_at is null where m.store_id = r.store_id and m.collection_id = r.id)`,
    planGroupIds: sql`(select coalesce(array_agg(g.group_id order by g.group_id), '{}') from plan_collections g
        where g.store_id = r.store_id and g.collection_id = r.id)`,
  }),
  narrow: {
    mappableTo: (id, { storeId }) =>
      sql`not exists (select 1 from plan_collections m where m.store_id = ${storeId}::integer and m.group_id = ${id}::bigint
        and m.collection_id = r.id)`,
  },
});
