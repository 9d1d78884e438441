// Who looks for a number may mean an order in the store: the subscription that placed it is found by it.
import { sql, type RawBuilder } from 'kysely';

/**
 * The digits of "1042" or "#1042": the number of a subscription, or of an order in the store; undefined when the text is something else.
 */
export const numberIn = (q: string | undefined): string | undefined => /^#?(\d{3,9})$/.exec(q?.trim() ?? '')?.[1];

/**
 * The ids of the subscriptions that placed the order of this number, as a query. Numbers belong to one order; a
 * handful is the most that mistakes make of them.
 */
export const placedBy = (storeId: number, digits: string): RawBuilder<unknown> =>
  sql`select distinct contract_id from orders where store_id = ${storeId}::integer and shopify_order_number = ${Number(digits)}::bigint
      limit 5`;
