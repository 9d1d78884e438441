// What making a page of a foreign schema knows: which keywords count, how parts are joined, what values and names are called.
import { isObject } from '../../src/check/context.ts';
import { humanise } from '../../src/contract/paths.ts';
import type { JsonObject, JsonValue } from '../../src/contract/types.ts';

export const KEPT = [
  ...['title', 'description', 'default', 'type', 'required', 'additionalProperties', 'minProperties', 'maxProperties', 'items', 'minItems'],
  ...[
    'maxItems',
    'uniqueItems',
    'minLength',
    'maxLength',
    'pattern',
    'format',
    'minimum',
    'maximum',
    'exclusiveMinimum',
    'exclusiveMaximum',
  ],
  ...['multipleOf', 'readOnly', 'writeOnly', 'properties', 'oneOf'],
];
/** Keywords that only describe, or that were followed before: leaving them out changes nothing. */
export const SILENT = new Set(
  (
    '$schema $id id $anchor $comment $vocabulary $defs definitions $recursiveAnchor $dynamicAnchor deprecated examples example contentMediaType ' +
    'contentEncoding enum const anyOf allOf patternProperties divisibleBy markdownDescription enumDescriptions defaultSnippets nullable prefixItems allowComments allowTrailingCommas'
  ).split(' '),
);
export const FORMATS: Record<string, string> = {
  email: 'email',
  'idn-email': 'email',
  hostname: 'domain',
  'idn-hostname': 'domain',
  uri: 'uri',
  url: 'uri',
  iri: 'uri',
  date: 'date',
  time: 'time',
  'date-time': 'date-time',
  color: 'color',
};
/** Whether a text must not be read again, in the ways in which schemas say so. */
export const isSecret = ({ type, format, writeOnly, properties, ...more }: JsonObject): boolean =>
  properties === undefined &&
  [type].flat().every(one => one === undefined || one === 'string' || one === 'null') &&
  (format === 'password' ||
    writeOnly === true ||
    Object.entries(more).some(([key, value]) => value === true && /secret$|sensitive$/i.test(key)));
export const NUMBERS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];
export const DEEPEST = 6;
export const clone = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;
export const jsonType = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

/** Members of one alternative, or of one part of an allOf, joined to what is there: the narrower bound wins. */
export function joined(one: JsonObject, other: JsonObject): JsonObject {
  const result: JsonObject = { ...one };
  for (const [key, value] of Object.entries(other)) {
    const before = result[key];
    if (before === undefined) result[key] = value;
    else if (['properties', 'patternProperties', 'definitions', '$defs'].includes(key) && isObject(before) && isObject(value)) {
      const both: JsonObject = { ...before };
      for (const [name, field] of Object.entries(value))
        both[name] = isObject(both[name]) && isObject(field) ? joined(both[name], field) : field;
      result[key] = both;
    } else if (key === 'required' && Array.isArray(before) && Array.isArray(value)) result[key] = [...new Set([...before, ...value])];
    else if (/^(exclusiveM|m)in/.test(key) && typeof value === 'number') result[key] = Math.max(Number(before), value);
    else if (/^(exclusiveM|m)ax/.test(key) && typeof value === 'number') result[key] = Math.min(Number(before), value);
    else if (key === 'enum' && Array.isArray(before) && Array.isArray(value))
      result[key] = before.filter(item => value.some(entry => JSON.stringify(entry) === JSON.stringify(item)));
    else if (!['title', 'description', 'additionalProperties'].includes(key)) result[key] = value;
  }
  return result;
}

/** The values that a schema lists; undefined where it lists none. */
export const valuesOf = (branch: JsonObject): JsonValue[] | undefined =>
  branch.const !== undefined
    ? [branch.const as JsonValue]
    : Array.isArray(branch.enum)
      ? (branch.enum as JsonValue[])
      : branch.type === 'null'
        ? [null]
        : undefined;

/** What people call a field: "files", "jobs[].steps". */
export const nameOf = (at: string): string =>
  at
    .replace(/\/properties\//g, '.')
    .replace(/^\.|^\/$/g, '')
    .replace(/\/items/g, '[]')
    .replace(/\/\*/g, '.*') || 'the page';

/** What people read for a value. */
export const titleOf = (value: JsonValue): string =>
  typeof value === 'string' ? humanise(value) || 'Nothing' : value === true ? 'Yes' : value === false ? 'No' : JSON.stringify(value);

const TAKEN = new Set(['id', 'version', 'updatedAt', 'updatedBy', 'settingsPage']);
const IMPOSSIBLE = new Set(['__proto__', 'constructor', 'prototype']);
/**
 * The name that a field has: its own, wherever a page can have it; "max age" is maxAge, and the "version" of a page is ownVersion, because
 * every page has one.
 * @param others the names of the fields beside it
 */
export function memberName(name: string, others: Set<string>, isOfPage: boolean): string {
  let own = name.replace(/[^\w$-]+(\w?)/g, (_, letter: string) => letter.toUpperCase()).replace(/^(?=[\d-])/, '_');
  if (/^[^\w$-]/.test(name)) own = own.charAt(0).toLowerCase() + own.slice(1);
  if (own === '') own = 'field';
  if (IMPOSSIBLE.has(own) || (isOfPage && TAKEN.has(own))) own = `own${own.charAt(0).toUpperCase()}${own.slice(1)}`;
  while (others.has(own)) own += '_';
  return own;
}
