// What the open page offers to do, for the command palette: every button that runs an action says so here while it is on the page.
import { useEffect, useId, useSyncExternalStore } from 'react';

export interface PageAction {
  id: string;
  title: string;
  icon?: string;
  /** Why it can't be used now. */
  refusal?: string;
  shortcut?: string;
  tone?: 'critical';
  /** A page that it leads to, or what it does. */
  to?: string;
  run?: () => void;
}
const offered = new Map<string, readonly PageAction[]>();
const watchers = new Set<() => void>();
let shown: readonly PageAction[] = [];
const looks = (actions: readonly PageAction[]): string => JSON.stringify(actions);

/** All that is offered, each once, in the order of the page; the same list object as long as nothing in it differs. */
function gather(): void {
  const found = new Map<string, PageAction>();
  for (const actions of offered.values()) for (const action of actions) if (!found.has(action.id)) found.set(action.id, action);
  const next = [...found.values()];
  if (looks(next) === looks(shown)) return;
  shown = next;
  for (const watcher of watchers) watcher();
}

/** Offers actions while the component is there. */
export function usePageActions(actions: readonly PageAction[]): void {
  const id = useId();
  useEffect(() => {
    offered.set(id, actions);
    gather();
  });
  useEffect(
    () => () => {
      offered.delete(id);
      gather();
    },
    [id],
  );
}
/** The actions of the page now. */
export const useOfferedActions = (): readonly PageAction[] =>
  useSyncExternalStore(
    then => {
      watchers.add(then);
      return () => {
        watchers.delete(then);
      };
    },
    () => shown,
  );
/** Runs an action as its button would at this moment. */
export const runPageAction = (id: string): void =>
  [...offered.values()]
    .flat()
    .find(action => action.id === id)
    ?.run?.();
