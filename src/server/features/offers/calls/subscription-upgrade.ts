// C084: upgrading a product of a subscription, by an upgrade that is offered to it, or to whatever the call says itself.
import type { JsonValue } from '../../../../contract/types.ts';
import { notFound, type Context, type Handler } from '../../../platform/context.ts';
import { canBeTried, change, idOf, tryable } from '../../subscriptions/action-calls.ts';
import { type Aggregate, contractView, engineOf, type UnitOfWork, upgrade, type Upgrade } from '../../../engine/index.ts';
import { acceptUpgrade } from '../upgrade.ts';
import { later } from '../../../../domain/text/t.ts';

interface Input extends Upgrade {
  subscriptionContractShopifyId: number;
  /** The upgrade that says the rest. */
  profileId?: number;
}

const work = (w: UnitOfWork, subscription: Aggregate, { profileId, ...input }: Input, context: Context): Promise<void> =>
  profileId === undefined ? upgrade(w, subscription, input) : acceptUpgrade({ context, work: w, subscription }, { ...input, profileId });

export const upgradeSubscription: Handler = tryable(
  async (context: Context, input: Input): Promise<JsonValue> => {
    const id = await idOf(context, input.subscriptionContractShopifyId, () => notFound(later`subscription`));
    return contractView(engineOf(context), id, await change(context, 'upgradeSubscription', { ...input, id }, work));
  },
  'upgradeSubscription',
  work,
);

canBeTried('subscription-upgrade', { upgradeSubscription });
