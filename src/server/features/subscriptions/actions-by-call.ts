// Actions without code of their own do to each of many subscriptions what their call does to one.
import { ACTION_KINDS } from '../../../generated/actions.ts';
import { actionsByCall, doAsCall } from '../../engine/index.ts';
import * as calls from './action-calls.ts';
import type { TryableHandler } from './action-calls.ts';

for (const key of actionsByCall) {
  const name = ACTION_KINDS[key].call?.split('.')[1] ?? '';
  const { tryable } = ((calls as Record<string, unknown>)[name] ?? {}) as Partial<TryableHandler>;
  if (!tryable)
    throw new Error(
      `schemas/actions/${key}.json: nothing does it to many subscriptions. Give its call a handler made by edit() in ` +
        'src/server/features/subscriptions/action-calls.ts, or the action a file of its own in src/server/engine/actions/code.',
    );
  // Only calls of offers look at the request, and none of them is an action.
  doAsCall(key, (work, subscription, input) =>
    (tryable.work as (w: typeof work, on: typeof subscription, given: typeof input) => unknown)(work, subscription, input),
  );
}
