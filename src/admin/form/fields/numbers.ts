// What numeric fields take from a text, by their schema.
import { clamp } from '../../../domain/money/numbers.ts';
import { readDecimal } from '../../../domain/text/typed-number.ts';
import type { Schema } from '../../../contract/types.ts';

/**
 * What a numeric field takes from a text, as a decimal string: nothing from one that is empty or no number (D098, D099); the amount alone
 * of a negative one, unless the schema goes below 0 (D100). A number outside its bounds is taken: the schema's rule says which they are
 * (D101). `units` may stand beside the number.
 */
export function plainOf(text: string, schema: Schema, units: readonly string[] = []): string | undefined {
  const plain = readDecimal(text, units);
  const bounds = [schema.minimum, schema.exclusiveMinimum, schema.formatMinimum];
  const isBelowZero = bounds.some(bound => bound !== undefined && Number(bound) < 0);
  return plain?.startsWith('-') && !isBelowZero ? plain.slice(1) : plain;
}

/** The same as a number. */
export function numberOf(text: string, schema: Schema, units: readonly string[] = []): number | undefined {
  const plain = plainOf(text, schema, units);
  return plain !== undefined && Number.isFinite(Number(plain)) ? Number(plain) : undefined;
}

/** The smallest and largest a schema allows, for arrow keys and steppers. */
export function limitsOf(schema: Schema): { min: number; max: number; step: number } {
  const step = schema.multipleOf ?? 1;
  return {
    step,
    min: schema.minimum ?? (schema.exclusiveMinimum === undefined ? -Infinity : schema.exclusiveMinimum + step),
    max: schema.maximum ?? (schema.exclusiveMaximum === undefined ? Infinity : schema.exclusiveMaximum - step),
  };
}

/** One step up or down from a value, inside the limits and without the dust of binary fractions. */
export function stepFrom(value: number | undefined, by: number, schema: Schema): number {
  const { min, max, step } = limitsOf(schema);
  const next = value === undefined ? (Number.isFinite(min) ? min : 0) : Math.round((value + by * step) / step) * step;
  return clamp(Number(next.toFixed(8)), min, max);
}
