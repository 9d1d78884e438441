// Numbers as people type them, and back.
import { clamp } from '../../../domain/money/numbers.ts';
import type { Schema } from '../../../contract/types.ts';

/**
 * Reads a typed number: "1,250.5", "1.250,5", "1 250" and "12,5" are understood. Undefined when it is none.
 * A single comma followed by exactly three digits separates thousands, any other decimals.
 */
export function readNumber(text: string): number | undefined {
  const plain = plainNumber(text);
  if (plain === undefined) return undefined;
  const value = Number(plain);
  return Number.isFinite(value) ? value : undefined;
}

/** The same as a decimal string with a point, so that no digit is lost. */
export function plainNumber(text: string): string | undefined {
  let plain = text.replace(/[\s\u00a0\u202f'’_]/g, '').replace(/[−–]/g, '-');
  const [comma, point] = [plain.lastIndexOf(','), plain.lastIndexOf('.')];
  if (comma >= 0 && point >= 0) plain = comma > point ? plain.replace(/\./g, '').replace(',', '.') : plain.replace(/,/g, '');
  else if (comma >= 0) plain = /^-?\d{1,3}(,\d{3})+$/.test(plain) ? plain.replace(/,/g, '') : plain.replace(',', '.');
  return /^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(plain)
    ? plain
        .replace(/^\+/, '')
        .replace(/\.$/, '')
        .replace(/^(-?)\./, '$10.')
    : undefined;
}

/**
 * What a numeric field takes from a text, as a decimal string: nothing from one that is empty or no number (D098, D099); the amount alone
 * of a
 * negative one, unless the schema goes below 0 (D100). A number outside its bounds is taken: the schema's rule says which they are (D101).
 */
export function plainOf(text: string, schema: Schema): string | undefined {
  const plain = plainNumber(text);
  const bounds = [schema.minimum, schema.exclusiveMinimum, schema.formatMinimum];
  const isBelowZero = bounds.some(bound => bound !== undefined && Number(bound) < 0);
  return plain?.startsWith('-') && !isBelowZero ? plain.slice(1) : plain;
}

/** The same as a number. */
export function numberOf(text: string, schema: Schema): number | undefined {
  const plain = plainOf(text, schema);
  return plain === undefined ? undefined : readNumber(plain);
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
