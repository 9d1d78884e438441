// What an action that is stored for later does, and what a reward gives: saving or starting it needs the right to do it by hand.
import type { GrantKind } from '../../platform/auth/grant-kinds.ts';
import { type KeptAction, needsOfAction, type Reward, rewardAction } from '../../engine/index.ts';

const action: GrantKind = {
  at: '/action',
  needs: (value, context) => {
    const { action: key, input } = value as KeptAction;
    return needsOfAction(context, key, input);
  },
};

const reward: GrantKind = {
  at: '/rewardType',
  needs: (value, context) => {
    const given = rewardAction(value as Reward, 'Reward');
    return given ? needsOfAction(context, given.action, given.input) : [];
  },
};

export const grants = { action, reward };
