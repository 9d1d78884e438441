// The tone of a badge that is no option of a field, from the same table as those that are.
import badges from '../../../schemas/common/badges.json';

/** A line of schemas/common/badges.json. */
export type BadgeName = keyof typeof badges.definitions;

/** The tone of a badge (D059 to D062). */
export const toneOf = (badge: BadgeName): string => badges.definitions[badge]['x-ui'].tone;
