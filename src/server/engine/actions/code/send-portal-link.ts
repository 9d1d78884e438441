// Sends the customer the way into the portal.
import { sendPortalLink as sendLink } from '../../edits/payment-methods.ts';
import { whyNoPortal } from '../../portal-link.ts';
import type { ActionCode } from '../action.ts';

export const action: ActionCode = {
  unavailable: whyNoPortal,
  apply: sendLink,
};
