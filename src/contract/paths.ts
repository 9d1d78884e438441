// Dotted paths ("data.items[0].title") into answers and records, and JSON pointers ("/lines/0/price") into definitions and forms.
import type { JsonObject, JsonValue, Schema } from './types.ts';

const steps = (path: string): string[] =>
  path === ''
    ? []
    : path
        .replace(/\[(\d+)\]/g, '.$1')
        .split('.')
        .filter(step => step !== '');

/**
 * The value at a dotted path, or undefined. The empty path is the value itself. Through an array without an index it is the first item's.
 */
export function at(value: unknown, path: string): JsonValue | undefined {
  let here = value;
  for (const step of steps(path)) {
    if (Array.isArray(here) && !/^\d+$/.test(step)) here = here[0];
    if (here === null || typeof here !== 'object') return undefined;
    if (!Object.prototype.hasOwnProperty.call(here, step)) return undefined;
    here = (here as Record<string, unknown>)[step];
  }
  return here as JsonValue | undefined;
}

/** A body with `value` at the dotted path; what stands beside it stays. Objects and lists on the way are made as needed. */
export function put(body: JsonValue | undefined, path: string, value: JsonValue): JsonValue {
  const [step, ...rest] = steps(path);
  if (step === undefined) return value;
  if (/^\d+$/.test(step)) {
    const list = Array.isArray(body) ? [...body] : [];
    list[Number(step)] = put(list[Number(step)], rest.join('.'), value);
    return list;
  }
  const object = body !== null && typeof body === 'object' && !Array.isArray(body) ? body : {};
  return { ...object, [step]: put(object[step], rest.join('.'), value) };
}

/** ["lines", 0, "a/b"] -> "/lines/0/a~1b" */
export const pointer = (parts: readonly (string | number)[]): string =>
  parts.map(part => '/' + String(part).replace(/~/g, '~0').replace(/\//g, '~1')).join('');

/** "/lines/0/a~1b" -> ["lines", "0", "a/b"] */
export const parts = (text: string): string[] =>
  text === ''
    ? []
    : text
        .replace(/^#?\//, '')
        .split('/')
        .map(part => part.replace(/~1/g, '/').replace(/~0/g, '~'));

/** The value a JSON pointer names, or undefined. */
export function atPointer(value: unknown, text: string): JsonValue | undefined {
  let here = value;
  for (const part of parts(text)) {
    if (here === null || typeof here !== 'object' || !Object.prototype.hasOwnProperty.call(here, part)) return undefined;
    here = (here as Record<string, unknown>)[part];
  }
  return here as JsonValue | undefined;
}

/**
 * The data without what the pointers name; items of lists are emptied from the end so that positions stay right. Nothing given is changed.
 */
export function without<T>(data: T, pointers: Iterable<string>): T {
  const names = [...pointers];
  if (names.length === 0) return data;
  const copy = structuredClone(data);
  const deepest = names.map(parts).sort((a, b) => b.length - a.length || Number(b.at(-1)) - Number(a.at(-1)) || 0);
  for (const path of deepest) {
    const last = path.at(-1);
    const parent = atPointer(copy, pointer(path.slice(0, -1)));
    if (last === undefined || parent === null || typeof parent !== 'object' || parent === undefined) continue;
    if (Array.isArray(parent)) parent.splice(Number(last), 1);
    else delete (parent as JsonObject)[last];
  }
  return copy;
}

/** The schema of a field by its dotted path ("shippingAddress.city", "lines.title": lists are looked through), or undefined. */
export function fieldOf(schema: Schema | undefined, path: string): Schema | undefined {
  let here: Schema | undefined = schema;
  for (const step of steps(path)) {
    while (here?.items && !here.properties) here = here.items;
    if (here?.properties && Object.prototype.hasOwnProperty.call(here.properties, step)) {
      here = here.properties[step];
      continue;
    }
    if (here?.additionalProperties && typeof here.additionalProperties === 'object') {
      here = here.additionalProperties;
      continue;
    }
    return undefined;
  }
  return here;
}

/** The schema of the value a JSON pointer into the data names, or undefined. */
export function schemaAt(schema: Schema, text: string): Schema | undefined {
  let here: Schema | undefined = schema;
  for (const part of parts(text)) {
    if (here === undefined) return undefined;
    const inner: Schema | undefined = here.anyOf?.find(branch => branch.properties || branch.items);
    if (!here.properties && !here.items && inner) here = inner;
    if (here.properties && Object.prototype.hasOwnProperty.call(here.properties, part)) here = here.properties[part];
    else if (here.items && /^\d+$/.test(part)) here = here.items;
    else if (here.additionalProperties && typeof here.additionalProperties === 'object') here = here.additionalProperties;
    else return undefined;
  }
  return here;
}

/** "billingHour" -> "Billing hour", "shopify_id" -> "Shopify id": what a field without a title is called. */
export function humanise(name: string): string {
  const words = name
    .replace(/[_-]+/g, ' ')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The options of a field: its `oneOf` of constants, or its `enum`; of a list, those of its items. */
export function optionsOf(schema: Schema | undefined): { value: JsonValue; title: string; tone?: string }[] {
  if (!schema) return [];
  if (schema.oneOf)
    return schema.oneOf
      .filter(one => one.const !== undefined)
      .map(one => ({
        value: one.const as JsonValue,
        title: one.title ?? String(one.const),
        ...(one['x-ui']?.tone ? { tone: one['x-ui'].tone } : {}),
      }));
  if (schema.enum) return schema.enum.map(value => ({ value, title: humanise(String(value)) }));
  if (schema.anyOf) return schema.anyOf.flatMap(optionsOf);
  return schema.items ? optionsOf(schema.items) : [];
}

/** Two JSON values are the same, member by member. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (a === null || b === null || typeof a !== 'object' || typeof b !== 'object' || Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every(key => Object.prototype.hasOwnProperty.call(b, key) && same((a as JsonObject)[key], (b as JsonObject)[key]))
  );
}
