// What a link does to a subscription: making it or setting it going needs the right to do that by hand.
import type { ActionKey } from '../../../generated/actions.ts';
import type { GrantKind } from '../../platform/auth/grant-kinds.ts';
import { type LinkKind, needsOfAction } from '../../engine/index.ts';

/** The action of each kind of link; null: the reward alone, which has a need of its own. */
export const DOES: Readonly<Record<LinkKind, ActionKey | null>> = {
  SKIP_ORDER: 'SKIP_ORDER',
  DELAY_ORDER: 'RESCHEDULE',
  RESCHEDULE_ORDER: 'RESCHEDULE',
  PAUSE_SUBSCRIPTION: 'PAUSE_SUBSCRIPTION',
  RESUME_SUBSCRIPTION: 'RESUME_SUBSCRIPTION',
  WINBACK: 'REACTIVATE_SUBSCRIPTION',
  ORDER_NOW: 'CHARGE_ORDER',
  RECOVER_FAILED_PAYMENT: 'CHARGE_ORDER',
  ADD_PRODUCT: 'ADD_PRODUCT',
  SWAP_PRODUCT: 'SWAP_PRODUCT',
  APPLY_DISCOUNT: null,
};

const link: GrantKind = {
  needs: (value, context) => {
    const action = DOES[value as LinkKind];
    return action ? needsOfAction(context, action) : [];
  },
};

export const grants = { link };
