// Turns the filter and the search words of a list into conditions in SQL.
import { sql, type RawBuilder } from 'kysely';
import type { FieldError, JsonObject, JsonValue } from '../../../../contract/types.ts';
import { minorDigits, toMinor } from '../../../../domain/money/money.ts';
import { invalid } from '../../context.ts';
import { conditionSql, type Asking } from '../conditions/compile.ts';
import type { Field, EntityMapping } from '../entity-mapping.ts';
import { isAmount, namedCurrencies, comparableBetween, type ComparableAmount, type ComparableBounds } from './currency-comparison.ts';
import { t, translated } from '../../../../domain/text/t.ts';
import { foldedWords } from '../../../../domain/text/fold.ts';

/** What a filter and a search amount to. */
export interface Conditions {
  /** Conditions that an index can answer under row-level security. */
  early: RawBuilder<unknown>[];
  /** The same by field, in the order of the filter. */
  byField: { column: string; isRange: boolean; all: RawBuilder<unknown>[] }[];
  /**
   * Conditions that PostgreSQL does not push below row-level security (LIKE and array overlap are not "leakproof"), so that no index
   * answers them
   * there; `finder` answers them through a function that keeps to the store by itself.
   */
  late: RawBuilder<unknown>[];
  /** Arguments of the table's finder: words anywhere, beginnings of words, and lists that must overlap. */
  finder: { parts: string[]; starts: string[]; overlaps: Record<string, JsonValue[]> };
  /** An amount of the filter by what it is worth; `any` stands among the early ones. */
  worth?: ComparableBounds | undefined;
  /** The only filter is this one on these values of this column (for maintained counts), or there is none at all. */
  onlyOn?: { column: string; values: JsonValue[] };
  isEmpty: boolean;
}

const SQL_TYPE: Record<Field['kind'], string> = {
  text: 'text',
  whole: 'bigint',
  number: 'numeric',
  boolean: 'boolean',
  money: 'bigint',
  epoch: 'timestamptz',
  instant: 'timestamptz',
  date: 'date',
  texts: 'text',
  wholes: 'bigint',
  json: 'jsonb',
};
/** In documents dates stay text (which sorts the same), instants in seconds stay numbers, amounts are decimals. */
const IN_DOCUMENT: Partial<Record<Field['kind'], string>> = { money: 'numeric', epoch: 'bigint', date: 'text' };
export const sqlTypeOf = (field: Field): string => (field.inDocument ? IN_DOCUMENT[field.kind] : undefined) ?? SQL_TYPE[field.kind];
const typeOf = (field: Field): RawBuilder<unknown> => sql.raw(sqlTypeOf(field));

/** One bound of a range, as the column compares it. */
function bound(field: Field, value: JsonValue, currency: string): unknown {
  switch (field.kind) {
    case 'money':
      return field.inDocument ? value : toMinor(value as string, currency);
    case 'epoch':
      return field.inDocument ? value : new Date((value as number) * 1000);
    default:
      return value;
  }
}

function range(field: Field, given: JsonObject, currency: string): RawBuilder<unknown>[] {
  const type = typeOf(field);
  const low = given.from ?? given.min,
    high = given.to ?? given.max;
  const conditions: RawBuilder<unknown>[] = [];
  if (field.kind === 'whole') {
    // Between 1.5 and 3.5 lie the whole numbers 2 and 3.
    if (typeof low === 'number') conditions.push(sql`${field.sql} >= ${Math.ceil(low)}::bigint`);
    if (typeof high === 'number') conditions.push(sql`${field.sql} <= ${Math.floor(high)}::bigint`);
    return conditions;
  }
  if (low !== undefined && low !== null) conditions.push(sql`${field.sql} >= ${bound(field, low, currency)}::${type}`);
  if (high !== undefined && high !== null) {
    // A second on the wire stands for the whole second in the database.
    conditions.push(
      field.kind === 'epoch' && !field.inDocument
        ? sql`${field.sql} < ${bound(field, (high as number) + 1, currency)}::${type}`
        : sql`${field.sql} <= ${bound(field, high, currency)}::${type}`,
    );
  }
  return conditions;
}

