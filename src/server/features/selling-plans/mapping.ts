// Which products and variants a selling plan group is offered on: mapped by hand, or through a collection.
import { sql } from 'kysely';
import type { FieldError, JsonObject } from '../../../contract/types.ts';
import { invalid, type Context } from '../../platform/context.ts';
import { totalOf } from '../../platform/db/page-total.ts';
import { t } from '../../../domain/text/t.ts';
import { holdingWords } from '../../platform/records/list/filter.ts';

/** Products and variants that one call may name; the admin splits larger choices. */
export const MAPPING_LIMIT = 250;

export interface MappingInput {
  lspgId: number;
  productIds?: number[];
  variantIds?: number[];
}
interface Known {
  id: number;
  title: string;
  status: string;
  is_gift_card: boolean;
}
interface KnownVariant {
  id: number;
  product_id: number;
}

const gone = (pointer: string, rule: string): FieldError => ({ pointer, rule, message: t`This product no longer exists` });

/** The products and variants of a call. @throws Refusal 422 for too many, for nothing, and for each that is not there */
async function readChoice(
  { trx, storeId }: Context,
  { productIds = [], variantIds = [] }: MappingInput,
): Promise<{ products: Known[]; variants: KnownVariant[]; productOf: Map<number, Known> }> {
  const count = productIds.length + variantIds.length;
  if (count === 0) throw invalid([{ pointer: '/productIds', rule: 'minItems', message: t`Choose at least one product or variant.` }]);
  if (count > MAPPING_LIMIT)
    throw invalid([
      {
        pointer: productIds.length > MAPPING_LIMIT ? '/productIds' : '/variantIds',
        rule: 'maxItems',
        message: t`Choose at most ${MAPPING_LIMIT} products and variants at a time; these are ${count}.`,
      },
    ]);
  const variants =
    variantIds.length === 0
      ? []
      : await trx
          .selectFrom('variants')
          .select(['id', 'product_id'])
          .where('store_id', '=', storeId)
          .where('id', 'in', variantIds)
          .where('deleted_at', 'is', null)
          .execute();
  const wanted = [...new Set([...productIds, ...variants.map(variant => variant.product_id)])];
  const found =
    wanted.length === 0
      ? []
      : await trx
          .selectFrom('products')
          .select(['id', 'title', 'status', 'is_gift_card'])
          .where('store_id', '=', storeId)
          .where('id', 'in', wanted)
          .where('deleted_at', 'is', null)
          .execute();
  const productOf = new Map(found.map(product => [product.id, product]));
  const variantOf = new Map(variants.filter(variant => productOf.has(variant.product_id)).map(variant => [variant.id, variant]));
  const errors = [
    ...productIds.flatMap((id, index) => (productOf.has(id) ? [] : [gone(`/productIds/${index}`, 'PRODUCT_DOES_NOT_EXIST')])),
    ...variantIds.flatMap((id, index) => (variantOf.has(id) ? [] : [gone(`/variantIds/${index}`, 'PRODUCT_VARIANT_DOES_NOT_EXIST')])),
  ];
  if (errors.length) throw invalid(errors);
  return {
    products: productIds.map(id => productOf.get(id) as Known),
    variants: variantIds.map(id => variantOf.get(id) as KnownVariant),
    productOf,
  };
}

export interface MappingResult {
  mappedProducts: number;
  mappedVariants: number;
  archived: { id: number; title: string }[];
}

/**
 * Offers a group on products (with the variants they get later) and on single variants. What is mapped already stays as it is;
 * a whole product takes the place of its single variants. Archived products are mapped and named, gift cards refused.
 */
