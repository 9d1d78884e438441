// Places inside a form's value: paths as rjsf hands them out, JSON pointers as errors name them, and
// changes that share what they leave alone.
import { parts, pointer as pointerOf } from '../../../contract/paths.ts';
import type { JsonObject, JsonValue } from '../../../contract/types.ts';

export type Path = readonly (string | number)[];

export { pointerOf };

/** The path of a JSON pointer; steps that look like array positions become numbers. */
export const pathOf = (pointer: string): (string | number)[] =>
  parts(pointer).map(step => (/^(0|[1-9]\d*)$/.test(step) ? Number(step) : step));

/** The pointer of the object or array that holds this place. */
export const parentOf = (pointer: string): string => pointer.slice(0, Math.max(0, pointer.lastIndexOf('/')));

/** Whether a place is this one or lies inside it. */
export const isWithin = (pointer: string, outer: string): boolean => pointer === outer || pointer.startsWith(`${outer}/`);

export const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at a path, or undefined where there is none. */
export function valueAt(root: JsonValue | undefined, path: Path): JsonValue | undefined {
  let value: JsonValue | undefined = root;
  for (const step of path) {
    if (value === null || typeof value !== 'object') return undefined;
    value = Array.isArray(value) ? value[Number(step)] : value[String(step)];
  }
  return value;
}

/**
 * A copy of `root` with another value at a path; everything beside the path is shared with the original. `undefined` takes a key
 * out of its object. Missing objects and arrays on the way are made.
 */
export function withValueAt(root: JsonValue | undefined, path: Path, value: JsonValue | undefined): JsonValue | undefined {
  if (!path.length) return value;
  const [step, ...rest] = path;
  if (Array.isArray(root) || (typeof step === 'number' && !isObject(root))) {
    const list = Array.isArray(root) ? [...root] : [];
    list[Number(step)] = withValueAt(list[Number(step)], rest, value) ?? null;
    return list;
  }
  const object = isObject(root) ? root : {};
  const inner = withValueAt(object[step!], rest, value);
  if (inner !== undefined) return { ...object, [step!]: inner };
  const { [step!]: _gone, ...left } = object;
  return left;
}

/** Whether two JSON values say the same. An absent value, null, "" and an empty list count as the same "nothing". */
export function same(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  if (isNothing(a) || isNothing(b)) return isNothing(a) && isNothing(b);
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, i) => same(item, b[i]));
  const [x, y] = [a as JsonObject, b as JsonObject];
  for (const key of new Set([...Object.keys(x), ...Object.keys(y)])) if (!same(x[key], y[key])) return false;
  return true;
}

const isNothing = (value: JsonValue | undefined) =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && !value.length);
