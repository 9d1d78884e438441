// Gives a subscription a discount, by hand or by a code of the store.
import { t } from '../../../../domain/text/t.ts';
import * as discounts from '../../edits/discounts.ts';
import { skip, type ActionCode } from '../action.ts';

export const action: ActionCode<discounts.NewDiscount & { kind: 'MANUAL' | 'CODE' }, discounts.NewDiscount> = {
  check: ({ kind, type, value }) =>
    kind === 'MANUAL' && type === 'PERCENTAGE' && !Number.isInteger(Number(value))
      ? [{ pointer: '/value', rule: 'range', message: t`Enter a whole percentage, such as 10.` }]
      : [],
  one: discounts.addDiscount,
  apply: async (work, subscription, { kind, code, ...byHand }) => {
    if (kind === 'CODE' && subscription.discounts.some(one => one.code?.toLowerCase() === code?.trim().toLowerCase()))
      throw skip(t`This subscription has this discount code already.`);
    await discounts.addDiscount(work, subscription, kind === 'CODE' ? { code } : byHand);
  },
};
