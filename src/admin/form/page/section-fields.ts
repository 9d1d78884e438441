// Which fields stand in a section of a form.
import type { FieldsSection, Section } from '../../../contract/types.ts';
import { isWithin, pointerOf } from '../engine/path.ts';

export const isFields = (section: Section): section is FieldsSection => 'fields' in section;

/** Whether a place stands in a section: it is one of its fields, or something inside one. */
export const standsIn = (section: Section, pointer: string): boolean =>
  isFields(section) && section.fields.some(name => isWithin(pointer, pointerOf(name.split('.'))));
