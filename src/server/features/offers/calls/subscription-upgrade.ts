// C084: upgrading a product of a subscription, by an upgrade that is offered to it, or to whatever the call says itself.
import type { Handler } from '../../../platform/context.ts';
import { callOfAction, upgrade, type Upgrade } from '../../../engine/index.ts';
import { acceptUpgrade } from '../upgrade.ts';

interface Input extends Upgrade {
  subscriptionContractShopifyId: number;
  /** The upgrade that says the rest. */
  profileId?: number;
}

export const upgradeSubscription: Handler = callOfAction<Input>(
  'UPGRADE_SUBSCRIPTION',
  (work, subscription, { profileId, ...input }, context) =>
    profileId === undefined ? upgrade(work, subscription, input) : acceptUpgrade({ context, work, subscription }, { ...input, profileId }),
);
