// Carts and purchases: a purchase is read from the page that thanks, which needs its cart.
import type { Retention } from '../../platform/records/retention.ts';
import { CART_DAYS } from './cart.ts';

export const retention: Retention[] = [
  { table: 'shop_purchases', over: `r.status <> 'CHARGING' and r.made_at < now() - interval '${CART_DAYS} days'` },
  { table: 'shop_carts', over: `r.updated_at < now() - interval '${CART_DAYS} days'` },
];
