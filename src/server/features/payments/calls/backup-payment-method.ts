// The backup payment method of a subscription: charged at once when the first attempt of an order fails.
import type { JsonValue } from '../../../../contract/types.ts';
import { notFound, type Context } from '../../../platform/context.ts';
import {
  contractView,
  engineOf,
  isUsable,
  momentOf,
  readContract,
  removeBackup as clear,
  switchBackup as assign,
  wireMethod,
} from '../../../engine/index.ts';
import { change, idOf } from '../../subscriptions/action-calls.ts';
import { later } from '../../../../domain/text/t.ts';

interface Named {
  subscriptionShopifyId: number;
}
const missing = () => notFound(later`subscription`);
const contractOf = (context: Context, { subscriptionShopifyId }: Named): Promise<number> => idOf(context, subscriptionShopifyId, missing);

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

export async function switchBackup(
  context: Context,
  { paymentMethodId, ...named }: Named & { paymentMethodId: number },
): Promise<JsonValue> {
  const id = await contractOf(context, named);
  return contractView(engineOf(context), id, await change(context, 'switchBackup', { id, paymentMethodId }, assign));
}

export async function removeBackup(context: Context, input: Named): Promise<JsonValue> {
  const id = await contractOf(context, input);
  return contractView(engineOf(context), id, await change(context, 'removeBackup', { id }, clear));
}
