// Where customers enter cards.
import { hasShop } from '../../../platform/config.ts';
import { takesCardsBy } from '../../../platform/gateway/gateway.ts';
import { portalBase } from '../../../engine/index.ts';
import type { Portal } from '../portal.ts';

/**
 * PROVIDER: on the page of the provider that the store charges through. TEST: on a page of ours, as the vault of the product knows the test
 * cards alone, where there is something to try. Null: nowhere.
 */
export function takesCards({ context: { config, store } }: Pick<Portal, 'context'>): 'PROVIDER' | 'TEST' | null {
  const by = takesCardsBy(store);
  if (by === 'TEST') return hasShop(config) && !config.hosts.external ? 'TEST' : null;
  return by === null || portalBase(config) === undefined ? null : 'PROVIDER';
}
