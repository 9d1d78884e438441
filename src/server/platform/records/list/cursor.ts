// The place in a list where a page ends: the values of the sort field and the key of its last row, packed into a link.
import { invalid } from '../../context.ts';
import type { Field } from '../entity-mapping.ts';
import { t } from '../../../../domain/text/t.ts';

export interface Cursor {
  /** The sort field's value as the database writes it (with its last digit); null: rows without a value come last. */
  value: string | null;
  key: string;
}

/** Packs a cursor together with the order it belongs to. */
export const packCursor = (sort: string, descending: boolean, cursor: Cursor): string =>
  Buffer.from(JSON.stringify([sort, descending ? 1 : 0, cursor.value, cursor.key])).toString('base64url');

const PATTERNS: Partial<Record<Field['kind'], RegExp>> = {
  whole: /^-?\d{1,18}$/,
  money: /^-?\d{1,18}(\.\d{1,6})?$/,
  number: /^-?\d{1,18}(\.\d{1,18})?$/,
  boolean: /^(true|false)$/,
  epoch: /^(-?\d{1,15}|\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?[+-]\d\d(:\d\d)?)$/,
  instant: /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?[+-]\d\d(:\d\d)?$/,
  date: /^\d{4}-\d\d-\d\d$/,
};

const fits = (field: Field, text: unknown): boolean =>
  typeof text === 'string' && text.length <= 1000 && !text.includes('\0') && (PATTERNS[field.kind]?.test(text) ?? true);

/** Unpacks a cursor. Throws a Refusal naming `param` when it is damaged or belongs to another order of the list. */
export function unpackCursor(text: string, sort: Field, descending: boolean, key: Field, param: string): Cursor {
  const refuse = (message: string): never => {
    throw invalid([{ pointer: `/${param}`, rule: 'cursor', message }]);
  };
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
  } catch {
    parts = null;
  }
  if (!Array.isArray(parts) || parts.length !== 4) return refuse(t`This page link is damaged. Go back to the first page.`);
  const [name, direction, value, id] = parts as unknown[];
  if (name !== sort.name || direction !== (descending ? 1 : 0))
    return refuse(t`This page link belongs to another order of the list. Go back to the first page.`);
  if ((value !== null && !fits(sort, value)) || !fits(key, id)) return refuse(t`This page link is damaged. Go back to the first page.`);
  return { value: value as string | null, key: id as string };
}
