// The store's products as pickers and lists need them.
import { sql } from 'kysely';
import type { JsonObject } from '../../../../contract/types.ts';
import type { Context } from '../../../platform/context.ts';
import { variantWire, withVariants, type VariantRow } from '../product-response.ts';
import { recordOf } from '../../../platform/records/record-repository.ts';

const inOrder = <R extends { id: number }>(list: readonly R[], ids: readonly number[]): R[] =>
  ids.flatMap(id => list.find(one => one.id === id) ?? []);

/** Products and variants by id, for showing what was chosen (C111). What was deleted since is left out. */
export async function selected(
  context: Context,
  { productIds = [], variantIds = [] }: { productIds?: number[]; variantIds?: number[] },
): Promise<JsonObject> {
  const { trx, storeId, store } = context;
  const shape = context.shape('product');
  const rows =
    productIds.length === 0
      ? []
      : await trx
          .selectFrom('products')
          .selectAll()
          .where('store_id', '=', storeId)
          .where('id', 'in', productIds)
          .where('deleted_at', 'is', null)
          .execute();
  const found =
    variantIds.length === 0
      ? []
      : await trx
          .selectFrom('variants')
          .innerJoin('products', join =>
            join.onRef('products.store_id', '=', 'variants.store_id').onRef('products.id', '=', 'variants.product_id'),
          )
          .selectAll('variants')
          .select('products.title as product_title')
          .where('variants.store_id', '=', storeId)
          .where('variants.id', 'in', variantIds)
          .where('variants.deleted_at', 'is', null)
          .where('products.deleted_at', 'is', null)
          .execute();
  return {
    products: await withVariants(
      context,
      inOrder(rows, productIds).map(row => {
        const { description: _description, ...record } = recordOf(context, shape, row as Record<string, unknown>);
        return record;
      }),
    ),
    variants: inOrder(found, variantIds).map(row => variantWire(row as VariantRow, store.currency_code, row.product_title)),
  };
}

/** Whether products can be sold at the moment: there, active, and with stock (C112). */
export async function status(context: Context, { productIds }: { productIds: number[] }): Promise<JsonObject[]> {
  const { rows } = await sql<{
    id: number;
    status: string;
    is_gift_card: boolean;
    in_stock: boolean;
  }>`select p.id, p.status, p.is_gift_card, coalesce(bool_or(v.inventory_management is null or v.inventory_policy <> 'deny'
      or v.inventory_quantity > 0), false) as in_stock
    from products p left join variants v on v.store_id = p.store_id and v.product_id = p.id and v.deleted_at is null
    where p.store_id = ${context.storeId} and p.id = any(${productIds}::bigint[]) and p.deleted_at is null
      group by p.id, p.status, p.is_gift_card`.execute(context.trx);
  const found = new Map(rows.map(row => [row.id, row]));
  return productIds.map(productId => {
    const row = found.get(productId);
    return row
      ? { productId, exists: true, status: row.status, isGiftCard: row.is_gift_card, inStock: row.in_stock }
      : { productId, exists: false, status: 'DELETED', isGiftCard: false, inStock: false };
  });
}
