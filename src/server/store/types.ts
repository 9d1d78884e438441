// How values of the database become JavaScript values; one list for both engines.
import { types, type CustomTypesConfig } from 'pg';

/** int8 as a number. Our ids and money stay below 2^53; anything above would be silently wrong, so it is an error. */
const int8 = (text: string): number => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is too large for a number; select it as text.`);
  return value;
};

const asText = (text: string): string => text;
/** `timestamp` without a zone is read as UTC; we store instants as timestamptz. */
const timestamp = (text: string): Date => new Date(`${text.replace(' ', 'T')}Z`);

type Parser = (text: string) => unknown;
/** Parses a PostgreSQL array literal with the parser of its elements. */
const list = (parse: Parser): Parser => {
  const strings = types.getTypeParser(1009 as number) as unknown as (text: string) => unknown[];
  const each = (item: unknown): unknown => (Array.isArray(item) ? item.map(each) : item === null ? null : parse(item as string));
  return (text) => strings(text).map(each);
};

const parsers = new Map<number, Parser>([
  [20, int8], [1016, list(int8)],
  [1700, asText], [1231, list(asText)],
  [1082, asText], [1182, list(asText)],
  [1083, asText], [1266, asText],
  [1186, asText], [1187, list(asText)],
  [1114, timestamp], [1115, list(timestamp)],
]);

/**
 * The `types` option of a pg client: int8 number (or RangeError above 2^53), numeric, date, time and interval text,
 * timestamptz Date, json and jsonb parsed, bytea Buffer, arrays likewise.
 */
export const typeParsers: CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers.get(oid)) || types.getTypeParser(oid, format as 'text')) as CustomTypesConfig['getTypeParser'],
};
