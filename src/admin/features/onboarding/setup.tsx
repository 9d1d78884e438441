// The set-up score as the rest of the admin uses it: how far the store is, and the panel, which opens over
// any page and arrives with its own chunk.
import { type ReactElement, useMemo, useSyncExternalStore } from 'react';
import { accessOf } from '../../../contract/access.ts';
import { scoreOf, type Score } from '../../../navigation/set-up.ts';
import type { GoalCategory } from '../../../contract/types.ts';
import { useAsk } from '../../platform/transport/calls.ts';
import { chunk } from '../../platform/chunk.ts';
import { notify } from '../../ui/notices/notices.tsx';
import { useSession } from '../../platform/session/session.tsx';
import { t } from '../../../domain/text/t.ts';

/** Stores with this switch have the set-up score (S070). */
const SWITCH = 'loopSetupScore';

export interface SetupScore extends Score {
  categories: GoalCategory[];
}
export interface SetupState {
  score: SetupScore | undefined;
  error: Error | null;
  /** The store has no score. */ isOff: boolean;
  retry: () => void;
}

/** The score with its tabs, while it loads, and why it could not be loaded. Every write of this page asks for it again (see runCall). */
export function useSetup(): SetupState {
  const session = useSession();
  const has = accessOf(session).switchedOn(SWITCH) && session.store.isOnboardingFormComplete;
  const { data, error, refetch } = useAsk<{ goalCategories: GoalCategory[] }>('onboarding.storeInsights', has ? {} : undefined);
  const categories = data?.goalCategories;
  const score = useMemo(() => (categories ? { ...scoreOf(categories), categories } : undefined), [categories]);
  return {
    score,
    error: score ? null : error,
    isOff: !has,
    retry: () => {
      void refetch();
    },
  };
}

/** How far the store is set up, for 'Setup Score: {percent}%'. Undefined while it is not known, and for stores without the score. */
export const useSetupScore = (): SetupScore | undefined => useSetup().score;

export const setupChunk = chunk(() => import('./panel.tsx'));
let isOpen = false;
const watchers = new Set<() => void>();
const set = (open: boolean): void => {
  isOpen = open;
  for (const watcher of watchers) watcher();
};

/** Opens the set-up panel over the current page (S095); the focus comes back to where it was when the panel closes. */
export function openSetupPanel(): void {
  setupChunk.load().then(
    () => set(true),
    () => notify(t`The set-up panel could not be loaded. Check your connection and try again.`, { tone: 'critical' }),
  );
}
const close = (): void => set(false);

/** Stands once in the shell. */
export function SetupHost(): ReactElement | null {
  const open = useSyncExternalStore(
    then => {
      watchers.add(then);
      return () => {
        watchers.delete(then);
      };
    },
    () => isOpen,
  );
  const module = setupChunk.get();
  return open && module ? <module.SetupPanel onClose={close} /> : null;
}
