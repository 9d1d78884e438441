// One row of a bulk action on one subscription, in memory: guards, change, one line in its log. What is refused leaves no trace.
import type { JsonObject } from '../../../contract/types.ts';
import { Refusal } from '../../platform/context.ts';
import {
  type Aggregate,
  type EngineContext,
  mustAllow,
  mustStayChargeable,
  type PendingCharge,
  refusalIn,
  type Status,
  type UnitOfWork,
} from '../../engine/index.ts';
import { NOTHING_CHANGES, type BulkAction, type RowValues } from './bulk-action.ts';

export interface Applied {
  status: 'SUCCESS' | 'SKIPPED';
  reason: string | null;
  pending: PendingCharge | null;
}

/** The engine's context for a bulk action: lines of the log name the system and the bulk id, e-mails leave only if they are wanted. */
export const inBulk = (context: EngineContext, action: BulkAction, bulkId: number, input: JsonObject): EngineContext => ({
  ...context,
  source: 'System',
  userEmail: '',
  noteData: { bulkActionId: bulkId },
  mails: action.mails || input.notify === true ? 'CUSTOMER' : 'NONE',
});

const beyondStates = ({ states, otherwise }: BulkAction, status: Status): string | null =>
  states && !states.includes(status) ? (otherwise ?? NOTHING_CHANGES) : null;
/** Why the action leaves subscriptions of a state alone, whatever else holds; null where the state is right. */
export const refusalByState = (action: BulkAction, status: Status): string | null =>
  (action.action === null ? null : refusalIn(status, action.action)) ?? beyondStates(action, status);

/** What the action reads for all subscriptions of a chunk before it changes the first; gives those it leaves alone, with the reason. */
export async function prepare(
  work: UnitOfWork,
  action: BulkAction,
  aggregates: readonly Aggregate[],
  input: JsonObject,
): Promise<Map<number, string>> {
  if (action.variants) await work.loadVariants(aggregates, action.charges);
  if (action.charges) await work.reserveAttemptIds(aggregates.length * 2);
  return (await action.refusals?.(work, aggregates, input)) ?? new Map<number, string>();
}

/**
 * Runs the action on a loaded contract. A refusal is a reason to skip; whatever else is thrown is passed on, with the contract as it was.
 */
export async function applyTo(
  work: UnitOfWork,
  subscription: Aggregate,
  action: BulkAction,
  input: JsonObject,
  values: RowValues,
  refusals: ReadonlyMap<number, string>,
): Promise<Applied> {
  const mark = work.mark();
  const notes = work.notes.length;
  try {
    if (action.action !== null) mustAllow(work, subscription, action.action);
    const refused = refusals.get(subscription.contract.id) ?? beyondStates(action, subscription.contract.status as Status);
    if (refused !== null) return { status: 'SKIPPED', reason: refused, pending: null };
    const result = await action.apply(work, subscription, input, values);
    mustStayChargeable(work, subscription);
    if (work.notes.length === notes && !action.keeps) return { status: 'SKIPPED', reason: NOTHING_CHANGES, pending: null };
    work.joinNotes(notes, subscription, 'bulk_action_applied', { actionKey: action.key });
    return { status: 'SUCCESS', reason: null, pending: action.charges ? (result as PendingCharge | null) : null };
  } catch (error) {
    work.undo(mark, subscription);
    if (error instanceof Refusal) return { status: 'SKIPPED', reason: error.message, pending: null };
    throw error;
  }
}
