// Light, dark, or as the system has it; kept in this browser and applied before the first paint by the start script.
import { useSyncExternalStore } from 'react';

export type Scheme = 'light' | 'dark' | 'system';
const KEY = 'perennial.scheme';
const watchers = new Set<() => void>();
const system = typeof matchMedia === 'undefined' ? undefined : matchMedia('(prefers-color-scheme: dark)');

const read = (): Scheme => {
  try {
    const saved = localStorage.getItem(KEY);
    return saved === 'light' || saved === 'dark' ? saved : 'system';
  } catch {
    return chosen;
  }
};
let chosen: Scheme = 'system';

function apply(): void {
  const dark = read() === 'dark' || (read() === 'system' && system?.matches === true);
  document.documentElement.dataset.scheme = dark ? 'dark' : 'light';
  for (const watcher of watchers) watcher();
}
system?.addEventListener('change', apply);

export function setScheme(scheme: Scheme): void {
  chosen = scheme;
  try {
    if (scheme === 'system') localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, scheme);
  } catch {
    /* lasts as long as the page */
  }
  apply();
}
export const useScheme = (): Scheme =>
  useSyncExternalStore(then => {
    watchers.add(then);
    return () => {
      watchers.delete(then);
    };
  }, read);
