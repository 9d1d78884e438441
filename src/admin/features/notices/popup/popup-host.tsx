// Asks whether there is a popup for this person and page, and shows it when it interrupts nothing. At most one in a visit.
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { runCall } from '../../../platform/transport/calls.ts';
import { chunk, useChunk } from '../../../platform/chunk.ts';
import { isDialogPending } from '../../../ui/overlays/pending-dialog.ts';
import { overlaysChunk } from '../../../ui/overlays/menu.tsx';
import { useSession } from '../../../platform/session/session.tsx';
import { useAfterFirstPage } from '../../../platform/start/after-first-page.ts';
import { type PopupData, staysOpen, type Values } from './links.ts';

type Fetched = {
  data: PopupData | null;
  display: boolean;
  placeholderData: Values;
};
type State = 'SEEN' | 'DISMISSED' | 'DONE';

const popupChunk = chunk(() => import('./popup.tsx'));
/** Pages may follow one another quickly; the server is not asked more often than this (ms). */
const PAUSE = 30_000;

/** What this visit (this tab) has had: the id of the popup that is open, or "over". */
const remember = (key: string, value: string): void => {
  try {
    sessionStorage.setItem(key, value);
  } catch {
    /* no storage: until the next load */
  }
};
const recall = (key: string): string | null => {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
};

/** It does not interrupt a person who types, chooses, or has unsaved changes (the bar of a form says so). */
function isBusy(): boolean {
  const active = document.activeElement;
  return (
    isDialogPending() ||
    (active instanceof HTMLElement && (active.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(active.tagName))) ||
    document.querySelector('.f-bar, dialog[open], [role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]') !== null
  );
}

export function PopupHost(): ReactElement | null {
  const { pathname } = useLocation();
  const { user } = useSession();
  const key = `perennial.popup.${user.storeId}.${user.userId}`;
  const isCalm = useAfterFirstPage();
  const [found, setFound] = useState<Fetched>();
  const [isShown, setShown] = useState(false);
  const lastAsked = useRef({ at: Number.NEGATIVE_INFINITY, page: '' });
  useEffect(() => {
    if (!isCalm || found || recall(key) === 'over') return;
    const wait = Math.max(
      0,
      lastAsked.current.page === pathname ? PAUSE : Math.min(PAUSE, lastAsked.current.at + PAUSE - performance.now()),
    );
    const timer = setTimeout(() => {
      lastAsked.current = { at: performance.now(), page: pathname };
      const open = Number(recall(key)) || null;
      runCall('popup.fetch', { id: open, popupData: { page: pathname } }).then(
        ({ data }) => {
          const answer = data as Fetched;
          if (answer.display && answer.data) setFound(answer); // S181, S182
          else if (open !== null) remember(key, 'over');
        },
        () => undefined,
      ); // a popup that can't be fetched is not missed
    }, wait);
    return () => clearTimeout(timer);
  }, [isCalm, pathname, found, key]);
  // Whether the person is busy is checked when all of its code is there: it stands in the same moment, and never comes
  // over a dialog that was opened meanwhile.
  const code = useChunk(found ? popupChunk : undefined);
  const overlays = useChunk(found ? overlaysChunk : undefined);
  const isReady = code !== undefined && overlays !== undefined;
  useEffect(() => {
    if (!found || isShown || !isReady) return;
    const showIfDue = (): void => {
      if (!isBusy()) setShown(true);
    };
    showIfDue();
    const timer = setInterval(showIfDue, 1500);
    return () => clearInterval(timer);
  }, [found, isShown, isReady]);
  useEffect(() => {
    if (!isShown || !found?.data) return;
    remember(key, String(found.data.id));
    mark(found.data.id, 'SEEN');
  }, [isShown, found, key]);
  if (!isShown || !found?.data || !code) return null;
  const { id } = found.data;
  const close = (state: State): void => {
    mark(id, state);
    if (state === 'DONE' && staysOpen(id)) return; // S184, S188 to S190
    remember(key, 'over');
    setShown(false);
    setFound(undefined);
  };
  return <code.Popup popup={found.data} values={found.placeholderData} onDismiss={() => close('DISMISSED')} onDone={() => close('DONE')} />;
}

/** One after another: a popup that is closed at once was seen before it was dismissed. */
let marking: Promise<unknown> = Promise.resolve();
function mark(id: number, state: State): void {
  marking = marking.then(() => runCall('popup.mark', { id, state })).catch(() => undefined);
}
