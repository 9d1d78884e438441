// Puts a note on the next order, as its call does to one subscription.
import * as details from '../../edits/details.ts';
import type { ActionCode } from '../action.ts';

export const action: ActionCode<{ note: string }> = {
  undoing: {
    action: 'addOrderNote',
    remember: (_work, was) => ({ note: was.contract?.next_order_note ?? '' }),
    apply: (work, subscription, { note }) => details.addOrderNote(work, subscription, { note: String(note) }),
  },
  apply: details.addOrderNote,
};
