// What screens share: the fields that their texts and paths name.
import { placeholders, resourceFor } from '../contract/find.ts';
import { fieldOf } from '../contract/paths.ts';
import type { Action, Resource, Schema, Section, With } from '../contract/types.ts';
import { type CheckContext, known, isObject } from './context.ts';

export interface Screen {
  context: CheckContext;
  file: string;
  resource: Resource;
  entity: Schema | undefined;
  brackets: string[];
}

/** A field that a screen names must be one of the entity. */
export function fieldName(here: Screen, at: string, name: string | undefined, entity: Schema | undefined, what = 'field'): void {
  if (name === undefined || !entity || fieldOf(entity, name)) return;
  here.context.report({
    file: here.file,
    pointer: at,
    message: `There is no ${what} "${name}" in ${entity.title ?? 'this entity'}.`,
    wanted: name,
    among: Object.keys(entity.properties ?? {}),
  });
}

/** An action that stands in a section (`place`, `group`) names one that the page has; else its button would be nowhere. */
export function sectionOfAction(context: CheckContext, file: string, at: string, action: Action, sections: readonly Section[]): void {
  // Without a group a panel draws it where it belongs.
  if (action.place !== 'section' || action.group === undefined) return;
  const ids = sections.flatMap(section => section.id ?? []);
  known(context, file, `${at}/group`, action.group, ids, id => `No section of this page has the id "${id}", so the button is nowhere.`);
}

/** Placeholders in a text or in `with`: fields of the record, of the row, facts, brackets. */
export function templates(here: Screen, at: string, value: With[string] | undefined, entity: Schema | undefined, row?: Schema): void {
  if (value === undefined) return;
  const facts = Object.keys(here.context.definitions.facts);
  for (const name of placeholders(value)) {
    if (name.startsWith('@'))
      known(here.context, here.file, at, name.slice(1), facts, fact => `There is no fact "@${fact}" in schemas/common/session.json.`);
    else if (name.startsWith(':'))
      known(here.context, here.file, at, name.slice(1), here.brackets, one => `The route of this screen has no bracket [${one}].`);
    else if (name.startsWith('row.')) fieldName(here, at, name.slice(4), row ?? entity);
    else fieldName(here, at, name.replace(/^\//, '').replace(/\//g, '.'), entity);
  }
}

/** Whether what stands at a place of the screen's file is an object, and not the short form. */
export function isObjectAt(here: Screen, at: string): boolean {
  let value: unknown = here.context.documents[here.file];
  for (const part of at.split('/').slice(1))
    value = value !== null && typeof value === 'object' ? (value as Record<string, unknown>)[part] : undefined;
  return isObject(value);
}

/** An address of our own must lead to a screen. */
export function path(here: Screen, at: string, to: string): void {
  const tried = to.replace(/\{[^{}]+\}/g, '1');
  if (!resourceFor(here.context.definitions, tried))
    here.context.report({
      file: here.file,
      pointer: at,
      message: `No screen answers to ${to}.`,
      wanted: to.replace(/^\//, '').replace(/\{(\w+)\}/g, '[$1]'),
      among: Object.keys(here.context.definitions.resources),
    });
}
