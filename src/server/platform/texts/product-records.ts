// Products as records whose words are translated: their names, and those of their variants.
import { sql } from 'kysely';
import type { JsonObject } from '../../../contract/types.ts';
import { variantName } from '../../../domain/text/variant-name.ts';
import type { LocalisedRecord, Reading } from './reading.ts';

/** Owner of these words; the key of a variant's is "variants.12.title". */
export const PRODUCT = 'product';

/** Products whose names are translated: those that a selling plan sells, with their variants; or one of them. */
export async function productRecords({ trx, storeId }: Pick<Reading, 'trx' | 'storeId'>, id?: string | number): Promise<LocalisedRecord[]> {
  const { rows } = await sql<{ id: number; title: string; variants: { id: number; title: string }[] }>`select p.id, p.title,
      (select coalesce(jsonb_agg(jsonb_build_object('id', v.id, 'title', v.title) order by v.position, v.id), '[]') from variants v
        where v.store_id = p.store_id and v.product_id = p.id and v.deleted_at is null) as variants
    from products p where p.store_id = ${storeId}::integer and p.deleted_at is null and p.status = 'ACTIVE' and not p.is_gift_card
      and exists (select from plan_products m where m.store_id = p.store_id and m.product_id = p.id)
      ${id === undefined ? sql`` : sql`and p.id::text = ${String(id)}`} order by lower(p.title), p.id`.execute(trx);
  return rows.map(({ id: productId, title, variants }) => ({
    id: productId,
    data: { title, variants: variants.map(one => ({ ...one, title: variantName(one.title) })) } as JsonObject,
  }));
}
