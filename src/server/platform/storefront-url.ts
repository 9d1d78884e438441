// Where shoppers of a store buy.
import { type Config, hasShop } from './config.ts';
import { takesCardsBy } from './gateway/gateway.ts';

interface Sold {
  id: number;
  myshopify_domain: string;
  is_demo: boolean;
  charges_through: readonly string[];
  details: unknown;
}

/** Whether the store has a site at its domain. The domains of a demo's stores, and of those that were opened here, only name them. */
export const hasSite = ({ is_demo, details }: Pick<Sold, 'is_demo' | 'details'>): boolean =>
  !is_demo && (details as { openedBy?: string } | null)?.openedBy === undefined;

/** The address before "/products/…": of the shop that the product serves, else of the store's own site; undefined without either. */
export function storefrontOf(config: Pick<Config, 'shop' | 'demo'>, store: Sold): string | undefined {
  if (hasShop(config) && takesCardsBy(store) !== null) return `/shop/${store.id}`;
  return hasSite(store) ? `https://${store.myshopify_domain}` : undefined;
}
