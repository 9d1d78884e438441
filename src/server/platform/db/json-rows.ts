// Rows as JSON: what is only passed on is written as the wire has it right away, without being parsed into values and objects first.
import { sql, type RawBuilder } from 'kysely';
import type { CustomTypesConfig } from 'pg';
import { typeParsers } from './type-parsers.ts';

/**
 * A row in the order of its columns, each value as JSON.stringify writes what the port gives otherwise; null where the database holds none.
 */
export type JsonRow = readonly (string | null)[];

const mark = sql.raw('/* json */');
/** Marks a statement whose rows are wanted as JSON. A statement that is prepared as well is marked as such around it. */
export const inJson = (statement: RawBuilder<unknown>): RawBuilder<JsonRow> => sql<JsonRow>`${mark} ${statement}`;
/** Whether a statement bears the mark. */
export const isInJson = (text: string): boolean => /^(?:\/\* prepared \*\/ )?\/\* json \*\//.test(text);

type Writer = (text: string) => string;
const parsed = (oid: number): Writer => {
  const parse = typeParsers.getTypeParser(oid, 'text') as (text: string) => unknown;
  return text => JSON.stringify(parse(text));
};
/** What can be written without being parsed, while it looks as expected. */
const quick = (oid: number, isUsual: (text: string) => boolean, write: Writer): [number, Writer] => {
  const otherwise = parsed(oid);
  return [oid, text => (isUsual(text) ? write(text) : otherwise(text))];
};

const always = (): boolean => true;
/** Nothing but signs that JSON leaves as they are. */
const isPlain = (text: string): boolean => !/[^ !#-[\]-\ud7ff\ue000-\uffff]/.test(text);
const quoted: Writer = text => `"${text}"`;
const asIs: Writer = text => text;
/** Sure to be below 2^53. */
const isShort = (text: string): boolean => text.length < 16;
const areShort = (text: string): boolean => /^\{(?:-?\d{1,15}(?:,-?\d{1,15})*)?\}$/.test(text);
const list: Writer = text => `[${text.slice(1, -1)}]`;
/** "2026-11-22 14:39:24.123456+00", as connections in UTC write instants. */
const isInstant = (text: string): boolean => text.charCodeAt(4) === 45 && text.charCodeAt(10) === 32 && text.endsWith('+00');
const instant: Writer = text => `"${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).padEnd(3, '0').slice(0, 3)}Z"`;

const writers = new Map<number, Writer>([
  quick(16, always, text => (text === 't' ? 'true' : 'false')),
  quick(20, isShort, asIs),
  quick(21, always, asIs),
  quick(23, always, asIs),
  quick(25, isPlain, quoted),
  quick(1016, areShort, list),
  quick(1007, areShort, list),
  quick(1184, isInstant, instant),
]);

/** The `types` option of a query whose rows are wanted as JSON. */
export const jsonTypes: CustomTypesConfig = {
  getTypeParser: ((oid: number) => {
    let writer = writers.get(oid);
    if (!writer) writers.set(oid, (writer = parsed(oid)));
    return writer;
  }) as CustomTypesConfig['getTypeParser'],
};