/** The currencies that a filter asks for, together by their decimals; where it names none, amounts are meant in the store's currency. */
function currenciesOf(shape: EntityMapping, filter: JsonObject | undefined, own: string): string[][] {
  const named = namedCurrencies(shape, filter);
  const byDigits = new Map<number, string[]>();
  for (const code of named.length ? named : [own]) {
    const digits = minorDigits(code);
    byDigits.set(digits, [...(byDigits.get(digits) ?? []), code]);
  }
  return [...byDigits.values()];
}

/** Amounts within bounds of the store's currency, in rows of any: by what they are worth. */
function byComparableAmount(
  field: Field,
  given: JsonObject,
  own: string,
  comparableAmounts: ComparableAmount[],
): ComparableBounds | undefined {
  const [low, high] = [given.from ?? given.min ?? undefined, given.to ?? given.max ?? undefined].map(one =>
    one === undefined ? undefined : toMinor(one as string, own),
  );
  return low === undefined && high === undefined ? undefined : comparableBetween(field, comparableAmounts, low, high);
}

/** Conditions on an amount kept in minor units, which are of another size where a currency has other decimals. */
function onAmount(currencies: string[][], conditions: (currency: string) => RawBuilder<unknown>[]): RawBuilder<unknown>[] {
  if (currencies.length === 1) return conditions(currencies[0]?.[0] as string);
  return [
    sql`(${sql.join(
      currencies.map(
        codes => sql`(${sql.join([sql`r.currency_code = any(${codes}::text[])`, ...conditions(codes[0] as string)], sql` and `)})`,
      ),
      sql` or `,
    )})`,
  ];
}

function oneOf(field: Field, values: JsonValue[]): RawBuilder<unknown> {
  const known = values.filter(value => value !== null && (field.kind !== 'whole' || Number.isSafeInteger(value)));
  if (known.length === 0 && !values.includes(null)) return sql`false`;
  const isNull = sql`${field.sql} is null`;
  if (known.length === 0) return isNull;
  const type = typeOf(field);
  const among = known.length === 1 ? sql`${field.sql} = ${known[0]}::${type}` : sql`${field.sql} = any(${known}::${type}[])`;
  return !values.includes(null) ? among : sql`(${among} or ${isNull})`;
}

/**
 * The words of a search, at most six, folded: those found anywhere, and those found at the beginning of words. Refuses what has
 * neither letter nor digit, so that no search reads everything.
 */
