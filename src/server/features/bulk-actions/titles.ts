// What the actions are called, those that people start and those of the system.
import entity from '../../../../schemas/entities/bulk-action.json' with { type: 'json' };

const TITLES = new Map(entity.properties.actionKey.oneOf.map(one => [one.const, one.title]));
/** The title of an action by its key; the key itself where it is none of ours. */
export const titleOf = (key: string): string => TITLES.get(key) ?? key;
