// What the first page can do without until its rows are painted: small pictures, the numbers of its tabs.
import { useSyncExternalStore } from 'react';

let painted = false;
let requested = false;
const watchers = new Set<() => void>();

function watch(then: () => void): () => void {
  watchers.add(then);
  if (!requested) {
    requested = true;
    const then = (): void => {
      painted = true;
      for (const watcher of watchers) watcher();
    };
    // Once the frame is drawn and the browser has a moment, at most a blink later.
    const idle = window.requestIdleCallback ?? ((run: () => void) => setTimeout(run));
    requestAnimationFrame(() => {
      idle(then, { timeout: 200 });
    });
  }
  return () => {
    watchers.delete(then);
  };
}

const still = (): (() => void) => () => undefined;

/**
 * False until the first frame with rows is painted, true ever after. `hasRows`: the rows are drawn
 * in this very frame, or there will be none.
 */
export const useAfterFirstPaint = (hasRows = true): boolean => useSyncExternalStore(hasRows ? watch : still, () => painted);
