// A change of a record or a settings page names what it changes. A field that may be left out is emptied by null, even where no value of it
// is null.
import type { JsonObject, JsonValue, Schema } from '../../../contract/types.ts';

/** A number or a switch that has a standard value always holds one: null is refused there in the words of its schema. */
const alwaysHolds = ({ type, default: standard }: Schema): boolean =>
  standard !== undefined && ['number', 'integer', 'boolean'].some(one => [type ?? []].flat().includes(one as 'number'));
const takesNull = (schema: Schema): boolean =>
  (schema.type === undefined && !schema.properties && !schema.items) ||
  [schema.type ?? []].flat().includes('null') ||
  [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].some(one => one.const === null || [one.type ?? []].flat().includes('null'));

/** Takes out of an input what it only empties, and gives that: nothing of it is there to be validated. */
export function takeEmptied(schema: Schema, given: JsonObject): JsonObject {
  const emptied: JsonObject = {};
  for (const [name, value] of Object.entries(given)) {
    const field = schema.properties?.[name];
    if (value !== null || !field || takesNull(field) || alwaysHolds(field) || schema.required?.includes(name)) continue;
    emptied[name] = null;
    delete given[name];
  }
  return emptied;
}

/**
 * What a change leaves of a document: what was there, with what is named laid over it; what is emptied is gone. `before` and `named` hold
 * fields of the schema.
 */
export function changed(schema: Schema, before: JsonObject, named: JsonObject): JsonObject {
  const data: JsonObject = { ...before, ...named };
  for (const [name, value] of Object.entries(data) as [string, JsonValue | undefined][]) {
    const field = schema.properties?.[name];
    const isEmptied = value === null && field !== undefined && !takesNull(field) && !(named[name] === null && alwaysHolds(field));
    if (value === undefined || isEmptied) delete data[name];
  }
  return data;
}
