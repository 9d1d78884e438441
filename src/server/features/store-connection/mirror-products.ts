// Products of the shop become products here: as a file with them would make them, and known by the shop's ids from then on.
import { sql } from 'kysely';
import { variantTitle, type FileProduct } from '../products/import/catalogue-product.ts';
import { applyChanges } from '../products/import/apply.ts';
import { changeOf, readExisting, variantKey } from '../products/import/changes.ts';
import { cleanHtml } from '../products/import/clean-html.ts';
import { optionValuesOf } from '../products/product-response.ts';
import { DEFAULT_VARIANT } from '../../../domain/text/variant-name.ts';
import { keepOurs } from './differences.ts';
import type { MirrorScope } from './scope.ts';
import type { ShopProduct } from '../../platform/store-platform/store-platform.ts';

interface Known {
  platform_id: string;
  id: number;
  handle: string;
  is_deleted: boolean;
}

const asFile = (product: ShopProduct, handle: string, stockIn: string, reserved: ReadonlyMap<string, number>): FileProduct => ({
  row: 0,
  handle,
  title: product.title,
  description: cleanHtml(product.description),
  status: product.isActive ? 'ACTIVE' : 'DRAFT',
  image: product.image,
  options: product.options.map((name, index) => ({ name, values: [...new Set(product.variants.map(one => one.options[index] ?? ''))] })),
  variants: product.variants.map(({ id, options, sku, price, stock }) => ({
    row: 0,
    optionValues: options,
    sku,
    price,
    inventoryManagement: stock === null ? null : stockIn,
    inventoryPolicy: 'deny',
    ...(stock === null ? {} : { inventoryQuantity: Math.max(0, stock - (reserved.get(id) ?? 0)) }),
  })),
});

/** Pieces that are sold here and that the shop does not know of yet, of each of its variants: orders and purchases on their way. */
async function reservedHere({ trx, storeId }: MirrorScope, products: readonly ShopProduct[]): Promise<Map<string, number>> {
  const ids = products.flatMap(product => product.variants.map(one => one.id));
  const { rows } = await sql<{ id: string; pieces: number }>`select i.platform_id as id, sum((l ->> 'quantity')::integer)::integer as pieces
    from (
      select jsonb_array_elements(o.lines) as l from orders o where o.store_id = ${storeId}::integer and o.id in (
        select id from orders where store_id = ${storeId}::integer and status = 'PROCESSING'
        union select id from platform_orders where store_id = ${storeId}::integer and state <> 'MADE')
      union all select jsonb_array_elements((b.data -> 'takenBySubscriptions') || (b.data -> 'takenOnce')) from shop_purchases b
        where b.store_id = ${storeId}::integer and b.status = 'CHARGING'
    ) as sold
    join platform_ids i on i.store_id = ${storeId}::integer and i.kind = 'VARIANT' and i.id = (l ->> 'variantId')::bigint
    where i.platform_id = any(${ids}::text[]) group by 1`.execute(trx);
  return new Map(rows.map(row => [row.id, row.pieces]));
}

/** Which products the shop's are here. */
async function knownProducts({ trx, storeId }: MirrorScope, ids: readonly string[]): Promise<Map<string, Known>> {
  const { rows } = await sql<Known>`select i.platform_id, p.id, p.handle, p.deleted_at is not null as is_deleted
    from platform_ids i join products p on p.store_id = i.store_id and p.id = i.id
    where i.store_id = ${storeId}::integer and i.kind = 'PRODUCT' and i.platform_id = any(${ids}::text[])
    order by p.id for update of p`.execute(trx);
  return new Map(rows.map(row => [row.platform_id, row]));
}

/** Handles by which products that come are kept: that of the product which they are; for others the shop's own, unless another has it. */
async function handlesFor(scope: MirrorScope, products: readonly ShopProduct[], known: Map<string, Known>): Promise<Map<string, string>> {
  const { trx, storeId } = scope;
  const fresh = products.filter(product => !known.has(product.id)).map(product => product.handle);
  // A product of that handle which comes from nowhere else is the same product: a store that was entered by hand, or connected before.
  const { rows } = await sql<{ handle: string }>`select p.handle from products p
    join platform_ids i on i.store_id = p.store_id and i.kind = 'PRODUCT' and i.id = p.id
    where p.store_id = ${storeId}::integer and p.deleted_at is null and p.handle = any(${fresh}::text[])`.execute(trx);
  const taken = new Set(rows.map(row => row.handle));
  const handles = new Map<string, string>();
  for (const { id, handle } of products) {
    const own = known.get(id)?.handle ?? (taken.has(handle) ? `${handle}-${id}` : handle);
    taken.add(own);
    handles.set(id, own);
  }
  return handles;
}

/** Variants that are known keep their place whatever their options are called now, and those that were gone come back. */
async function followVariants({ trx, storeId }: MirrorScope, products: readonly ShopProduct[]): Promise<void> {
  const wanted = products.flatMap(product =>
    product.variants.map(({ id, options }) => ({
      id,
      title: variantTitle(options),
      options: options.length ? options : [DEFAULT_VARIANT],
    })),
  );
  await sql`update variants v set option_values = w.options, title = w.title, deleted_at = null
    from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as w(id text, title text, options jsonb)
    join platform_ids i on i.store_id = ${storeId}::integer and i.kind = 'VARIANT' and i.platform_id = w.id
    where v.store_id = ${storeId}::integer and v.id = i.id
      and (v.option_values <> w.options or v.title <> w.title or v.deleted_at is not null)`.execute(trx);
}

