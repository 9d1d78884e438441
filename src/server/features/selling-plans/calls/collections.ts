// Collections of the store: lists, members, and keeping selling plan groups in step with them.
import { sql } from 'kysely';
import type { JsonObject } from '../../../../contract/types.ts';
import { Reply, notFound, type Context } from '../../../platform/context.ts';
import { startSync } from '../collections.ts';
import { withVariants } from '../../products/product-response.ts';
import { totalOf } from '../../../platform/db/page-total.ts';
import { later, t } from '../../../../domain/text/t.ts';

/** The products of a collection in its order (C030). */
export async function products(
  context: Context,
  { collectionId, page = 1, pageSize = 25 }: { collectionId: number; page?: number; pageSize?: number },
): Promise<Reply> {
  const { trx, storeId } = context;
  const there = await trx
    .selectFrom('collections')
    .select('id')
    .where('store_id', '=', storeId)
    .where('id', '=', collectionId)
    .executeTakeFirst();
  if (!there) throw notFound(later`collection`);
  const from = sql`from collection_products m join products p on p.store_id = m.store_id and p.id = m.product_id and p.deleted_at is null
    where m.store_id = ${storeId} and m.collection_id = ${collectionId}`;
  const offset = (page - 1) * pageSize;
  const { rows } = await sql<
    JsonObject & { total: number }
  >`select p.id, p.shopify_id as "shopifyId", p.title, p.handle, p.image, p.status, p.is_gift_card as "isGiftCard",
      count(*) over () as total
    ${from} order by m.position, p.id limit ${pageSize} offset ${offset}`.execute(trx);
  const total = await totalOf(
    rows[0]?.total,
    offset,
    async () => (await sql<{ n: number }>`select count(*) as n ${from}`.execute(trx)).rows[0]?.n ?? 0,
  );
  return new Reply(
    await withVariants(
      context,
      rows.map(({ total: _total, ...row }) => row),
    ),
    { pageInfo: { hasNextPage: page * pageSize < total, hasPreviousPage: page > 1, total } },
  );
}

/** Brings the groups of a collection in step with it (C033). */
export async function sync(context: Context, { collectionId }: { collectionId: number }): Promise<Reply> {
  return new Reply(await startSync(context, collectionId, 'sync'), { message: t`The sync has started.` });
}
/** Copies the members of a collection for the first time, or again (C034). */
export async function seed(context: Context, { collectionId }: { collectionId: number }): Promise<Reply> {
  return new Reply(await startSync(context, collectionId, 'seed'), { message: t`The products are being copied.` });
}
