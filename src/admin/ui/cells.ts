// The looks of values in lists and records, found by name in renderers/cells. They are on the way to
// the first row, so they come with the app.
import type { ComponentType } from 'react';
import { optionsOf } from '../../contract/paths.ts';
import type { JsonObject, JsonValue, Schema } from '../../contract/types.ts';

/** What a cell gets. `record` is the whole row, for cells that show two fields (a customer's name and e-mail). */
export interface CellProps {
  value: JsonValue | undefined;
  record: JsonObject;
  schema?: Schema | undefined;
  options: JsonObject;
}
export type Cell = ComponentType<CellProps>;
/** What a cell file may export besides its look. */
export interface CellHints {
  /** How wide its column is, whether it grows, whether its values stand at the right. */
  width: number;
  flexible: boolean;
  end: boolean;
  /** The text of a value that must never be cut: its column takes the width of the longest. */
  whole?: (value: JsonValue | undefined, record: JsonObject, options: JsonObject) => string;
  /** Fields of the row that it shows besides its own; an export has them too. */
  also?: (options: JsonObject) => string[];
}
interface CellModule {
  default: Cell;
  looks?: Partial<CellHints>;
}

const modules = import.meta.glob<CellModule>('/renderers/cells/*.tsx', { eager: true });
const cells = new Map(Object.entries(modules).map(([file, module]) => [file.replace(/^.*\/|\.tsx$/g, ''), module]));
const found = (name: string): CellModule | undefined => cells.get(name) ?? cells.get('text');

export function cellFor(name: string): Cell {
  const module = found(name);
  if (!module) throw new Error(`There is no renderers/cells/${name}.tsx.`);
  return module.default;
}
export const looksOf = (name: string): CellHints => ({ width: 160, flexible: false, end: false, ...found(name)?.looks });

/** The cell of a field: the name given, else the schema's own, else the one for its options, its format, its type. */
export function cellNameOf(schema: Schema | undefined, given?: string): string {
  const wanted = given ?? schema?.['x-ui']?.cell;
  if (wanted && cells.has(wanted)) return wanted;
  if (!schema) return 'text';
  const types = [schema.type ?? []].flat();
  if (types.includes('array')) return optionsOf(schema).length || schema.items?.type === 'string' ? 'tags' : 'text';
  const options = optionsOf(schema);
  if (options.length) return options.some(option => option.tone) ? 'badge' : 'option';
  if (schema.format === 'money') return 'money';
  if (schema.format === 'epoch' || schema.format === 'date-time' || schema.format === 'date') return 'date';
  if (schema.format === 'email') return 'email';
  if (types.includes('boolean')) return 'boolean';
  if (types.includes('integer') && schema['x-ui']?.of !== undefined) return 'record';
  if (types.includes('integer') || types.includes('number')) return 'number';
  return 'text';
}
