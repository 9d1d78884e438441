// Takes another payment method of the customer as the backup.
import type { JsonObject } from '../../../../contract/types.ts';
import { t } from '../../../../domain/text/t.ts';
import { isUsable } from '../../aggregate.ts';
import { switchBackup } from '../../edits/payment-methods.ts';
import { skip, type ActionCode } from '../action.ts';

export const action: ActionCode<JsonObject, { paymentMethodId: number }> = {
  one: switchBackup,
  apply: (work, subscription) => {
    if (subscription.contract.backup_payment_method_id !== null) throw skip(t`This subscription has a backup payment method already.`);
    const method = subscription.methods.filter(one => one.id !== subscription.contract.payment_method_id && isUsable(one, work)).at(-1);
    if (!method) throw skip(t`The customer has no other payment method that can be charged.`);
    switchBackup(work, subscription, { paymentMethodId: method.id });
  },
};
