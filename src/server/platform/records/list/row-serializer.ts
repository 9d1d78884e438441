// What a list reads of each row, and how the row is written as a record of the wire: the text that JSON.stringify makes of `toRecord`.
import { sql, type RawBuilder } from 'kysely';
import type { JsonObject } from '../../../../contract/types.ts';
import { toDecimal } from '../../../../domain/money/money.ts';
import { quoteName } from '../../db/engine.ts';
import type { JsonRow } from '../../db/json-rows.ts';
import { digits } from '../../db/type-parsers.ts';
import { kindOf, type Field, type EntityMapping } from '../entity-mapping.ts';

/** What stands first in every row: that of which a cursor to it is made. */
export const SORT_VALUE = 0;
export const KEY_VALUE = 1;
const FIRST = 2;

/**
 * A member of the record: its name, what is written before its value, where the value is in the row, and how it is written where the wire
 * has it otherwise than the database.
 */
interface Member {
  name: string;
  head: string;
  at: number;
  write?: Write | undefined;
}
type Write = (json: string, currency: string) => string;
const headOf = (name: string, isFirst = false): string => `${isFirst ? '{' : ','}${JSON.stringify(name)}:`;

export interface Reading {
  /** What is selected behind the cursor, and how many columns that are. */
  columns: RawBuilder<unknown>;
  width: number;
  members: readonly Member[];
  /** Where the currency of the row's amounts is; undefined: they are in the store's. */
  currencyAt: number | undefined;
  /** Where the document is, and the members that are taken out of it. */
  document: { at: number; members: readonly { name: string; head: string }[] } | undefined;
}

/** The second of an instant in JSON ("2026-11-22T14:39:24.123Z" with its quotes), several times faster than `Date.parse`. */
function secondOf(json: string): number {
  const year = digits(json, 1) * 100 + digits(json, 3);
  // Years of more digits make it longer; those below 100 would be taken for those of the last century.
  if (json.length !== 26 || year < 100) return Math.floor(Date.parse(json.slice(1, -1)) / 1000);
  return Date.UTC(year, digits(json, 6) - 1, digits(json, 9), digits(json, 12), digits(json, 15), digits(json, 18)) / 1000;
}

const WRITE: Partial<Record<Field['kind'], Write>> = {
  money: (json, currency) => `"${toDecimal(Number(JSON.parse(json)), currency)}"`,
  // Instants come as texts; seconds stay seconds.
  epoch: json => (json.startsWith('"') ? String(secondOf(json)) : json),
  number: json => JSON.stringify(Number(JSON.parse(json))),
};

const known = new WeakMap<EntityMapping, Reading>();

/**
 * What is read of each row: what lists of the entity carry (`x-record.listFields`), else all but JSON columns of
 * tables; or the fields that `only` lets through.
 * @param extra further members in SQL over the row `r`, by their names
 */
export function readingOf(
  shape: EntityMapping,
  only?: (field: Field) => boolean,
  extra: Record<string, RawBuilder<unknown>> = {},
): Reading {
  let reading = only ? undefined : known.get(shape);
  if (!reading) {
    const { listFields: row } = shape.hints;
    reading = readingOfFields(
      shape,
      shape.all.filter(only ?? (field => (row ? row.includes(field.name) : shape.isDocument || field.kind !== 'json'))),
    );
    if (!only) known.set(shape, reading);
  }
  const { columns, width, members } = reading;
  const more = Object.entries(extra);
  return more.length === 0
    ? reading
    : {
        ...reading,
        width: width + more.length,
        columns: sql.join([columns, ...more.map(([name, value]) => sql`${value} as ${sql.ref(`extra_${name}`)}`)]),
        members: [
          ...members,
          ...more.map(([name], i) => ({
            name,
            head: headOf(name),
            at: FIRST + width + i,
            write: WRITE[kindOf(shape.schema.properties?.[name] ?? {})],
          })),
        ],
      };
}

function readingOfFields(shape: EntityMapping, fields: readonly Field[]): Reading {
  const inColumns = fields.filter(field => !field.inDocument);
  const members: { name: string; column: string; write?: Write | undefined }[] = inColumns.map(({ name, column, kind }) => ({
    name,
    column,
    write: WRITE[kind],
  }));
  const also = (name: string, column: string): void => {
    if (!members.some(member => member.name === name)) members.push({ name, column });
  };
  if (!shape.key.inDocument) also(shape.key.name, shape.key.column);
  if (shape.isDocument || shape.has('version')) also('version', 'version');
  const names = [
    ...new Set([
      ...members.map(member => member.column),
      ...(shape.has('currency_code') ? ['currency_code'] : []),
      ...(shape.isDocument ? ['data'] : []),
    ]),
  ];
  const at = (column: string): number => FIRST + names.indexOf(column);
  return {
    columns: sql.raw(names.map(name => `r.${quoteName(name)}`).join(', ')),
    width: names.length,
    members: members.map(({ name, column, write }, i) => ({ name, head: headOf(name, i === 0), at: at(column), write })),
    currencyAt: shape.has('currency_code') ? at('currency_code') : undefined,
    document: shape.isDocument
      ? { at: at('data'), members: fields.filter(field => field.inDocument).map(({ name }) => ({ name, head: headOf(name) })) }
      : undefined,
  };
}

function currencyOf({ currencyAt }: Reading, row: JsonRow, storeCurrency: string): string {
  const own = currencyAt === undefined ? null : row[currencyAt];
  return typeof own === 'string' ? (JSON.parse(own) as string) : storeCurrency;
}

const valueOf = ({ at, write }: Member, row: JsonRow, currency: string): string => {
  const json = row[at] ?? 'null';
  return write === undefined || json === 'null' ? json : write(json, currency);
};

/** Gives the values of single fields of a row in JSON, for callers that make no record of it; found once for all rows of this reading. */
export function valuesOf(reading: Reading, names: readonly string[]): (row: JsonRow, storeCurrency: string) => string[] {
  const found = names.map(name => ({ name, member: reading.members.find(one => one.name === name) }));
  return (row, storeCurrency) => {
    const currency = currencyOf(reading, row, storeCurrency);
    const data = reading.document && (JSON.parse(row[reading.document.at] ?? '{}') as JsonObject);
    return found.map(({ name, member }) => (member ? valueOf(member, row, currency) : JSON.stringify(data?.[name] ?? null)));
  };
}

/** A row as a record in JSON. */
export function recordText(reading: Reading, row: JsonRow, storeCurrency: string): string {
  const { members, document } = reading;
  const currency = currencyOf(reading, row, storeCurrency);
  let text = '';
  for (const member of members) {
    text += member.head;
    text += valueOf(member, row, currency);
  }
  if (document) {
    const data = JSON.parse(row[document.at] ?? '{}') as JsonObject;
    for (const { name, head } of document.members) if (data[name] !== undefined) text += head + JSON.stringify(data[name]);
  }
  return `${text}}`;
}
