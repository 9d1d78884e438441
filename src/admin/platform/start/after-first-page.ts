// What the frame asks for besides the first page waits until that page is there.
import { useSyncExternalStore } from 'react';

let calm = false;
const watchers = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;

function watch(then: () => void): () => void {
  watchers.add(then);
  timer ??= setTimeout(() => {
    const idle = window.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 200));
    idle(
      () => {
        calm = true;
        for (const watcher of watchers) watcher();
      },
      { timeout: 2000 },
    );
  }, 1200);
  return () => {
    watchers.delete(then);
  };
}

/** False while the first page is being loaded and drawn, true ever after. */
export const useAfterFirstPage = (): boolean => useSyncExternalStore(watch, () => calm);
