// What flows can do: the actions that bulk actions have too, run on one subscription at a time by the same functions of the engine.
import type { JsonObject } from '../../../contract/types.ts';
import { Refusal } from '../../platform/context.ts';
import {
  actionIn,
  type Aggregate,
  type EngineContext,
  hasChanged,
  isGift,
  mailsOf,
  NOTHING_CHANGES,
  perform,
  prepare,
  refusalByState,
  refusalOfGift,
  type Status,
  type SubscriptionAction,
  UnitOfWork,
} from '../../engine/index.ts';
import type { FlowAction } from './flow.ts';

export const flowAction = (key: string): SubscriptionAction | undefined => actionIn('flow', key);

export interface ActionResult {
  action: string;
  label: string;
  input: JsonObject;
  status: 'SUCCESS' | 'FAILED' | 'SKIPPED';
  message: string | null;
}
export type RunStatus = 'SUCCESS' | 'PARTIAL' | 'FAILED' | 'SKIPPED';

/** SUCCESS: every action did something or had nothing to do; SKIPPED: none had anything to do. */
export function statusOf(results: readonly Pick<ActionResult, 'status'>[]): RunStatus {
  const failed = results.filter(one => one.status === 'FAILED').length;
  if (failed > 0) return failed === results.length ? 'FAILED' : 'PARTIAL';
  return results.some(one => one.status === 'SUCCESS') ? 'SUCCESS' : 'SKIPPED';
}

const GONE = 'This subscription does not exist any more.';
const NO_ACTION = 'There is no such action any more. Edit the flow and choose another one.';

/** The engine's context for an action of a flow: its events name the flow and those before it; e-mails leave only where they are wanted. */
const inFlow = (context: EngineContext, action: SubscriptionAction, input: JsonObject, noteData: JsonObject): EngineContext => ({
  ...context,
  source: 'Flow',
  userEmail: '',
  noteData,
  mails: mailsOf(action, input),
});

/** Why an action is left out of a gift, which is changed by its own calls: no failure of the flow. Null: it is done. */
export const leftOutOf = (work: UnitOfWork, subscription: Aggregate, { action }: SubscriptionAction): string | null =>
  isGift(subscription.contract) && action !== null ? refusalOfGift(work, action) : null;

/** Changes a loaded subscription in memory. @throws Refusal where it can't be done; other errors with the subscription as it was */
export async function applyAction(
  work: UnitOfWork,
  subscription: Aggregate,
  action: SubscriptionAction,
  input: JsonObject,
): Promise<'SUCCESS' | 'SKIPPED'> {
  const refusals = await prepare(work, action, [subscription], input);
  const done = await perform(work, subscription, {
    action: action.action,
    refusal: refusals.get(subscription.contract.id) ?? refusalByState(action, subscription.contract.status as Status),
    apply: () => action.apply(work, subscription, input, {}),
  });
  return hasChanged(work, done) || action.keeps ? 'SUCCESS' : 'SKIPPED';
}

/** Does one action and writes it; what the engine refuses is its result, and leaves no trace. Other errors are thrown. */
export async function doAction(
  context: EngineContext,
  contractId: number,
  { action: key, input }: FlowAction,
  noteData: JsonObject,
): Promise<ActionResult> {
  const action = flowAction(key);
  const result = (status: ActionResult['status'], message: string | null): ActionResult => ({
    action: key,
    label: action?.title ?? key,
    input,
    status,
    message,
  });
  if (!action) return result('FAILED', NO_ACTION);
  const engine = inFlow(context, action, input, noteData);
  const work = await UnitOfWork.open(engine);
  const [subscription] = await work.load([contractId], (await action.orderIds?.(engine, [contractId], input)) ?? []);
  if (!subscription) return result('FAILED', GONE);
  const leftOut = leftOutOf(work, subscription, action);
  if (leftOut !== null) return result('SKIPPED', leftOut);
  try {
    const status = await applyAction(work, subscription, action, input);
    await work.flush();
    return result(status, status === 'SKIPPED' ? NOTHING_CHANGES : null);
  } catch (error) {
    if (error instanceof Refusal) return result('FAILED', error.message);
    throw error;
  }
}
