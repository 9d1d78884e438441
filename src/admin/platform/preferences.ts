// What a person chose, kept in this browser by user and store: columns in view, rows per page, the pages visited last.
import { useCallback, useSyncExternalStore } from 'react';
import { currentSession } from './session/session.tsx';

const watchers = new Set<() => void>();
const held = new Map<string, string>();
const keyOf = (name: string): string => {
  const user = currentSession()?.user;
  return `perennial.${user?.storeId ?? 0}.${user?.userId ?? 0}.${name}`;
};
function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return held.get(key) ?? null;
  }
}
function write(key: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(key);
    else localStorage.setItem(key, JSON.stringify(value));
  } catch {
    if (value === undefined) held.delete(key);
    else held.set(key, JSON.stringify(value));
  }
  for (const watcher of watchers) watcher();
}
function parsed<T>(text: string | null): T | undefined {
  try {
    return text === null ? undefined : (JSON.parse(text) as T);
  } catch {
    return undefined;
  }
}

/** A preference of the person signed in, as JSON; undefined while none was chosen. Setting undefined forgets it. */
export function usePreference<T>(name: string): [T | undefined, (value: T | undefined) => void] {
  const key = keyOf(name);
  const text = useSyncExternalStore(
    then => {
      watchers.add(then);
      return () => {
        watchers.delete(then);
      };
    },
    () => read(key),
  );
  return [parsed<T>(text), useCallback((value: T | undefined) => write(key, value), [key])];
}
/** The same without a component. */
export const preference = <T>(name: string): T | undefined => parsed<T>(read(keyOf(name)));
export const setPreference = (name: string, value: unknown): void => write(keyOf(name), value);
