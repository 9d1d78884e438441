// Products of a gift program, put in and taken out one by one (C478, C480, D299); its form has the whole list.
import { sql } from 'kysely';
import type { JsonObject } from '../../../../contract/types.ts';
import { invalid, type Context } from '../../../platform/context.ts';
import { changePart } from '../../../platform/records/write-record.ts';
import { t } from '../../../../domain/text/t.ts';
import { productErrors } from '../rules.ts';

interface Named {
  id: number;
}

/** Gives a program another list of products. @throws Refusal 404, 409 STALE_VERSION, 422 with each product that can't be in it */
const change = (context: Context, id: number, of: (present: number[]) => number[], pointer: string): Promise<JsonObject> =>
  changePart(context, 'gift-program', id, async record => {
    const variantIds = of((record.variantIds ?? []) as number[]);
    const errors = await productErrors(context, { ...record, variantIds }, pointer);
    if (errors.length) throw invalid(errors);
    return { variantIds };
  });

/** @throws Refusal 422 for a product that does not exist, or is in another program */
export async function addProductVariants(
  context: Context,
  { id, productVariants }: Named & { productVariants: { variantShopifyId: number }[] },
): Promise<JsonObject> {
  const variantIds = productVariants.map(one => one.variantShopifyId);
  const { rows } = await sql<{
    id: number;
    shopify_id: number;
  }>`select id, shopify_id from variants where store_id = ${context.storeId}::integer
    and deleted_at is null and shopify_id = any(${variantIds}::bigint[])`.execute(context.trx);
  const known = new Map(rows.map(row => [row.shopify_id, row.id]));
  const errors = variantIds.flatMap((one, i) =>
    known.has(one)
      ? []
      : [{ pointer: `/productVariants/${i}/variantShopifyId`, rule: 'reference', message: t`This product no longer exists.` }],
  );
  if (errors.length) throw invalid(errors);
  const added = variantIds.map(one => known.get(one) as number);
  return change(context, id, present => [...new Set([...present, ...added])], '/productVariants');
}

/** What is not in it is passed over. @throws Refusal 422 for the last product of a program that is on */
export const removeProductVariants = (context: Context, { id, ids }: Named & { ids: number[] }): Promise<JsonObject> =>
  change(context, id, present => present.filter(one => !ids.includes(one)), '/ids');
