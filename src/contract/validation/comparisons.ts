// Fields that are validated by the field beside them: a maximum above a minimum, a product other than the one it replaces.
import type { JsonValue, Schema } from '../types.ts';
import { pointer, same } from '../paths.ts';
import type { AjvError } from './sentences.ts';

const known = new WeakMap<Schema, boolean>();
/** Whether a schema compares fields anywhere; most do not, and cost nothing then. */
function compares(schema: Schema): boolean {
  let found = known.get(schema);
  if (found === undefined) {
    known.set(schema, false);
    found =
      Object.values(schema.properties ?? {}).some(
        field => field['x-above'] !== undefined || field['x-unlike'] !== undefined || compares(field),
      ) ||
      (schema.items !== undefined && compares(schema.items));
    known.set(schema, found);
  }
  return found;
}

/** Failures of `x-above` and `x-unlike`, as a validator would tell them. What is absent is compared with nothing. */
export function comparisons(schema: Schema, data: unknown, at: readonly string[] = []): AjvError[] {
  if (!compares(schema) || data === null || typeof data !== 'object') return [];
  if (Array.isArray(data))
    return schema.items ? data.flatMap((item, i) => comparisons(schema.items as Schema, item, [...at, String(i)])) : [];
  const values = data as Record<string, JsonValue | undefined>;
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]): AjvError[] => {
    const value = values[name];
    const fail = (keyword: 'x-above' | 'x-unlike', sibling: string): AjvError => ({
      keyword,
      instancePath: pointer([...at, name]),
      schemaPath: '',
      params: { sibling: schema.properties?.[sibling]?.title ?? sibling },
    });
    const { 'x-above': above, 'x-unlike': unlike } = field;
    return [
      ...(above !== undefined && isBelow(value, values[above]) ? [fail('x-above', above)] : []),
      ...(unlike !== undefined && isAmong(value, values[unlike]) ? [fail('x-unlike', unlike)] : []),
      ...comparisons(field, value, [...at, name]),
    ];
  });
}

const isBelow = (value: JsonValue | undefined, bound: JsonValue | undefined): boolean =>
  typeof value === 'number' && typeof bound === 'number' && value <= bound;
/** Of a list of several, those that are the value may stay as they are: only where nothing else is left does it say nothing. */
const isAmong = (value: JsonValue | undefined, other: JsonValue | undefined): boolean =>
  value !== undefined &&
  value !== null &&
  other !== undefined &&
  (Array.isArray(other) ? other.length > 0 && other.every(one => same(one, value)) : same(other, value));
