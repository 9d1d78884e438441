// Leaving the form of a bulk action with something chosen.
import { useEffect, useRef } from 'react';
import { useBlocker } from 'react-router-dom';
import { confirm } from '../../ui/overlays/dialog.tsx';
import { type Draft, isTouched } from './draft.ts';
import { t } from '../../../domain/text/t.ts';

/** Leaving with something chosen asks; a reload keeps it all and does not. */
export function useLeaveGuard(draft: Draft, leaving: { current: boolean }, drop: () => void): void {
  const isKept = isTouched(draft);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => isKept && !leaving.current && currentLocation.pathname !== nextLocation.pathname,
  );
  // The page may be redrawn while the question stands: it is asked once for each attempt to leave.
  const latest = useRef({ blocker, drop });
  latest.current = { blocker, drop };
  const isBlocked = blocker.state === 'blocked';
  useEffect(() => {
    if (!isBlocked) return;
    let isAsked = true;
    void confirm({
      title: t`Leave this bulk action?`,
      text: t`Nothing was started. What you have chosen so far is lost.`,
      submit: t`Leave`,
      cancel: t`Stay here`,
      tone: 'critical',
    }).then(leaves => {
      const { blocker: now, drop: forget } = latest.current;
      if (!isAsked || now.state !== 'blocked') return;
      if (!leaves) {
        now.reset();
        return;
      }
      forget();
      now.proceed();
    });
    return () => {
      isAsked = false;
    };
  }, [isBlocked]);
}
