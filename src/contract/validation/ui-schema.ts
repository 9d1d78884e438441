// Lifts the hints inside a schema (x-ui) into the parallel tree that the form library reads. One walk, no branches to chase.
import type { JsonObject, Schema } from '../types.ts';
import { optionsOf } from '../paths.ts';

/** The form library's tree: "ui:widget" and friends, then one entry per property, and `items`. */
export type UiSchema = { [key: string]: unknown };

/** What is handed to a widget as its options besides those the schema gives. */
export interface LiftedOptions {
  unit?: string;
  width?: string;
  of?: string;
  help?: string;
  [option: string]: unknown;
}

/**
 * The uiSchema of a schema. Every field gets `ui:options` with its x-ui options, unit, width and reference; `ui:placeholder` and `ui:help`;
 * and the renderer named in x-ui.widget: as `ui:widget` for values and lists of options, as `ui:field` for objects and other lists.
 */
export function uiSchemaOf(schema: Schema): UiSchema {
  const hints = schema['x-ui'] ?? {};
  const options: LiftedOptions = { ...(hints.options as JsonObject | undefined) };
  if (hints.unit) options.unit = hints.unit;
  if (hints.width) options.width = hints.width;
  if (hints.of) options.of = hints.of;
  const ui: UiSchema = {};
  if (Object.keys(options).length) ui['ui:options'] = options;
  if (hints.placeholder) ui['ui:placeholder'] = hints.placeholder;
  if (hints.help) ui['ui:help'] = hints.help;
  if (schema.readOnly) ui['ui:readonly'] = true;
  if (hints.widget) ui[drawsWhole(schema) ? 'ui:field' : 'ui:widget'] = hints.widget;
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const inner = uiSchemaOf(field);
    if (Object.keys(inner).length) ui[name] = inner;
  }
  if (schema.items) {
    const inner = uiSchemaOf(schema.items);
    if (Object.keys(inner).length) ui.items = inner;
  }
  if (typeof schema.additionalProperties === 'object') {
    const inner = uiSchemaOf(schema.additionalProperties);
    if (Object.keys(inner).length) ui.additionalProperties = inner;
  }
  return ui;
}

const typeOf = (schema: Schema): string | undefined =>
  [schema.anyOf ? schema.anyOf.map(branch => branch.type).find(type => type !== 'null') : schema.type]
    .flat()
    .filter(type => type !== 'null')[0];
/** Whether the named renderer stands for a whole object or list (the library's "field") and not for one value (its "widget"). */
export function drawsWhole(schema: Schema): boolean {
  const type = typeOf(schema);
  return type === 'object' || (type === 'array' && !(schema.uniqueItems && optionsOf(schema).length > 0));
}

/**
 * The renderer of a field: the one named, else the one for the format, else for options, else for the type;
 * undefined when there is none of that name.
 */
export function rendererFor(schema: Schema, kind: 'fields' | 'cells', names: { has(name: string): boolean }): string | undefined {
  const named = kind === 'fields' ? schema['x-ui']?.widget : schema['x-ui']?.cell;
  if (named) return named;
  const candidates = [
    schema.format,
    optionsOf(schema).length ? (typeOf(schema) === 'array' ? 'options-list' : 'options') : undefined,
    typeOf(schema),
  ];
  return candidates.find((name): name is string => name !== undefined && names.has(name));
}
