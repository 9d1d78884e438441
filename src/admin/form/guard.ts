// Nobody loses what they typed by leaving: a question before another page, the browser's own before closing the tab.
import { useEffect } from 'react';
import { useBlocker } from 'react-router';
import { confirm } from '../float/dialog.tsx';
import { readToken } from '../token.ts';
import type { FormStore } from './store.ts';

/** Guards a form. `isLeaving` may say that leaving is meant (after something was created, for example). */
export function useGuard(store: FormStore, isLeaving: () => boolean = () => false): void {
  const blocker = useBlocker(({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname && !isLeaving() && store.isDirty());
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    store.flush();
    const count = store.changeCount();
    if (!count) { blocker.proceed(); return; }
    let isAsked = true;
    void confirm({
      title: 'Leave without saving?', tone: 'critical', submit: 'Leave without saving', cancel: 'Keep editing',
      text: count === 1 ? 'You have 1 change that is not saved. If you leave, it is lost.' : `You have ${count} changes that are not saved. If you leave, they are lost.`,
    }).then(leaves => {
      if (!isAsked) return;
      if (leaves) blocker.proceed(); else blocker.reset();
    });
    return () => { isAsked = false; };
  }, [blocker, store]);
  useEffect(() => {
    const onUnload = (event: BeforeUnloadEvent) => {
      store.flush();
      // Without a token the page is on its way to the sign-in; the draft is kept and offered after it.
      if (readToken() !== undefined && !isLeaving() && store.isDirty()) event.preventDefault();
    };
    window.addEventListener('beforeunload', onUnload);
    return () => window.removeEventListener('beforeunload', onUnload);
  }, [store, isLeaving]);
}