export async function addToGroup(context: Context, input: MappingInput): Promise<MappingResult> {
  const { trx, storeId } = context;
  const { products, variants, productOf } = await readChoice(context, input);
  const giftCards = (list: readonly number[], at: string, productIdOf: (index: number) => number): FieldError[] =>
    list.flatMap((_, index) =>
      productOf.get(productIdOf(index))?.is_gift_card
        ? [{ pointer: `/${at}/${index}`, rule: 'GIFT_CARD', message: t`Gift cards can't be sold on subscription` }]
        : [],
    );
  const errors = [
    ...giftCards(input.productIds ?? [], 'productIds', i => products[i]?.id ?? 0),
    ...giftCards(input.variantIds ?? [], 'variantIds', i => variants[i]?.product_id ?? 0),
  ];
  if (errors.length) throw invalid(errors);

  const wholeIds = [...new Set(products.map(product => product.id))];
  let mappedProducts = 0;
  if (wholeIds.length) {
    await sql`delete from plan_products where store_id = ${storeId} and group_id = ${input.lspgId}
        and product_id = any(${wholeIds}::bigint[]) and variant_id is not null and collection_id is null`.execute(trx);
    const added = await sql`insert into plan_products (store_id, group_id, product_id, variant_id, collection_id, created_at)
      select ${storeId}, ${input.lspgId}, p, null, null, ${context.now()} from unnest(${wholeIds}::bigint[]) p
        on conflict do nothing`.execute(trx);
    mappedProducts = Number(added.numAffectedRows ?? 0n);
  }
  const single = variants.filter(variant => !wholeIds.includes(variant.product_id));
  let mappedVariants = 0;
  if (single.length) {
    const added = await sql`insert into plan_products (store_id, group_id, product_id, variant_id, collection_id, created_at)
      select ${storeId}, ${input.lspgId}, v.product_id, v.variant_id, null, ${context.now()}
      from unnest(${single.map(variant => variant.product_id)}::bigint[], ${single.map(variant => variant.id)}::bigint[]) as v(product_id,
        variant_id)
      where not exists (select 1 from plan_products m where m.store_id = ${storeId} and m.group_id = ${input.lspgId}
        and m.product_id = v.product_id and m.variant_id is null and m.collection_id is null)
      on conflict do nothing`.execute(trx);
    mappedVariants = Number(added.numAffectedRows ?? 0n);
  }
  const archived = [...productOf.values()].filter(product => product.status === 'ARCHIVED').map(({ id, title }) => ({ id, title }));
  return { mappedProducts, mappedVariants, archived };
}

export interface UnmappingResult {
  removedProducts: number;
  removedVariants: number;
  stillMapped: { productId: number; title: string; collections: string[] }[];
}

/**
 * Takes products and variants off a group; subscriptions that were sold go on. A variant taken from a product that is mapped as a
 * whole leaves the product's other variants mapped. What a mapped collection brings stays, and is named.
 */
