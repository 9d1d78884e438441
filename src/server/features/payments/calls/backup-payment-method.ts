// The backup payment method of a subscription, to look at: charged at once when the first attempt of an order fails.
import type { JsonValue } from '../../../../contract/types.ts';
import type { Context } from '../../../platform/context.ts';
import { engineOf, idByShopifyId, isUsable, momentOf, readContract, wireMethod } from '../../../engine/index.ts';

interface Named {
  subscriptionShopifyId: number;
}
const contractOf = (context: Context, { subscriptionShopifyId }: Named): Promise<number> => idByShopifyId(context, subscriptionShopifyId);

/** The primary and the backup method, and whether the store uses backups at all. */
export async function paymentDetails(context: Context, input: Named): Promise<JsonValue> {
  const { subscription, work } = await readContract(engineOf(context), await contractOf(context, input));
  const view = subscription.methods.map(method => wireMethod(method, momentOf(context), subscription.contract));
  return {
    primary: view.find(method => method.role === 'PRIMARY') ?? null,
    backup: view.find(method => method.role === 'BACKUP') ?? null,
    backupPaymentEnabled: work.settings.dunning.backupPaymentEnabled,
  };
}

/** D210: saved, not revoked, not the primary. */
export async function available(context: Context, input: Named): Promise<JsonValue> {
  const { subscription } = await readContract(engineOf(context), await contractOf(context, input));
  return subscription.methods
    .filter(method => method.id !== subscription.contract.payment_method_id && isUsable(method, momentOf(context)))
    .map(method => wireMethod(method, momentOf(context), subscription.contract));
}
