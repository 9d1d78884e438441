// Bounds of a field that depend on another one, such as a discount that is a percentage or an amount (`x-limits`).
import type { FieldError, JsonObject, JsonValue, Limit, Schema } from '../types.ts';
import { holds } from './condition.ts';
import { pointer } from '../paths.ts';

const limited = new WeakMap<Schema, boolean>();
/** Whether any field of the schema has such bounds; remembered, because most schemas have none. */
function hasLimits(schema: Schema): boolean {
  const known = limited.get(schema);
  if (known !== undefined) return known;
  const inner = [
    ...Object.values(schema.properties ?? {}),
    ...(schema.items ? [schema.items] : []),
    ...(typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : []),
    ...(schema.anyOf ?? []),
  ];
  const found = schema['x-limits'] !== undefined || inner.some(hasLimits);
  limited.set(schema, found);
  return found;
}

/** Whether a number is a whole count of steps, without the dust of binary fractions. */
const isStep = (n: number, step: number): boolean => Math.abs(n / step - Math.round(n / step)) < 1e-9;

/** The bound that a number lies beyond: the name of its keyword. What is no number is left to the other rules. */
function beyond(limit: Limit, value: JsonValue | undefined): 'minimum' | 'exclusiveMinimum' | 'maximum' | 'multipleOf' | undefined {
  const n = typeof value === 'number' ? value : typeof value === 'string' && value.trim() !== '' ? Number(value) : NaN;
  if (Number.isNaN(n)) return undefined;
  if (limit.minimum !== undefined && n < limit.minimum) return 'minimum';
  if (limit.exclusiveMinimum !== undefined && n <= limit.exclusiveMinimum) return 'exclusiveMinimum';
  if (limit.maximum !== undefined && n > limit.maximum) return 'maximum';
  return limit.multipleOf !== undefined && !isStep(n, limit.multipleOf) ? 'multipleOf' : undefined;
}

/**
 * The fields of the data (without what is hidden) that lie beyond a bound whose condition holds, each with the sentence of that bound.
 * Numbers and decimal strings are compared alike; what is empty is within all bounds.
 */
export function overLimits(schema: Schema, data: unknown, facts: Record<string, JsonValue> = {}): FieldError[] {
  const found: FieldError[] = [];
  const visit = (node: Schema, value: JsonValue | undefined, here: string, siblings: unknown): void => {
    if (value === undefined || value === null || !hasLimits(node)) return;
    for (const limit of node['x-limits'] ?? []) {
      const rule = beyond(limit, value);
      if (!rule || !holds(limit.when, { siblings, root: data, facts })) continue;
      found.push({ pointer: here, rule, message: limit.message });
      break;
    }
    for (const branch of node.anyOf ?? []) visit(branch, value, here, siblings);
    if (Array.isArray(value)) {
      if (node.items) for (const [i, item] of value.entries()) visit(node.items, item, `${here}/${i}`, undefined);
      return;
    }
    if (typeof value !== 'object') return;
    const object: JsonObject = value;
    for (const [name, member] of Object.entries(object)) {
      const field = node.properties?.[name] ?? (typeof node.additionalProperties === 'object' ? node.additionalProperties : undefined);
      if (field) visit(field, member, here + pointer([name]), object);
    }
  };
  visit(schema, data as JsonValue, '', undefined);
  return found;
}
