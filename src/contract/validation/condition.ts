// The one module that knows visibility: which fields a condition hides, and the data without them.
import type { JsonObject, JsonValue, Lines, Schema, When } from '../types.ts';
import { at, atPointer, parts, pointer, same, without } from '../paths.ts';

export interface Scope {
  siblings?: unknown;
  root?: unknown;
  facts?: Record<string, JsonValue>;
}

/** The maps of which one must hold; one alone where the condition is no list. */
export const ways = (when: When): readonly Lines[] => (Array.isArray(when) ? when : [when]);

type ValueOf = (key: string) => JsonValue | typeof ANY | undefined;
/** The value of something that meets every condition. */
const ANY = Symbol('any value');
/** Every condition is validated here, whatever its keys mean: without one, or if all lines of one of its maps hold. */
const meets = (when: When | undefined, valueOf: ValueOf): boolean =>
  when === undefined ||
  ways(when).some(lines =>
    Object.entries(lines).every(([key, wanted]) => {
      const value = valueOf(key);
      return value === ANY || matches(value, wanted);
    }),
  );

/**
 * Whether every line of the map holds, or of one map of a list. A key is a sibling field ("method", dotted for what lies inside it), a
 * field from the root ("/shipping/method") or a fact ("@plan.id"). A value is a literal, a list of literals (any of them; null means
 * absent) or a small schema. Of a list the field holds, one item is enough. What is absent fails unless null is allowed.
 */
export const holds = (when: When | undefined, scope: Scope): boolean => meets(when, key => valueOf(key, scope));

/** What the schema of a field says in place of its value in this record (`x-ui.says`); undefined: the value speaks for itself. */
export const displayTextOf = (schema: Schema | undefined, record: unknown): { text: string; brief?: string } | undefined =>
  schema?.['x-ui']?.displayWhen?.find(({ when }) => holds(when, { siblings: record, root: record }));

/**
 * The first line that does not hold (of each map, where one of several must), in words for developers:
 * `actionAfterFailure is SKIP, wanted PAUSE or CANCEL`.
 */
export function failing(when: When | undefined, scope: Scope): string | undefined {
  return when === undefined || holds(when, scope)
    ? undefined
    : ways(when)
        .map(lines => failingLine(lines, scope))
        .join('; and ');
}

function failingLine(lines: Lines, scope: Scope): string | undefined {
  const line = Object.entries(lines).find(([key, wanted]) => !matches(valueOf(key, scope), wanted));
  if (!line) return undefined;
  const [key, wanted] = line;
  const value = valueOf(key, scope);
  const list = Array.isArray(wanted)
    ? wanted.map(one => (one === null ? 'absent' : String(one))).join(' or ')
    : wanted !== null && typeof wanted === 'object'
      ? JSON.stringify(wanted)
      : wanted === null
        ? 'absent'
        : String(wanted);
  return `${key} is ${value === undefined || value === null ? 'absent' : JSON.stringify(value)}, wanted ${list}`;
}

function valueOf(key: string, scope: Scope): JsonValue | undefined {
  if (key.startsWith('@')) return scope.facts?.[key.slice(1)];
  if (key.startsWith('/')) return atPointer(scope.root, key);
  return at(scope.siblings, key);
}

const isSchema = (wanted: unknown): wanted is Schema & { contains?: Schema } =>
  wanted !== null && typeof wanted === 'object' && !Array.isArray(wanted);

function matches(value: JsonValue | undefined, wanted: Lines[string]): boolean {
  const absent = value === undefined || value === null;
  if (isSchema(wanted)) return !absent && satisfies(value, wanted);
  const list = (Array.isArray(wanted) ? wanted : [wanted]) as JsonValue[];
  if (absent) return list.includes(null);
  if (Array.isArray(value)) return value.some(item => list.some(one => same(item, one)));
  return list.some(one => same(value, one));
}

function satisfies(value: JsonValue, schema: Schema & { contains?: Schema }): boolean {
  const { type } = schema;
  const kind = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  if (type !== undefined && ![type].flat().some(one => one === kind || (one === 'integer' && Number.isInteger(value)))) return false;
  if (schema.const !== undefined && !same(value, schema.const)) return false;
  if (schema.enum && !schema.enum.some(one => same(one, value))) return false;
  if (
    schema.minimum !== undefined ||
    schema.maximum !== undefined ||
    schema.exclusiveMinimum !== undefined ||
    schema.exclusiveMaximum !== undefined
  ) {
    const n = typeof value === 'number' ? value : typeof value === 'string' && value.trim() !== '' ? Number(value) : NaN;
    if (Number.isNaN(n)) return false;
    if (
      n < (schema.minimum ?? -Infinity) ||
      n > (schema.maximum ?? Infinity) ||
      n <= (schema.exclusiveMinimum ?? -Infinity) ||
      n >= (schema.exclusiveMaximum ?? Infinity)
    )
      return false;
  }
  if (schema.minLength !== undefined && !(typeof value === 'string' && value.length >= schema.minLength)) return false;
  if (schema.maxLength !== undefined && !(typeof value === 'string' && value.length <= schema.maxLength)) return false;
  if (schema.pattern !== undefined && !(typeof value === 'string' && new RegExp(schema.pattern, 'u').test(value))) return false;
  if (schema.minItems !== undefined && !(Array.isArray(value) && value.length >= schema.minItems)) return false;
  if (schema.maxItems !== undefined && !(Array.isArray(value) && value.length <= schema.maxItems)) return false;
  if (schema.contains !== undefined && !(Array.isArray(value) && value.some(item => satisfies(item, schema.contains as Schema))))
    return false;
  return true;
}

