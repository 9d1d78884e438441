// Adds, removes or replaces the tags of a subscription.
import { nameKey } from '../../../../domain/text/names.ts';
import { t } from '../../../../domain/text/t.ts';
import * as details from '../../edits/details.ts';
import { skip, type ActionCode } from '../action.ts';
import { setsBack } from '../sets-back.ts';

type Mode = 'ADD' | 'REMOVE' | 'REPLACE';

const MAX_TAGS = 50;

export const action: ActionCode<{ mode: Mode; tags: string[] }, { tags: string[] }> = {
  undoing: setsBack('updateTags', 'tags', (work, subscription, tags) => details.updateTags(work, subscription, { tags })),
  one: details.updateTags,
  apply: (work, subscription, { mode, tags }) => {
    const present = subscription.contract.tags;
    const named = new Set(tags.map(nameKey));
    const wanted = mode === 'ADD' ? [...present, ...tags] : mode === 'REMOVE' ? present.filter(tag => !named.has(nameKey(tag))) : tags;
    details.updateTags(work, subscription, { tags: wanted });
    if (subscription.contract.tags.length > MAX_TAGS) throw skip(t`A subscription can have at most ${MAX_TAGS} tags.`);
  },
};
