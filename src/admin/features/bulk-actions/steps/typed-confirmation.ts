// What has to be typed before it starts.
import type { CatalogueAction } from '../catalogue.ts';

/**
 * Whether the number of subscriptions is typed out before an action starts: where cards are charged, or many subscriptions are cancelled.
 */
export const isTypedFor = (action: Pick<CatalogueAction, 'confirmAbove'>, total: number): boolean =>
  action.confirmAbove !== undefined && total > action.confirmAbove;
/** Whether a text says the number, with or without separators. */
export const saysNumber = (text: string, total: number): boolean => text.replace(/[\s,.]/g, '') === String(total);
