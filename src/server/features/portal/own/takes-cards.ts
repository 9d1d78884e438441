// Where customers enter cards.
import { hasShop } from '../../../platform/config.ts';
import { takesTestCards } from '../../../platform/gateway/gateway.ts';
import { portalBase } from '../../../engine/index.ts';
import type { Portal } from '../portal.ts';

/**
 * PROVIDER: on the page of the provider that the store charges through. TEST: on a page of ours, as the vault of the product knows the test
 * cards alone, where there is something to try. Null: nowhere.
 */
export function takesCards({ context: { config, store } }: Pick<Portal, 'context'>): 'PROVIDER' | 'TEST' | null {
  if (store.charges_through.includes('STRIPE')) return portalBase(config) === undefined ? null : 'PROVIDER';
  return hasShop(config) && !config.hosts.external && takesTestCards(store) ? 'TEST' : null;
}
