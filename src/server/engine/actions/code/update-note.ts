// Adds to, replaces or removes the note of a subscription.
import { t } from '../../../../domain/text/t.ts';
import * as details from '../../edits/details.ts';
import { skip, type ActionCode } from '../action.ts';
import { setsBack } from '../sets-back.ts';

type Mode = 'ADD' | 'REMOVE' | 'REPLACE';

const LONGEST_NOTE = 5000;

export const action: ActionCode<{ mode: Mode; note?: string }, { note: string }> = {
  undoing: setsBack('updateNote', 'note', (work, subscription, note) => details.updateNote(work, subscription, { note })),
  one: details.updateNote,
  apply: (work, subscription, { mode, note = '' }) => {
    const wanted = mode === 'REMOVE' ? '' : mode === 'ADD' && subscription.contract.note ? `${subscription.contract.note}\n${note}` : note;
    if (wanted.length > LONGEST_NOTE) throw skip(t`A note can have at most 5,000 characters.`);
    details.updateNote(work, subscription, { note: wanted });
  },
};
