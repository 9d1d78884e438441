// An action of schemas/actions on a loaded subscription, in memory: its guards, its change, one line in its log.
import type { JsonObject } from '../../../contract/types.ts';
import type { Aggregate } from '../aggregate.ts';
import type { PendingCharge } from '../charging/place-order.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import { hasChanged, performOne } from './perform.ts';
import { refusalIn, type Status } from '../states.ts';
import { NOTHING_CHANGES, type SubscriptionAction, type RowValues } from './action.ts';

export interface Applied {
  status: 'SUCCESS' | 'SKIPPED';
  reason: string | null;
  pending: PendingCharge | null;
}

/** Which e-mails leave: those of the action's own kind, or those that its input asks for in "notify". */
export const mailsOf = (action: SubscriptionAction, input: JsonObject): 'CUSTOMER' | 'NONE' =>
  action.mails || input.notify === true ? 'CUSTOMER' : 'NONE';

const beyondStates = ({ forMany }: SubscriptionAction, status: Status): string | null =>
  forMany && !forMany.states.includes(status) ? forMany.otherwise : null;
/** Why the action leaves subscriptions of a state alone, whatever else holds; null where the state is right. */
export const refusalByState = (action: SubscriptionAction, status: Status): string | null =>
  (action.action === null ? null : refusalIn(status, action.action)) ?? beyondStates(action, status);

/** What the action reads for all subscriptions of a chunk before it changes the first; gives those it leaves alone, with the reason. */
export async function prepare(
  work: UnitOfWork,
  action: SubscriptionAction,
  aggregates: readonly Aggregate[],
  input: JsonObject,
): Promise<Map<number, string>> {
  if (action.variants) await work.loadVariants(aggregates, action.charges);
  if (action.charges) await work.reserveAttemptIds(aggregates.length * 2);
  return (await action.refusals?.(work, aggregates, input)) ?? new Map<number, string>();
}

/** Runs the action on a loaded subscription: what is refused is a reason to skip it. @throws other errors, the subscription as it was */
export async function applyTo(
  work: UnitOfWork,
  subscription: Aggregate,
  action: SubscriptionAction,
  input: JsonObject,
  values: RowValues,
  refusals: ReadonlyMap<number, string>,
): Promise<Applied> {
  const done = await performOne(work, subscription, {
    action: action.action,
    refusal: refusals.get(subscription.contract.id) ?? beyondStates(action, subscription.contract.status as Status),
    apply: () => action.apply(work, subscription, input, values),
  });
  if ('refused' in done) return { status: 'SKIPPED', reason: done.refused, pending: null };
  if (!hasChanged(work, done) && !action.keeps) return { status: 'SKIPPED', reason: NOTHING_CHANGES, pending: null };
  work.joinNotes(done.firstNote, subscription, 'bulk_action_applied', { actionKey: action.key });
  return { status: 'SUCCESS', reason: null, pending: action.charges ? (done.result as PendingCharge | null) : null };
}
