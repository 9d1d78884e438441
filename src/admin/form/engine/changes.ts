// What differs between two values of a form, field by field, and how two people's changes come together.
import type { JsonObject, JsonValue, Schema } from '../../../contract/types.ts';
import type { Path } from './path.ts';
import { isObject, pointerOf, same, valueAt, withValueAt } from './path.ts';

export interface Change {
  path: Path;
  pointer: string;
  /** "Shipping › Method" */
  title: string;
  schema: Schema;
  from: JsonValue | undefined;
  to: JsonValue | undefined;
}

/** The fields that differ. Objects are looked into, an array is one field: its items have no lasting names. */
export function changesBetween(schema: Schema, from: JsonObject, to: JsonObject): Change[] {
  const found: Change[] = [];
  collectChanges(schema, from, to, [], [], found);
  return found;
}

export const countChanges = (schema: Schema, from: JsonObject, to: JsonObject): number => changesBetween(schema, from, to).length;

function collectChanges(
  schema: Schema,
  from: JsonValue | undefined,
  to: JsonValue | undefined,
  path: Path,
  titles: string[],
  found: Change[],
): void {
  if (from === to || same(from, to)) return;
  const isGroup = schema.properties && (isObject(from) || isObject(to));
  if (!isGroup) {
    found.push({ path, pointer: pointerOf(path), title: titles.join(' › '), schema, from, to });
    return;
  }
  const [a, b] = [isObject(from) ? from : {}, isObject(to) ? to : {}];
  const names = new Set([...Object.keys(schema.properties!), ...Object.keys(a), ...Object.keys(b)]);
  for (const name of names) {
    const inner = schema.properties![name];
    if (inner?.readOnly) continue;
    collectChanges(inner ?? {}, a[name], b[name], [...path, name], [...titles, inner?.title ?? name], found);
  }
}

export interface Merge {
  /** Theirs, with everything on top that only I changed. Fields in `conflicts` hold mine. */
  merged: JsonObject;
  /** Fields that both changed, and not to the same; `from` is theirs, `to` is mine. */
  conflicts: Change[];
  /** Fields that only the other person changed. */
  theirs: Change[];
  mine: Change[];
}

/** Joins my changes and theirs, both made to `base`. */
export function merge(schema: Schema, base: JsonObject, mine: JsonObject, theirs: JsonObject): Merge {
  const myChanges = changesBetween(schema, base, mine);
  const theirChanges = changesBetween(schema, base, theirs);
  let merged: JsonValue | undefined = theirs;
  const conflicts: Change[] = [];
  for (const change of myChanges) {
    merged = withValueAt(merged, change.path, change.to);
    const now = valueAt(theirs, change.path);
    if (!same(now, change.from) && !same(now, change.to)) conflicts.push({ ...change, from: now });
  }
  const mineToo = new Set(myChanges.map(change => change.pointer));
  return { merged: merged as JsonObject, conflicts, theirs: theirChanges.filter(change => !mineToo.has(change.pointer)), mine: myChanges };
}
