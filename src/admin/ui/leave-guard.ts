// Asks before a page is left that would lose something: a question before another page, the browser's own before closing the tab.
import { useEffect, useRef } from 'react';
import { useBlocker, useLocation } from 'react-router-dom';
import { confirm, type Question } from './overlays/dialog.tsx';
import { readToken } from '../platform/session/token.ts';

/** What counts as another page: the words of a record in another language are other words. */
const placeOf = ({ pathname, search }: { pathname: string; search: string }): string =>
  `${pathname} ${new URLSearchParams(search).get('language') ?? ''}`;

/**
 * Guards a page for as long as it stands. `question` is asked at the moment of leaving and answers with what to ask, or with nothing when
 * nothing would be lost; it may make fields hand on their text first. Moves within the page's own address are free, but to another
 * language. `onGivenUp` follows when a person answered that they leave: then alone what they typed may be forgotten. Every other way off
 * the page (a session that ends, a reload, rights that change) asks nothing.
 */
export function useLeaveGuard(question: () => Question | undefined, onGivenUp?: () => void): void {
  const latest = useRef(question);
  latest.current = question;
  const givenUp = useRef(onGivenUp);
  givenUp.current = onGivenUp;
  const here = placeOf(useLocation());
  // Who has left is somewhere else at once, but the page stands until the next one is drawn: it must not ask
  // again about a way that only leads back to it.
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      placeOf(currentLocation) === here && placeOf(nextLocation) !== here && latest.current() !== undefined,
  );
  useEffect(() => {
    if (blocker.state !== 'blocked') return;
    const unsaved = latest.current();
    if (!unsaved) {
      blocker.proceed();
      return;
    }
    let isAsked = true;
    void confirm(unsaved).then(leaves => {
      if (!isAsked) return;
      if (leaves) {
        givenUp.current?.();
        blocker.proceed();
      } else blocker.reset();
    });
    return () => {
      isAsked = false;
    };
  }, [blocker]);
  useEffect(() => {
    const onUnload = (event: BeforeUnloadEvent): void => {
      const unsaved = latest.current();
      // Without a token the page is on its way to the sign-in.
      if (unsaved && readToken() !== undefined) event.preventDefault();
    };
    window.addEventListener('beforeunload', onUnload);
    return () => window.removeEventListener('beforeunload', onUnload);
  }, []);
}