type Facts = Record<string, JsonValue> | typeof ANY;
const conditional = new WeakMap<Schema, boolean>();
/** Whether any field of the schema carries a condition; remembered, because most schemas have none. */
export function hasConditions(schema: Schema): boolean {
  const known = conditional.get(schema);
  if (known !== undefined) return known;
  const inner = [
    ...Object.values(schema.properties ?? {}),
    ...(schema.items ? [schema.items] : []),
    ...(typeof schema.additionalProperties === 'object' ? [schema.additionalProperties] : []),
    ...(schema.anyOf ?? []),
  ];
  const found = schema['x-ui']?.when !== undefined || inner.some(hasConditions);
  conditional.set(schema, found);
  return found;
}

/**
 * The JSON pointers of all fields hidden for this data, also those that hold nothing. What is hidden counts as absent for other
 * conditions, so hiding one field can hide the next; a field inside something hidden is hidden with it.
 */
export function hiddenPointers(schema: Schema, data: unknown, facts: Facts = {}): Set<string> {
  const hidden = new Set<string>();
  if (!hasConditions(schema)) return hidden;
  let rest = data;
  for (;;) {
    const found = once(schema, rest, facts);
    const held = [...found].filter(at => atPointer(rest, at) !== undefined && !inside(at, hidden));
    for (const at of found) hidden.add(at);
    if (held.length === 0) return hidden;
    rest = without(rest, held); // members go, places in lists stay: pointers go on naming the same thing
  }
}

/**
 * The pointers of what is hidden for no other reason than the facts of the session: what a person, a store or its plan does not have. What
 * other fields of the data hide is not in it.
 */
export function hiddenByFacts(schema: Schema, data: unknown, facts: Record<string, JsonValue>): string[] {
  const otherwise = hiddenPointers(schema, data, ANY);
  return [...hiddenPointers(schema, data, facts)].filter(at => !inside(at, otherwise));
}

/** The data without everything hidden: what is validated and sent. Stripping twice changes nothing more. */
export function strip<T>(schema: Schema, data: T, facts: Record<string, JsonValue> = {}): T {
  return without(data, hiddenPointers(schema, data, facts));
}

/** Whether a pointer names something hidden, or something inside it. */
export function inside(at: string, hidden: ReadonlySet<string>): boolean {
  if (hidden.size === 0) return false;
  for (let end = at.length; end > 0; end = at.lastIndexOf('/', end - 1)) if (hidden.has(at.slice(0, end))) return true;
  return false;
}

/** One pass. Each field asks those it depends on first; a field that asks for itself in a circle is taken as shown. */
function once(schema: Schema, data: unknown, facts: Facts): Set<string> {
  interface Place {
    when: When | undefined;
    siblings: unknown;
    parent: string;
    above: string | undefined;
  }
  const places = new Map<string, Place>();
  const collect = (node: Schema, value: unknown, here: string, above: string | undefined): void => {
    if (!hasConditions(node)) return;
    const object = value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as JsonObject) : {};
    for (const [name, field] of Object.entries(node.properties ?? {})) {
      const place = here + pointer([name]);
      places.set(place, { when: field['x-ui']?.when, siblings: object, parent: here, above });
      collect(field, object[name], place, place);
    }
    if (typeof node.additionalProperties === 'object')
      for (const [name, item] of Object.entries(object))
        if (!node.properties?.[name]) collect(node.additionalProperties, item, here + pointer([name]), above);
    if (node.items && Array.isArray(value)) value.forEach((item, i) => collect(node.items as Schema, item, `${here}/${i}`, above));
    for (const branch of node.anyOf ?? []) if (branch.properties || branch.items) collect(branch, value, here, above);
  };
  collect(schema, data, '', undefined);

  const shown = new Map<string, boolean>();
  const asking = new Set<string>();
  const isShown = (place: string): boolean => {
    const known = shown.get(place);
    if (known !== undefined) return known;
    const field = places.get(place);
    if (!field || asking.has(place)) return true;
    asking.add(place);
    const result =
      (field.above === undefined || isShown(field.above)) &&
      meets(field.when, key => {
        if (key.startsWith('@')) return facts === ANY ? ANY : facts[key.slice(1)];
        const other = key.startsWith('/') ? key : field.parent + pointer(key.split('.'));
        return reachable(other) ? atPointer(data, other) : undefined;
      });
    asking.delete(place);
    shown.set(place, result);
    return result;
  };
  // A path is reachable when neither it nor anything around it is hidden.
  const reachable = (path: string): boolean => {
    const names = parts(path);
    return names.every((_, i) => isShown(pointer(names.slice(0, i + 1))));
  };
  const hidden = new Set<string>();
  for (const place of places.keys()) if (!isShown(place)) hidden.add(place);
  return hidden;
}
