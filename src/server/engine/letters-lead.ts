// Where letters to customers lead, by the pages of settings about the portal.
import type { JsonObject } from '../../contract/types.ts';

/** Where letters lead: the store has its customers' pages on, and lets them enter other cards there. */
export interface LettersLead {
  hasPortal?: boolean;
  letsEnterCards?: boolean;
}

export const PORTAL_PREFERENCES = 'portal-preferences';
/** By the pages of settings about the portal. */
export const leadsOf = (accessibility: JsonObject, preferences: JsonObject): Required<LettersLead> => ({
  hasPortal: accessibility.isOn !== false,
  letsEnterCards: preferences.updatePaymentMethod !== false,
});
