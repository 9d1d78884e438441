// What the page at hand offers to do, for the command palette: every button that runs an action says so here while it is on the page.
import { useEffect, useId } from 'react';

export interface PageAction {
  id: string; title: string; icon?: string;
  /** Why it can't be used now. */
  refusal?: string;
  shortcut?: string; tone?: 'critical';
  /** A page that it leads to, or what it does. */
  to?: string; run?: () => void;
}
const offered = new Map<string, readonly PageAction[]>();

/** Offers actions while the component is there. */
export function usePageActions(actions: readonly PageAction[]): void {
  const id = useId();
  useEffect(() => { offered.set(id, actions); });
  useEffect(() => () => { offered.delete(id); }, [id]);
}
/** The actions of the page now, each once, in the order of the page. */
export function pageActions(): PageAction[] {
  const found = new Map<string, PageAction>();
  for (const actions of offered.values()) for (const action of actions) if (!found.has(action.id)) found.set(action.id, action);
  return [...found.values()];
}
