// What a link does to a subscription: making it or setting it going needs the right to do that by hand.
import { LINKS, type LinkKind } from '../../../generated/actions.ts';
import type { GrantKind } from '../../platform/auth/grant-kinds.ts';
import { needsOfAction } from '../../engine/index.ts';

const link: GrantKind = {
  needs: (value, context) => {
    const offer = LINKS[value as LinkKind] as (typeof LINKS)[LinkKind] | undefined;
    // A reward alone has a need of its own.
    return offer?.choices.some(one => one.with) ? needsOfAction(context, offer.action) : [];
  },
};

export const grants = { link };
