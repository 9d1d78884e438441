// What the start goes by: which failure leads where, and when a page has been reloaded too often.
import { CallError } from '../transport/transport.ts';

/**
 * Where a failed start leads. An answer that flags an error says that this person has no session here: to /login (S161, S174). Everything
 * else (not reached, too busy, broken, unreadable) says nothing about the person: to /404, which goes on by itself (S023, S175).
 */
export const afterFailure = (error: unknown): 'login' | '404' =>
  error instanceof CallError && error.status >= 200 && error.status < 500 && ![408, 425, 429].includes(error.status) ? 'login' : '404';

// --- a page that reloads itself for ever comes to rest at /404 (S024, S025) ---

/** Two reloads within this time (ms) are one too many (S318). */
export const RELOAD_GUARD = 2000;
/** Where the time of the last reload is kept, in the tab's session storage. */
export const LAST_RELOAD = 'perennial.lastReload';

/** Notes a reload at `now` and tells whether the one before it was too short ago. Without storage it is not known: false. */
export function reloadedTooSoon(now: number, storage: Pick<Storage, 'getItem' | 'setItem'>): boolean {
  try {
    const last = storage.getItem(LAST_RELOAD);
    storage.setItem(LAST_RELOAD, String(now));
    const since = now - Number(last);
    return last !== null && since >= 0 && since < RELOAD_GUARD;
  } catch {
    return false;
  }
}

/** Whether this page was reloaded, and within the guard's time of the reload before. Ask once per load. */
export function isReloadLoop(): boolean {
  const [entry] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (entry?.type !== 'reload') return false;
  try {
    return reloadedTooSoon(Date.now(), sessionStorage);
  } catch {
    return false;
  }
}
