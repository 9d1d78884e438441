// C084: upgrading a product of a subscription. Until there are upgrade profiles, the call says itself what the product is upgraded to.
import type { JsonValue } from '../../../../contract/types.ts';
import { notFound, type Context, type Handler } from '../../../platform/context.ts';
import { engineOf } from '../engine/context.ts';
import { upgrade, type Upgrade } from '../engine/edits/upgrade.ts';
import { contractView } from '../engine/contract-response.ts';
import { change, idOf, tryable } from '../action-calls.ts';
import { later } from '../../../../domain/text/t.ts';

interface Input extends Upgrade {
  subscriptionContractShopifyId: number;
}

export const upgradeSubscription: Handler = tryable(
  async (context: Context, input: Input): Promise<JsonValue> => {
    const id = await idOf(context, input.subscriptionContractShopifyId, () => notFound(later`subscription`));
    return contractView(engineOf(context), id, await change(context, 'upgradeSubscription', { ...input, id }, upgrade));
  },
  'upgradeSubscription',
  upgrade,
);