export function searchWords(q: string): { parts: string[]; starts: string[] } {
  const words = [...new Set(foldedWords(q))].slice(0, 6);
  if (words.length > 0 && !words.some(word => /[\p{L}\p{N}]/u.test(word))) {
    throw invalid([{ pointer: '/q', rule: 'search', message: t`Type at least one letter or digit to search for.` }]);
  }
  // A leading # is how people write a number ("#1042"); it is not part of it.
  const plain = words.map(word => (/^#\d+$/.test(word) ? word.slice(1) : word));
  const begins = plain.filter(word => [...word].length < 3 || isThin(word));
  return { parts: plain.filter(word => !begins.includes(word)), starts: begins };
}

/** What the index takes for letters: everything that is one, or in a database of the locale "C" those of ASCII alone. */
const LETTERS = { all: /[\p{L}\p{N}\p{M}]+/gu, ascii: /[a-z0-9]+/g };

/**
 * Whether the trigrams of a word leave few rows that don't hold it. The index keeps stretches of letters, each with two blanks before it
 * and one behind; the
 * signs between them are not in it. Of "a_b" anywhere it knows only that a word begins with b, which a third of all rows may have; a digit
 * by itself is as common.
 */
function isNarrow(word: string, isStart: boolean, letters: RegExp): boolean {
  return [...word.matchAll(letters)].some(({ 0: run, index }) => {
    // A beginning of letters alone is found without looking at any row too many.
    if (isStart && run.length === word.length) return true;
    if (/^\p{N}$/u.test(run)) return false;
    const isBegun = isStart || index > 0,
      isEnded = index + run.length < word.length;
    return [...run].length + (isEnded ? 1 : 0) > (isBegun ? 1 : 2);
  });
}

/**
 * Words that are looked for at the beginning of words however long they are, because anywhere they lead to much of the store: "a_b", "o'b",
 * "j@gmail.com" (whose end many share).
 */
const isThin = (word: string): boolean =>
  (!isNarrow(word, false, LETTERS.all) || /^\p{L}@/u.test(word)) && isNarrow(word, true, LETTERS.all);

/**
 * Whether the index of the table leads to what is searched for: by a list, by one word that it knows, or by single letters that are all
 * there is.
 * `isC`: the database knows the letters of ASCII alone.
 */
export function isIndexed({ parts, starts, overlaps }: Conditions['finder'], isC: boolean): boolean {
  const letters = isC ? LETTERS.ascii : LETTERS.all;
  const known = [...parts.filter(word => isNarrow(word, false, letters)), ...starts.filter(word => isNarrow(word, true, letters))];
  return Object.keys(overlaps).length > 0 || known.some(word => [...word].length > 1) || known.length === parts.length + starts.length;
}

/** Text as a LIKE pattern takes it literally. */
export const literal = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** Whether a member of a filter is a set of conditions, which `conditionsIn` compiles. */
const isConditionField = (shape: EntityMapping, name: string): boolean => shape.schema.properties?.[name]?.['x-catalogue'] !== undefined;

/** The sets of conditions (schemas/conditions) of a filter, as predicates over the row `r`. */
export async function conditionsIn(context: Asking, shape: EntityMapping, filter: JsonObject | undefined): Promise<RawBuilder<unknown>[]> {
  const sets = Object.entries(filter ?? {}).filter(([name, value]) => value !== null && isConditionField(shape, name));
  const found = await Promise.all(
    sets.map(([name, value]) =>
      conditionSql(context, value as JsonObject, shape.schema.properties?.[name]?.['x-catalogue'] ?? {}, `/filter/${name}`),
    ),
  );
  return found.filter(one => one !== undefined);
}

/** Kinds that hold several values, or anything. */
const LISTS: ReadonlySet<Field['kind']> = new Set(['texts', 'wholes', 'json']);

/**
 * Conditions for a list. `filter` was validated against the filter schema of the entity; `q` is what was typed; `currency` is the store's.
 * With `worths`
 * (`worthsOf`), amounts of a filter that names no currency are bounds of what rows of any currency are worth.
 * @throws Refusal 422 for an amount with too many decimals, or a search without letter and digit
 */
export function conditionsOf(
  shape: EntityMapping,
  filter: JsonObject | undefined,
  q: string | undefined,
  currency: string,
  comparableAmounts?: ComparableAmount[],
): Conditions {
  const byRates = namedCurrencies(shape, filter).length ? undefined : comparableAmounts;
  const conditions: Conditions = { early: [], byField: [], late: [], finder: { parts: [], starts: [], overlaps: {} }, isEmpty: true };
  const errors: FieldError[] = [];
  const entries = Object.entries(filter ?? {}).filter(
    ([name, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0) && !isConditionField(shape, name),
  );
  for (const [name, value] of entries) {
    const field = shape.fields.get(name) ?? nested(shape, name);
    if (!field) {
      errors.push({ pointer: `/filter/${name}`, rule: 'filter', message: t`${translated(shape.titleMany)} can't be filtered by ${name}.` });
      continue;
    }
    conditions.isEmpty = false;
    const before = conditions.early.length;
    try {
      if (value !== null && typeof value === 'object' && !Array.isArray(value)) {
        if (LISTS.has(field.kind))
          errors.push({
            pointer: `/filter/${name}`,
            rule: 'type',
            message: t`${translated(field.schema.title ?? name)} is a list: name one or more values that it should hold.`,
          });
        else if (isAmount(field) && byRates) {
          const worth = byComparableAmount(field, value, currency, byRates);
          if (worth) conditions.early.push(worth.any);
          conditions.worth = worth ?? conditions.worth;
        } else if (isAmount(field))
          conditions.early.push(...onAmount(currenciesOf(shape, filter, currency), code => range(field, value, code)));
        else conditions.early.push(...range(field, value, currency));
      } else {
        const values = Array.isArray(value) ? value : [value];
        if (LISTS.has(field.kind)) {
          if (field.inDocument || field.kind === 'json')
            conditions.early.push(sql`${field.sql} @> any(${values.map(one => JSON.stringify(one))}::jsonb[])`);
          else {
            conditions.late.push(sql`${field.sql} && ${values}::${typeOf(field)}[]`);
            conditions.finder.overlaps[field.column] = values;
          }
        } else if (isAmount(field))
          conditions.early.push(
            ...onAmount(currenciesOf(shape, filter, currency), code => [
              oneOf(
                field,
                values.map(one => bound(field, one, code) as JsonValue),
              ),
            ]),
          );
        else
          conditions.early.push(
            oneOf(
              field,
              field.kind === 'money' || field.kind === 'epoch' ? values.map(one => bound(field, one, currency) as JsonValue) : values,
            ),
          );
        if (entries.length === 1) conditions.onlyOn = { column: field.column, values };
      }
      if (conditions.early.length > before)
        conditions.byField.push({
          column: field.column,
          isRange: typeof value === 'object' && !Array.isArray(value),
          all: conditions.early.slice(before),
        });
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      errors.push({ pointer: `/filter/${name}`, rule: 'format', message: error.message });
    }
  }
  if (errors.length) throw invalid(errors);
  const words = q?.trim() ? searchWords(q) : { parts: [], starts: [] };
  if (words.parts.length + words.starts.length > 0) {
    conditions.isEmpty = false;
    delete conditions.onlyOn;
    conditions.finder = { ...conditions.finder, ...words };
    const text = shape.has('search') && !shape.isDocument ? sql.ref('r.search') : searched(shape);
    if (text) {
      for (const word of words.parts) conditions.late.push(sql`${text} like ${`%${literal(word)}%`}`);
      for (const word of words.starts)
        conditions.late.push(sql`(${text} like ${`${literal(word)}%`} or ${text} like ${`% ${literal(word)}%`})`);
    }
  }
  return conditions;
}

/** Everything that is searched, as one folded text. */
function searched(shape: EntityMapping): RawBuilder<unknown> | undefined {
  const fields = (shape.hints.search ?? []).map(name => shape.fields.get(name)).filter(field => field !== undefined);
  return fields.length ? sql`folded(concat_ws(' ', ${sql.join(fields.map(field => field.sql))}))` : undefined;
}

/** Rows whose column `search` holds each word that was typed, wherever; all rows while nothing was typed. */
export const holdingWords = (column: RawBuilder<unknown>, typed: string): RawBuilder<unknown> =>
  sql.join([sql`true`, ...foldedWords(typed).map(word => sql`${column} like ${`%${literal(word)}%`}`)], sql` and `);

/** A member of a member of a document, compared as text: "discount.type". */
function nested(shape: EntityMapping, name: string): Field | undefined {
  if (!shape.isDocument || !name.includes('.') || !shape.hints.filter?.includes(name)) return undefined;
  const path = name.split('.');
  return {
    name,
    schema: {},
    kind: 'text',
    column: path[0] as string,
    sql: sql`(r.data #>> ${path}::text[])`,
    nullable: true,
    inDocument: true,
  };
}
