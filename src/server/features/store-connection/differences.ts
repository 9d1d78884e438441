// Which of two sides a value comes from that differs: both agreed on one before. What the shop alone has changed comes over; what was
// changed here stays and waits for a person, so that nothing anybody wrote is lost without a word.
import { sql } from 'kysely';
import { soldName } from '../../../domain/text/variant-name.ts';
import { toDecimal } from '../../../domain/money/money.ts';
import type { FileProduct } from '../products/import/catalogue-product.ts';
import type { ShopProduct } from '../../platform/store-platform/store-platform.ts';
import type { MirrorScope } from './scope.ts';

interface Known {
  kind: 'PRODUCT' | 'VARIANT';
  id: number;
  there: string;
  title: string;
  product_title: string;
  price: number;
  agreed: { title?: string; price?: number } | null;
  /** The fact for which a person wants the shop's value. */
  is_given_up: boolean;
}

/** What is here of products and variants of the shop, and what both sides agreed on. */
async function known({ trx, storeId }: MirrorScope, products: readonly ShopProduct[]): Promise<Map<string, Known>> {
  const { rows } =
    await sql<Known>`select i.kind, i.id, i.platform_id as there, coalesce(v.title, p.title) as title, p.title as product_title,
      coalesce(v.price, 0)::float8 as price, i.agreed, exists (select from platform_differences d
        where d.store_id = i.store_id and d.kind = i.kind and d.subject_id = i.id and d.state = 'HERE') as is_given_up
    from platform_ids i
    left join variants v on i.kind = 'VARIANT' and v.store_id = i.store_id and v.id = i.id
    join products p on p.store_id = i.store_id and p.id = coalesce(v.product_id, i.id)
    where i.store_id = ${storeId}::integer and (i.kind = 'PRODUCT' and i.platform_id = any(${products.map(one => one.id)}::text[])
      or i.kind = 'VARIANT' and i.platform_id = any(${products.flatMap(one => one.variants.map(variant => variant.id))}::text[]))`.execute(
      trx,
    );
  return new Map(rows.map(row => [`${row.kind} ${row.there}`, row]));
}

interface Difference {
  kind: Known['kind'];
  subject_id: number;
  platform_id: string;
  name: string;
  fact: 'TITLE' | 'PRICE';
  here: string;
  there: string;
}

/**
 * Leaves in `files` (in the order of `products`) what was changed here as it is here, and writes down both values; what is the same again,
 * or given up for the shop's, is forgotten.
 */
export async function keepOurs(scope: MirrorScope, products: readonly ShopProduct[], files: FileProduct[]): Promise<void> {
  const { trx, storeId, currency, at } = scope;
  const rows = await known(scope, products);
  const differences: Difference[] = [];
  const agreed: { kind: string; id: number; agreed: object }[] = [];
  products.forEach((product, index) => {
    const file = files[index];
    const row = rows.get(`PRODUCT ${product.id}`);
    if (!file) return;
    if (row && isOurs(row, row.title, row.agreed?.title, product.title)) {
      const about = { kind: row.kind, subject_id: row.id, platform_id: product.id, name: row.title, fact: 'TITLE' } as const;
      differences.push({ ...about, here: row.title, there: product.title });
      file.title = row.title;
    } else if (row) agreed.push({ kind: row.kind, id: row.id, agreed: { title: product.title } });
    product.variants.forEach((variant, place) => {
      const one = rows.get(`VARIANT ${variant.id}`);
      const sold = file.variants[place];
      if (!one || !sold) return;
      if (isOurs(one, one.price, one.agreed?.price, variant.price)) {
        const name = soldName(one.product_title, one.title);
        const about = { kind: one.kind, subject_id: one.id, platform_id: variant.id, name, fact: 'PRICE' } as const;
        differences.push({ ...about, here: toDecimal(one.price, currency), there: toDecimal(variant.price, currency) });
        sold.price = one.price;
      } else agreed.push({ kind: one.kind, id: one.id, agreed: { price: variant.price } });
    });
  });
  await sql`update platform_ids i set agreed = a.agreed
    from jsonb_to_recordset(${JSON.stringify(agreed)}::jsonb) as a(kind text, id bigint, agreed jsonb)
    where i.store_id = ${storeId}::integer and i.kind = a.kind and i.id = a.id and i.agreed is distinct from a.agreed`.execute(trx);
  await sql`delete from platform_differences d using jsonb_to_recordset(${JSON.stringify(agreed)}::jsonb) as a(kind text, id bigint)
    where d.store_id = ${storeId}::integer and d.kind = a.kind and d.subject_id = a.id`.execute(trx);
  await sql`insert into platform_differences as d (store_id, kind, subject_id, platform_id, name, fact, here, there, created_at)
    select ${storeId}::integer, n.kind, n.subject_id, n.platform_id, n.name, n.fact, n.here, n.there, ${at}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(differences)}::jsonb)
      as n(kind text, subject_id bigint, platform_id text, name text, fact text, here text, there text)
    on conflict (store_id, kind, subject_id, fact) do update
      set platform_id = excluded.platform_id, name = excluded.name, here = excluded.here, there = excluded.there,
        -- Other values than those that a person chose between: they choose again.
        state = case when (d.here, d.there) = (excluded.here, excluded.there) then d.state else 'OPEN' end`.execute(trx);
}

/** It differs, and was changed here since both agreed. What was never agreed on is the shop's. */
const isOurs = <T>(row: Known, here: T, agreed: T | undefined, there: T): boolean =>
  !row.is_given_up && agreed !== undefined && here !== agreed && here !== there;
