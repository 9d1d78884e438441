// What the switches of a store leave closed for prepaid subscriptions (D122). Gifts are prepaid too, and have rules of their own.
import { prepaidRefusal, type Way } from '../../contract/switches.ts';
import { ACTION_KINDS, type ActionKey } from '../../generated/actions.ts';
import type { EngineContext } from './context.ts';
import { isGift } from './gifts/gift.ts';
import type { ContractRow } from './rows.ts';

type Contract = Pick<ContractRow, 'is_prepaid' | 'source'>;

/** On whose behalf something is done stands in every line of the activity: the member that says so, and the way that it is. */
const WAYS: readonly (readonly [member: string, way: Way])[] = [
  ['bulkActionId', 'BULK_ACTION'],
  ['campaignId', 'CAMPAIGN'],
  ['cancellationAttemptId', 'CANCELLATION_FLOW'],
  ['quickActionId', 'QUICK_ACTION'],
];

/** The kinds of actions by the name of the action of the state machine. */
const KINDS = new Map<string, ActionKey[]>();
for (const { action, key } of Object.values(ACTION_KINDS)) if (action) KINDS.set(action, [...(KINDS.get(action) ?? []), key as ActionKey]);

/** Why a way does not lead to a prepaid subscription of the store; null where it does, and for all that are not prepaid. */
export const refusalOfWay = ({ store }: { store: Pick<EngineContext['store'], 'feature_switches'> }, contract: Contract, way: Way) =>
  contract.is_prepaid && !isGift(contract) ? prepaidRefusal(store.feature_switches, { way }) : null;

/** Why an action is not done to a prepaid subscription of the store, by whatever way it comes; null where it may be. */
export function refusalOfPrepaid({ store, noteData }: Pick<EngineContext, 'store' | 'noteData'>, contract: Contract, action: string) {
  if (!contract.is_prepaid || isGift(contract)) return null;
  const way = noteData && WAYS.find(([member]) => noteData[member] !== undefined)?.[1];
  const refusal = way ? refusalOfWay({ store }, contract, way) : null;
  return refusal ?? prepaidRefusal(store.feature_switches, { actions: KINDS.get(action) ?? [] });
}