export async function removeFromGroup(context: Context, input: MappingInput): Promise<UnmappingResult> {
  const { trx, storeId } = context;
  const { products, variants, productOf } = await readChoice(context, input);
  const wholeIds = products.map(product => product.id);
  const removed =
    wholeIds.length === 0
      ? undefined
      : await sql<{
          product_id: number;
        }>`delete from plan_products where store_id = ${storeId} and group_id = ${input.lspgId} and product_id = any(${wholeIds}::bigint[])
          and collection_id is null returning product_id`.execute(trx);

  const single = variants.filter(variant => !wholeIds.includes(variant.product_id));
  let removedVariants = 0;
  if (single.length) {
    const variantIds = single.map(variant => variant.id);
    const ofProducts = [...new Set(single.map(variant => variant.product_id))];
    const split = await sql<{
      product_id: number;
    }>`delete from plan_products where store_id = ${storeId} and group_id = ${input.lspgId} and product_id = any(${ofProducts}::bigint[])
        and variant_id is null and collection_id is null returning product_id`.execute(trx);
    const splitIds = split.rows.map(row => row.product_id);
    if (splitIds.length) {
      await sql`insert into plan_products (store_id, group_id, product_id, variant_id, collection_id, created_at)
        select v.store_id, ${input.lspgId}, v.product_id, v.id, null, ${context.now()} from variants v
        where v.store_id = ${storeId} and v.product_id = any(${splitIds}::bigint[]) and v.deleted_at is null
          on conflict do nothing`.execute(trx);
    }
    const gone = await sql`delete from plan_products where store_id = ${storeId} and group_id = ${input.lspgId}
        and variant_id = any(${variantIds}::bigint[]) and collection_id is null`.execute(trx);
    removedVariants = Number(gone.numAffectedRows ?? 0n);
  }
  const productIds = [...productOf.keys()];
  const left = await sql<{
    productId: number;
    collections: string[];
  }>`select m.product_id as "productId", array_agg(c.title order by c.title) as collections
    from plan_products m join collections c on c.store_id = m.store_id and c.id = m.collection_id
    where m.store_id = ${storeId} and m.group_id = ${input.lspgId} and m.product_id = any(${productIds}::bigint[])
      group by m.product_id`.execute(trx);
  return {
    removedProducts: new Set(removed?.rows.map(row => row.product_id)).size,
    removedVariants,
    stillMapped: left.rows.map(row => ({ ...row, title: productOf.get(row.productId)?.title ?? '' })),
  };
}

/** Mapped products in the order of their titles, with how many of their variants are offered. */
export async function mappedProducts(
  { trx, storeId }: Context,
  groupId: number,
  query: { q?: string; page?: number; pageSize?: number },
): Promise<{ rows: JsonObject[]; total: number }> {
  const size = query.pageSize ?? 25;
  const found = holdingWords(sql`p.search`, query.q ?? '');
  const mapped = sql`select m.product_id, bool_or(m.variant_id is null) as whole, bool_or(m.collection_id is null) as by_hand,
      array_remove(array_agg(distinct m.variant_id), null) as variant_ids, array_remove(array_agg(distinct m.collection_id),
        null) as collection_ids
    from plan_products m where m.store_id = ${storeId} and m.group_id = ${groupId} group by m.product_id`;
  const from = sql`from mapped join products p on p.store_id = ${storeId} and p.id = mapped.product_id
      and p.deleted_at is null and ${found}`;
  const offset = ((query.page ?? 1) - 1) * size;
  const { rows } = await sql<JsonObject & { total: number }>`
    with mapped as (${mapped})
    select p.id as "productId", p.shopify_id as "shopifyId", p.title, p.image, p.status, p.is_gift_card as "isGiftCard",
      mapped.by_hand as "byHand", mapped.whole as "allVariants",
      (select count(*) from variants v where v.store_id = ${storeId} and v.product_id = p.id and v.deleted_at is null) as "totalVariants",
      (select coalesce(array_agg(v.id order by v.position, v.id), '{}') from variants v
        where v.store_id = ${storeId} and v.product_id = p.id and v.deleted_at is null and (mapped.whole
          or v.id = any(mapped.variant_ids))) as "selectedVariants",
      (select coalesce(jsonb_agg(jsonb_build_object('id', c.id, 'title', c.title) order by c.title), '[]') from collections c
        where c.store_id = ${storeId} and c.id = any(mapped.collection_ids)) as collections,
      count(*) over () as total
    ${from}
    order by lower(p.title), p.id limit ${size} offset ${offset}`.execute(trx);
  return {
    total: await totalOf(
      rows[0]?.total,
      offset,
      async () => (await sql<{ n: number }>`with mapped as (${mapped}) select count(*) as n ${from}`.execute(trx)).rows[0]?.n ?? 0,
    ),
    rows: rows.map(({ total: _total, ...row }) => ({
      ...row,
      label:
        Number(row.totalVariants) === (row.selectedVariants as number[]).length
          ? t`All variants`
          : t`${(row.selectedVariants as number[]).length} of ${String(row.totalVariants)} variants selected`,
    })),
  };
}
