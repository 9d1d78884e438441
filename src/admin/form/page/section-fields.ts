// Which fields stand in a section of a form.
import type { FieldsSection, Section } from '../../../contract/types.ts';
import { isWithin, pointerOf } from '../engine/path.ts';

export const isFields = (section: Section): section is FieldsSection => 'fields' in section;

/** Whether a place stands in a section: it is one of its fields, or something inside one. */
export const standsIn = (section: Section, pointer: string): boolean =>
  isFields(section) && section.fields.some(name => isWithin(pointer, pointerOf(name.split('.'))));

/**
 * The channels that tell when a section shows other fields: those of each object that a name leads through, as a condition may stand at
 * any of them ("policy.interval" listens to the root and to "policy"). For `useChannel`, a line each.
 */
export const membersChannels = (names: readonly string[]): string => {
  const channels = new Set(['#']);
  for (const name of names) {
    const path = name.split('.');
    for (let depth = 1; depth < path.length; depth += 1) channels.add(`${pointerOf(path.slice(0, depth))}#`);
  }
  return [...channels].join('\n');
};
