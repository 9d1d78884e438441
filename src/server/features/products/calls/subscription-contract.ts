// The products that can be put into a subscription, in its currency: what is sold like those it has comes first.
import { sql, type RawBuilder } from 'kysely';
import { toDecimal, toMinor } from '../../../../domain/money/money.ts';
import type { JsonObject } from '../../../../contract/types.ts';
import { notFound, Reply, type Context } from '../../../platform/context.ts';
import { totalOf } from '../../../platform/db/page-total.ts';
import { convert } from '../../../platform/records/exchange-rates.ts';
import { recordOf } from '../../../platform/records/record-repository.ts';
import { withVariants } from '../product-response.ts';
import { later, t, translated } from '../../../../domain/text/t.ts';
import { holdingWords } from '../../../platform/records/list/filter.ts';

interface Question {
  id?: number;
  lineId?: number;
  q?: string;
  page?: number;
  pageSize?: number;
}
interface About {
  currency: string;
  variantId: number | null;
  productId: number | null;
  groupIds: number[];
}

/** The headings of the choices, by how near they are to what the subscription has. */
const HEADINGS = [later`On the same selling plan`, later`In the same collection`, later`Other products`];

/**
 * A page of the products that a subscription, or a line of it, can take: those on its selling plans, those in the collections of the
 * line's product, then the others, by title. Prices are the catalogue's in the subscription's currency, as the subscription would take
 * them; a variant without one says so in `refusal`. What the line holds now is marked `isCurrent`. Without a subscription or a line all are
 * "Other products", in the store's currency. @throws Refusal 404
 */
export async function productChoices(context: Context, { id, lineId, q, page = 1, pageSize = 25 }: Question): Promise<Reply> {
  const { trx, storeId } = context;
  const about = await askedFor(context, id, lineId);
  const found = holdingWords(sql`p.search`, q ?? '');
  const onPlan: RawBuilder<unknown> = sql`exists (select 1 from plan_products m where m.store_id = ${storeId} and m.product_id = p.id
    and m.group_id = any(${about.groupIds}::bigint[]))`;
  const beside: RawBuilder<unknown> = sql`exists (select 1 from collection_products c join collection_products o on o.store_id = c.store_id
    and o.collection_id = c.collection_id and o.product_id = ${about.productId}::bigint
    where c.store_id = ${storeId} and c.product_id = p.id)`;
  const from = sql`from products p where p.store_id = ${storeId} and p.deleted_at is null and p.status <> 'ARCHIVED'
    and not p.is_gift_card and ${found} and exists (select 1 from variants v
      where v.store_id = p.store_id and v.product_id = p.id and v.deleted_at is null)`;
  const offset = (page - 1) * pageSize;
  const { rows } = await sql<Record<string, unknown> & { rank: number; n: number }>`
    select p.*, case when ${onPlan} then 0 when ${beside} then 1 else 2 end as rank, count(*) over () as n ${from}
    order by rank, lower(p.title), p.id limit ${pageSize} offset ${offset}`.execute(trx);
  const shape = context.shape('product');
  const products = await withVariants(
    context,
    rows.map(row => {
      const { description: _description, ...record } = recordOf(context, shape, row);
      return record;
    }),
  );
  const total = await totalOf(
    rows[0]?.n,
    offset,
    async () => (await sql<{ n: number }>`select count(*) as n ${from}`.execute(trx)).rows[0]?.n ?? 0,
  );
  return new Reply(
    products.map((product, index) => ({
      ...inCurrency(context, product, about),
      heading: translated(HEADINGS[rows[index]?.rank ?? 2] ?? ''),
    })),
    { pageInfo: { hasNextPage: page * pageSize < total, hasPreviousPage: page > 1, total } },
  );
}

/** The subscription of a question, or of its line: its currency, its plans, and what the line holds. */
async function askedFor({ trx, storeId, store }: Context, id?: number, lineId?: number): Promise<About> {
  if (id === undefined && lineId === undefined) return { currency: store.currency_code, variantId: null, productId: null, groupIds: [] };
  const { rows } = await sql<About>`
    select c.currency_code as currency, l.variant_id as "variantId", l.product_id as "productId", case
        when l.plan_group_id is not null then array[l.plan_group_id] else c.plan_group_ids end as "groupIds"
    from contracts c left join contract_lines l on l.store_id = c.store_id and l.contract_id = c.id and l.id = ${lineId ?? null}::bigint
    where c.store_id = ${storeId} and (${id ?? null}::bigint is null or c.id = ${id ?? null}::bigint)
      and (${lineId ?? null}::bigint is null or l.id is not null) limit 1`.execute(trx);
  const [about] = rows;
  if (!about) throw notFound(lineId === undefined ? later`subscription` : later`product of the subscription`);
  return { ...about, groupIds: about.groupIds ?? [] };
}

/** A product with the prices of its variants in the currency of a subscription. */
function inCurrency({ store }: Context, product: JsonObject, { currency, variantId }: About): JsonObject {
  const priced = (amount: unknown): string | null => {
    const minor = convert(store, toMinor(String(amount), store.currency_code), store.currency_code, currency);
    return minor === null ? null : toDecimal(minor, currency);
  };
  const variants = (product.variants as JsonObject[]).map(variant => ({
    ...variant,
    price: priced(variant.price),
    currencyCode: currency,
    isCurrent: variant.id === variantId,
  }));
  const minPrice = priced(product.minPrice);
  return {
    ...product,
    currencyCode: currency,
    minPrice,
    maxPrice: priced(product.maxPrice),
    variants,
    isCurrent: variants.some(variant => variant.isCurrent),
    ...(minPrice === null ? { refusal: t`It has no price in ${currency}.` } : {}),
  };
}
