// Takes discounts of a subscription away; those of bundles stay.
import { t } from '../../../../domain/text/t.ts';
import { invalid } from '../../../platform/context.ts';
import * as discounts from '../../edits/discounts.ts';
import { skip, type ActionCode } from '../action.ts';

export const action: ActionCode<
  { which: 'ALL' | 'CODE' | 'TITLE'; code?: string; title?: string },
  { discountId?: number; code?: string }
> = {
  one: (work, subscription, input) => {
    if (input.discountId === undefined && input.code === undefined)
      throw invalid([{ pointer: '/code', rule: 'required', message: t`Name the discount by its code or its id.` }]);
    discounts.removeDiscount(work, subscription, input);
  },
  apply: (work, subscription, { which, code = '', title = '' }) => {
    const is = (text: string | null, wanted: string): boolean => text?.trim().toLowerCase() === wanted.trim().toLowerCase();
    const found = subscription.discounts.filter(
      one =>
        one.kind !== 'BUNDLE' &&
        (which === 'ALL' || (which === 'CODE' ? is(one.code, code) : one.kind === 'MANUAL' && is(one.title, title))),
    );
    if (found.length === 0)
      throw skip(which === 'ALL' ? t`This subscription has no discount.` : t`This subscription does not have this discount.`);
    for (const one of found) discounts.removeDiscount(work, subscription, { discountId: one.id });
  },
};
