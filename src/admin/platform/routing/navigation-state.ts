// How a person keeps the navigation: drawn or put away, folded or whole, hidden entries shown. Put away is kept by browser, so that the
// start script can leave its place out before anything has arrived; the fold is kept by person.
import { useSyncExternalStore } from 'react';
import { useLocation } from 'react-router-dom';

/** Also read by start.ts. */
export const NAV_KEY = 'perennial.nav';
const HIDDEN_KEY = 'perennial.showHidden';
const watchers = new Set<() => void>();
const watch = (then: () => void): (() => void) => {
  watchers.add(then);
  return () => {
    watchers.delete(then);
  };
};

/** Whether the navigation at the left is put away. Below 768 px it is a drawer anyway. */
export const useNavClosed = (): boolean => useSyncExternalStore(watch, () => document.documentElement.dataset.nav === 'closed');
export function setNavClosed(closed: boolean): void {
  if (closed) document.documentElement.dataset.nav = 'closed';
  else delete document.documentElement.dataset.nav;
  try {
    if (closed) localStorage.setItem(NAV_KEY, 'closed');
    else localStorage.removeItem(NAV_KEY);
  } catch {
    /* no storage: as long as the page lives */
  }
  for (const watcher of watchers) watcher();
}

/** The navigation is a drawer under 768 px (S010, S314). */
export const isNarrow = (): boolean => matchMedia('(max-width: 767px)').matches;

/** S169: showHidden=true in the address shows hidden entries, from then on in this tab; showHidden=false ends it. */
export function useShowHidden(): boolean {
  const showHidden = new URLSearchParams(useLocation().search).get('showHidden');
  try {
    if (showHidden === 'true') sessionStorage.setItem(HIDDEN_KEY, 'true');
    else if (showHidden === 'false') sessionStorage.removeItem(HIDDEN_KEY);
    return sessionStorage.getItem(HIDDEN_KEY) === 'true';
  } catch {
    return showHidden === 'true';
  }
}
