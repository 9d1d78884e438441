// A reward that comes with something a subscriber does: a discount on the next orders, or a product for free in the next one.
import type { FieldError } from '../../../contract/types.ts';
import type { Context } from '../../platform/context.ts';
import { actionErrors, type KeptAction } from './placed-actions.ts';

type Asking = Pick<Context, 'definitions' | 'session' | 'now'>;

export type Reward = {
  rewardType: 'NONE' | 'DISCOUNT' | 'GIFT';
  discountType?: 'PERCENTAGE' | 'FIXED_AMOUNT' | 'FREE_SHIPPING';
  discountValue?: string | number;
  orderCount?: number;
  variantId?: number;
  quantity?: number;
};

/** The action that gives a reward; a discount is called `title` in the order. Undefined where there is none. */
export function rewardAction(reward: Reward | undefined, title: string): KeptAction | undefined {
  const { rewardType = 'NONE', discountType = 'PERCENTAGE', discountValue, orderCount = 1, variantId, quantity = 1 } = reward ?? {};
  if (rewardType === 'NONE') return undefined;
  if (rewardType === 'GIFT')
    return {
      action: 'ADD_PRODUCT',
      input: { variantId: variantId ?? null, quantity, type: 'ONE_TIME', discountType: 'PERCENTAGE', discountValue: '100' },
    };
  const value = discountType === 'FREE_SHIPPING' ? {} : { value: discountValue ?? null };
  return {
    action: 'ADD_DISCOUNT',
    input: { kind: 'MANUAL', title, type: discountType, ...value, orderLimit: orderCount } as KeptAction['input'],
  };
}

/** What the schema of rewards says in words of its own. */
const BY_SCHEMA = new Set(['required', 'type', 'minimum', 'maximum', 'exclusiveMinimum']);
/** Where a reward has what its action calls otherwise. */
const FIELDS: Record<string, string> = { value: 'discountValue', type: 'discountType', orderLimit: 'orderCount' };

/** What is wrong with a reward, beside what its schema says. */
export function rewardErrors(context: Asking, reward: Reward | undefined, at: string): FieldError[] {
  const action = rewardAction(reward, 'Reward');
  if (!action) return [];
  return actionErrors(context, 'incentive', action)
    .filter(error => !BY_SCHEMA.has(error.rule))
    .map(error => {
      const [, part, name = ''] = error.pointer.split('/');
      return { ...error, pointer: `${at}/${part === 'input' ? (FIELDS[name] ?? name) : 'rewardType'}` };
    });
}
