// The one executor: whatever changes a subscription in answer to a person, a flow, a link or a bulk action runs here.
import { Refusal } from '../../platform/context.ts';
import type { Aggregate } from '../aggregate.ts';
import { mustStayChargeable } from '../largest-order.ts';
import { mustAllow } from '../states.ts';
import type { UnitOfWork } from '../unit-of-work.ts';

/** What is to be done to a subscription. */
export interface Change<T> {
  /** The action of the state machine that has to be allowed: a move of x-states or an edit of states.ts. Null: no state refuses it. */
  action: string | null;
  /** Another reason to leave the subscription alone, known before; it counts once the state allows the action. */
  refusal?: string | null;
  apply(work: UnitOfWork, subscription: Aggregate): T | Promise<T>;
}
export interface Performed<T> {
  result: T;
  /** How many notes the work held before: those from there on are of this change. None: nothing changed. */
  firstNote: number;
}

/** Whether a change left any note: one that left none changed nothing. */
export const hasChanged = (work: UnitOfWork, { firstNote }: Pick<Performed<unknown>, 'firstNote'>): boolean =>
  work.notes.length > firstNote;

/**
 * Changes a loaded subscription in memory: state machine and guards, the other reason, the change itself, and whether its next order can
 * still be charged. Writing it is up to the code that opened the work. Variants that the change needs are loaded before.
 * @throws Refusal 409 INVALID_STATE, and what the change refuses; after any error the subscription is as the work read it, and nothing
 *   of the change is noted
 */
export async function perform<T>(work: UnitOfWork, subscription: Aggregate, change: Change<T>): Promise<Performed<T>> {
  const mark = work.mark();
  const firstNote = work.notes.length;
  try {
    if (change.action !== null) mustAllow(work, subscription, change.action);
    if (change.refusal != null) throw new Refusal(409, 'INVALID_STATE', change.refusal);
    const result = await change.apply(work, subscription);
    mustStayChargeable(work, subscription);
    return { result, firstNote };
  } catch (error) {
    work.undo(mark, subscription);
    throw error;
  }
}

/** The same where many are changed in one work: what is refused is a result, and the others go on. */
export async function performOne<T>(
  work: UnitOfWork,
  subscription: Aggregate,
  change: Change<T>,
): Promise<Performed<T> | { refused: string }> {
  try {
    return await perform(work, subscription, change);
  } catch (error) {
    if (error instanceof Refusal) return { refused: error.message };
    throw error;
  }
}
