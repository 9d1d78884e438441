// How an edit of one column is taken back.
import type { JsonValue } from '../../../contract/types.ts';
import type { Aggregate } from '../aggregate.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import type { Undoing } from './action.ts';

/** The way back of an edit that sets one column of the contract. */
export const setsBack = <C extends 'note' | 'tags' | 'custom_attributes'>(
  action: string,
  column: C,
  set: (work: UnitOfWork, subscription: Aggregate, value: Aggregate['contract'][C]) => void,
): Undoing => ({
  action,
  remember: (_work, was) => ({ value: was.contract?.[column] as JsonValue }),
  apply: (work, subscription, { value }) => set(work, subscription, value as Aggregate['contract'][C]),
});
