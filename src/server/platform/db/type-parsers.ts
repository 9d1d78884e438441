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

const usualInstant = types.getTypeParser(1184 as number) as (text: string) => Date;
/** The two digits at a place of a text, as a number. */
export const digits = (text: string, at: number): number => text.charCodeAt(at) * 10 + text.charCodeAt(at + 1) - 528;
/** "2026-11-22 14:39:24.123456+00", as connections in UTC write instants; whatever looks otherwise is left to the driver's parser. */
const instant = (text: string): Date => {
  if (text.charCodeAt(4) !== 45 || text.charCodeAt(10) !== 32 || !text.endsWith('+00')) return usualInstant(text);
  const year = digits(text, 0) * 100 + digits(text, 2);
  // Years below 100 would be taken for those of the last century.
  if (year < 100) return usualInstant(text);
  const fraction = text.length > 22 ? Math.floor(Number(text.slice(19, -3)) * 1000) : 0;
  return new Date(Date.UTC(year, digits(text, 5) - 1, digits(text, 8), digits(text, 11), digits(text, 14), digits(text, 17), fraction));
};

type Parser = (text: string) => unknown;
/** Parses a PostgreSQL array literal with the parser of its elements. */
const list = (parse: Parser): Parser => {
  const strings = types.getTypeParser(1009 as number) as (text: string) => unknown[];
  const each = (item: unknown): unknown => (Array.isArray(item) ? item.map(each) : item === null ? null : parse(item as string));
  return text => strings(text).map(each);
};

const parsers = new Map<number, Parser>([
  [20, int8],
  [1016, list(int8)],
  [1700, asText],
  [1231, list(asText)],
  [1082, asText],
  [1182, list(asText)],
  [1083, asText],
  [1266, asText],
  [1186, asText],
  [1187, list(asText)],
  [1114, timestamp],
  [1115, list(timestamp)],
  [1184, instant],
]);

/**
 * The `types` option of a pg client: int8 number (or RangeError above 2^53), numeric, date, time and interval text,
 * timestamptz Date, json and jsonb parsed, bytea Buffer, arrays likewise.
 */
export const typeParsers: CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers.get(oid)) || types.getTypeParser(oid, format as 'text')) as CustomTypesConfig['getTypeParser'],
};
