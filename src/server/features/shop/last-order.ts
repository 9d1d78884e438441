// What a browser has just paid for: who comes back by the back button meets an empty cart, which says that the order is there.
import { sql } from 'kysely';
import type { Thanks } from './pay.ts';
import type { Shop } from './shop.ts';

/** For so long it is spoken of, and the page that thanks leads to the pages of a customer who came with the purchase. */
export const HOURS_OPEN = 24;

/** The latest order that was paid from a cart: its number, and that of its page. */
export async function lastOrder({ context }: Shop, cartId: string | null): Promise<{ page: number; number: number } | undefined> {
  if (cartId === null) return undefined;
  const { rows } = await sql<{ page: number; outcome: Pick<Thanks, 'number'> }>`select id as page, outcome from shop_purchases
    where store_id = ${context.storeId}::integer and cart_id = ${cartId} and status = 'PAID'
      and made_at > now() - make_interval(hours => ${HOURS_OPEN}::integer) order by id desc limit 1`.execute(context.trx);
  const [row] = rows;
  return row && { page: row.page, number: row.outcome.number };
}
