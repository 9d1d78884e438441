// The subscription that a call names: by its id, or by the number that the platform has for it.
import { sql } from 'kysely';
import { later } from '../../../domain/text/t.ts';
import { notFound } from '../../platform/context.ts';
import { prepared } from '../../platform/db/prepared-statements.ts';
import type { EngineContext } from '../context.ts';

/** One of them is there; calls differ in what they call the platform's number. */
export interface Naming {
  id?: number;
  subscriptionShopifyId?: number;
  subscriptionContractShopifyId?: number;
}

/** The id of the contract with a platform id. @throws Refusal 404 */
export async function idByShopifyId({ trx, storeId }: Pick<EngineContext, 'trx' | 'storeId'>, shopifyId: number): Promise<number> {
  const { rows } = await prepared(
    sql<{ id: number }>`select id from contracts where store_id = ${storeId}::integer and shopify_id = ${shopifyId}::bigint`,
  ).execute(trx);
  if (!rows[0]) throw notFound(later`subscription`);
  return rows[0].id;
}

/** The id of the subscription that an input names. @throws Refusal 404 */
export const idOf = async (context: Pick<EngineContext, 'trx' | 'storeId'>, input: Naming): Promise<number> =>
  input.id ?? idByShopifyId(context, Number(input.subscriptionShopifyId ?? input.subscriptionContractShopifyId));
