// What the actions are called, those that people start and those of the system.
import entity from '../../../../schemas/entities/bulk-action.json' with { type: 'json' };
import { ACTION_KINDS, type ActionKey } from '../../../generated/actions.ts';

const TITLES = new Map<string, string>(entity.properties.actionKey.oneOf.map(one => [one.const, one.title]));
/** The title of an action by its key; the key itself where it is none of ours. */
export const titleOf = (key: string): string =>
  (Object.hasOwn(ACTION_KINDS, key) ? ACTION_KINDS[key as ActionKey].title : TITLES.get(key)) ?? key;
