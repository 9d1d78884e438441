// Whether customers enter cards on their own page.
import { hasShop } from '../../../platform/config.ts';
import { takesTestCards } from '../../../platform/gateway/gateway.ts';
import type { Portal } from '../portal.ts';

/** Whether cards are taken here: the vault of the product knows the test cards alone, so it is where there is something to try. */
export const takesCards = ({ context: { config, store } }: Pick<Portal, 'context'>): boolean =>
  hasShop(config) && !config.hosts.external && takesTestCards(store);
