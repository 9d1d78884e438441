// What two values have in common, by name: the ground of telling changes of definitions.
import { isObject } from '../context.ts';

export type Members = Record<string, unknown>;

export const membersOf = (value: unknown): Members => (isObject(value) ? value : {});
export const same = (one: unknown, other: unknown): boolean => canonical(one) === canonical(other);

/** JSON with its members in alphabetical order, so that a mere change of order is none. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? 'undefined';
  return `{${Object.keys(value)
    .filter(key => value[key] !== undefined)
    .sort()
    .map(key => `${JSON.stringify(key)}:${canonical(value[key])}`)
    .join(',')}}`;
}

export interface NamedChanges {
  added: string[];
  removed: string[];
  /** Names on both sides whose values differ. */
  changed: string[];
}

export function compareNames(before: Members, after: Members): NamedChanges {
  return {
    added: Object.keys(after).filter(name => !(name in before)),
    removed: Object.keys(before).filter(name => !(name in after)),
    changed: Object.keys(after).filter(name => name in before && !same(before[name], after[name])),
  };
}

/** A list whose items have names, as members: items of the same name are distinguished by their number. */
export function byName(list: unknown, nameOf: (item: unknown) => string): Members {
  const members: Members = {};
  for (const item of Array.isArray(list) ? list : []) {
    const name = nameOf(item);
    let free = name;
    for (let at = 2; free in members; at++) free = `${name} (${at})`;
    members[free] = item;
  }
  return members;
}

const quoted = (names: readonly string[]): string => names.map(name => `"${name}"`).join(', ');
const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

/** "2 fields added: "a", "b"", in the fixed order added, removed; nothing where there is none. */
export function tellNames(changes: NamedChanges, one: string, many: string): string[] {
  const line = (names: string[], what: string): string[] =>
    names.length ? [`${counted(names.length, one, many)} ${what}: ${quoted(names)}`] : [];
  return [...line(changes.added, 'added'), ...line(changes.removed, 'removed')];
}

/** A value as a sentence names it. */
export const show = (value: unknown): string =>
  value === undefined ? 'none' : typeof value === 'string' ? `"${value}"` : JSON.stringify(value);
