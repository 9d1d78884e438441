// Which renderer draws a field: the check tells names that do not exist.
import { optionsOf } from '../contract/paths.ts';
import type { Schema } from '../contract/types.ts';

const typeOf = (schema: Schema): string | undefined =>
  [schema.anyOf ? schema.anyOf.map(branch => branch.type).find(type => type !== 'null') : schema.type]
    .flat()
    .filter(type => type !== 'null')[0];

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
