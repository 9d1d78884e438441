// Whether one subscription meets a set of conditions. The compiler to SQL (records/conditions/compile.ts) says the same of many; a
// property test holds both equal.
import type { FactValue } from './facts.ts';

export const OPERATORS = [
  'EQ',
  'GT',
  'GTE',
  'LT',
  'LTE',
  'BETWEEN',
  'EVERY_NTH',
  'IN',
  'NOT_IN',
  'CONTAINS',
  'PRESENT',
  'NOT_PRESENT',
  'ANY_OF',
  'ALL_OF',
  'NONE_OF',
  'ONLY',
] as const;
export type Operator = (typeof OPERATORS)[number];
/** Numbers are whole; amounts are minor units of the store's currency. */
export type Operand = number | string | readonly (number | string)[];
/** A row whose value is in the units of its fact. */
export interface Asked {
  fact: string;
  operator: Operator;
  value: Operand;
}
export interface AskedSet {
  match: 'ALL' | 'ANY';
  rows: readonly Asked[];
}

const list = (value: FactValue | Operand | undefined): readonly (number | string)[] =>
  Array.isArray(value) ? (value as readonly (number | string)[]) : value === null || value === undefined ? [] : [value as number | string];

/** Whether a fact meets one condition. What is not known (null) meets only what says "none of". */
export function meets(fact: FactValue | undefined, { operator, value }: Pick<Asked, 'operator' | 'value'>): boolean {
  const held = list(fact);
  const given = list(value);
  const [a = Number.NaN, b = Number.NaN] = given.map(Number);
  const n = typeof fact === 'number' ? fact : Number.NaN;
  switch (operator) {
    case 'EQ':
      return n === a;
    case 'GT':
      return n > a;
    case 'GTE':
      return n >= a;
    case 'LT':
      return n < a;
    case 'LTE':
      return n <= a;
    case 'BETWEEN':
      return n >= a && n <= b;
    case 'EVERY_NTH':
      return n > 0 && n % a === 0;
    case 'CONTAINS':
      return typeof fact === 'string' && given.some(part => fact.includes(String(part)));
    case 'IN':
    case 'PRESENT':
    case 'ANY_OF':
      return held.some(one => given.includes(one));
    case 'NOT_IN':
    case 'NOT_PRESENT':
    case 'NONE_OF':
      return !held.some(one => given.includes(one));
    case 'ALL_OF':
      return given.every(one => held.includes(one));
    case 'ONLY':
      return held.length > 0 && held.every(one => given.includes(one));
  }
}

/** Whether facts meet a set; an empty one is met by every subscription. */
export function meetsAll(facts: Readonly<Record<string, FactValue>>, { match, rows }: AskedSet): boolean {
  if (rows.length === 0) return true;
  return match === 'ANY' ? rows.some(row => meets(facts[row.fact], row)) : rows.every(row => meets(facts[row.fact], row));
}