/** Writes down which row is which in the shop, and when it was seen there. What takes the place of something there takes its row over. */
export async function remember(
  { trx, storeId }: Pick<MirrorScope, 'trx' | 'storeId'>,
  kind: 'PRODUCT' | 'VARIANT' | 'CUSTOMER',
  pairs: readonly { id: number; there: string; isNew?: boolean }[],
): Promise<void> {
  await sql`delete from platform_ids i using jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as p(id bigint, there text)
    where i.store_id = ${storeId}::integer and i.kind = ${kind} and i.id = p.id and i.platform_id <> p.there`.execute(trx);
  await sql`insert into platform_ids (store_id, kind, id, platform_id, seen_at, was_here)
    select ${storeId}::integer, ${kind}, id, there, clock_timestamp(), "isNew" is not true
      from jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as p(id bigint, there text, "isNew" boolean)
    on conflict (store_id, kind, platform_id) do update set seen_at = excluded.seen_at`.execute(trx);
}

/** Brings products of the shop over. Doing it again changes nothing. @returns how many prices changed */
export async function mirrorProducts(scope: MirrorScope, products: readonly ShopProduct[]): Promise<number> {
  if (products.length === 0) return 0;
  const { trx, storeId, currency, stockIn, at } = scope;
  const known = await knownProducts(
    scope,
    products.map(product => product.id),
  );
  const handles = await handlesFor(scope, products, known);
  const back = [...known.values()].filter(one => one.is_deleted).map(one => one.id);
  if (back.length)
    await sql`update products set deleted_at = null where store_id = ${storeId}::integer and id = any(${back}::bigint[])`.execute(trx);
  await followVariants(scope, products);
  const reserved = await reservedHere(scope, products);
  const files = products.map(product => asFile(product, handles.get(product.id) ?? product.handle, stockIn, reserved));
  await keepOurs(scope, products, files);
  const before = await readExisting(
    trx,
    storeId,
    files.map(file => file.handle),
    { lock: true },
  );
  const applied = await applyChanges(
    trx,
    storeId,
    files.map(file => changeOf(file, before, currency)),
    at,
  );
  await identify(scope, products, handles);
  await agree(scope, products);
  return applied.priceChanges;
}

/** What came over for the first time is what both sides agree on. */
async function agree({ trx, storeId }: MirrorScope, products: readonly ShopProduct[]): Promise<void> {
  const values = products.flatMap(product => [
    { kind: 'PRODUCT', there: product.id, agreed: { title: product.title } as object },
    ...product.variants.map(variant => ({ kind: 'VARIANT', there: variant.id, agreed: { price: variant.price } as object })),
  ]);
  await sql`update platform_ids i set agreed = a.agreed
    from jsonb_to_recordset(${JSON.stringify(values)}::jsonb) as a(kind text, there text, agreed jsonb)
    where i.store_id = ${storeId}::integer and i.kind = a.kind and i.platform_id = a.there and i.agreed is null`.execute(trx);
}

/** After they were written: ids of products and variants, and variants that are no longer sold there. */
async function identify(scope: MirrorScope, products: readonly ShopProduct[], handles: Map<string, string>): Promise<void> {
  const { trx, storeId, at } = scope;
  const there = await readExisting(trx, storeId, [...handles.values()]);
  const variants: { id: number; there: string }[] = [];
  const rows = products.flatMap(product => {
    const row = there.products.get(handles.get(product.id) ?? '');
    if (!row) return [];
    const byKey = new Map((there.variants.get(row.id) ?? []).map(one => [variantKey(optionValuesOf(one.option_values)), one.id]));
    for (const variant of product.variants) {
      const id = byKey.get(variantKey(variant.options));
      if (id !== undefined) variants.push({ id, there: variant.id });
    }
    return [{ id: row.id, there: product.id }];
  });
  await remember(scope, 'PRODUCT', rows);
  await remember(scope, 'VARIANT', variants);
  await sql`update variants v set deleted_at = ${at}::timestamptz from platform_ids i
    where v.store_id = ${storeId}::integer and v.product_id = any(${rows.map(row => row.id)}::bigint[]) and v.deleted_at is null
      and i.store_id = v.store_id and i.kind = 'VARIANT' and i.id = v.id
      and i.platform_id <> all(${variants.map(one => one.there)}::text[])`.execute(trx);
}

/** Products that the shop no longer has are no longer sold here; what subscriptions hold of them is left out of their orders. */
export async function takeAway({ trx, storeId, at }: MirrorScope, there: readonly string[]): Promise<void> {
  if (there.length === 0) return;
  const { rows } = await sql<{ id: number }>`update products p set deleted_at = ${at}::timestamptz from platform_ids i
    where p.store_id = ${storeId}::integer and p.deleted_at is null and i.store_id = p.store_id and i.kind = 'PRODUCT' and i.id = p.id
      and i.platform_id = any(${there}::text[]) returning p.id`.execute(trx);
  const ids = rows.map(row => row.id);
  await sql`update variants set deleted_at = ${at}::timestamptz
    where store_id = ${storeId}::integer and product_id = any(${ids}::bigint[]) and deleted_at is null`.execute(trx);
  await sql`delete from platform_ids i where i.store_id = ${storeId}::integer
    and (i.kind = 'PRODUCT' and i.platform_id = any(${there}::text[]) or i.kind = 'VARIANT' and i.id in (
      select v.id from variants v where v.store_id = i.store_id and v.product_id = any(${ids}::bigint[])))`.execute(trx);
}
