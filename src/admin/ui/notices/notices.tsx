// Notices at the bottom of the page: what happened, Undo where it can be undone. Callable from anywhere; shown by <Notices/> in the shell.
import { useNotificationContext } from 'react-admin';
import { type ReactElement, type RefObject, useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { CallError } from '../../platform/transport/transport.ts';
import { messages } from '../../platform/i18n.ts';
import { noticeBottom } from './notice-place.ts';
import { useRetrying } from '../../platform/transport/use-retrying.ts';
import { t } from '../../../domain/text/t.ts';
import { tx } from '../tx.ts';

export interface Notice {
  id: number;
  text: string;
  tone: 'success' | 'info' | 'critical';
  /** A button in the notice; the notice closes when it is pressed. */
  action?: { title: string; run: () => void };
  /** A second button, before the first. */
  also?: { title: string; run: () => void };
  /** Reference for support: the request that failed. */
  requestId?: string;
  /** How long it is shown; Infinity: until it is closed. */
  seconds: number;
  /** Of work that goes on: how much of it is done, 0 to 1. */
  part?: number;
}
let notices: readonly Notice[] = [];
let last = 0;
const watchers = new Set<() => void>();
const set = (next: readonly Notice[]): void => {
  notices = next;
  for (const watcher of watchers) watcher();
};

/** Says what happened. `undo` puts an Undo button into the notice for ten seconds. Returns the way to close it. */
export function notify(
  text: string,
  options: { tone?: Notice['tone']; undo?: () => void; action?: Notice['action']; also?: Notice['also']; requestId?: string } = {},
): () => void {
  const id = ++last;
  const action = options.undo ? { title: t`Undo`, run: options.undo } : options.action;
  // A notice that repeats the one before is shown again, not twice.
  const others = action ? notices : notices.filter(notice => notice.text !== text || notice.action);
  set([
    ...others.slice(-2),
    {
      id,
      text,
      tone: options.tone ?? 'success',
      seconds: action || options.tone === 'critical' ? 10 : 5,
      ...(action ? { action } : {}),
      ...(options.also ? { also: options.also } : {}),
      ...(options.requestId ? { requestId: options.requestId } : {}),
    },
  ]);
  return () => close(id);
}
/** A notice of work that goes on: it stays, says how far the work is, and is closed by the code that opened it (or by the person). */
export function notifyWork(
  text: string,
  action: NonNullable<Notice['action']>,
): { update: (text: string, part: number) => void; close: () => void } {
  const id = ++last;
  set([...notices.slice(-2), { id, text, tone: 'info', action, seconds: Infinity, part: 0 }]);
  return {
    update: (now, part) => set(notices.map(notice => (notice.id === id ? { ...notice, text: now, part } : notice))),
    close: () => close(id),
  };
}
/** Says that something failed, in the error's own words; a fault with its request id, which a refusal by a rule does not need. */
export function notifyError(error: unknown, doing?: string): void {
  const text = error instanceof Error ? error.message : String(error);
  if (error instanceof CallError && error.status === 0) return; // the banner says so already
  if (error instanceof CallError && error.status === 401) return; // the sign-in page follows
  notify(doing ? `${doing} ${text}` : text, {
    tone: 'critical',
    ...(error instanceof CallError && (error.status < 400 || error.status >= 500) ? { requestId: error.requestId } : {}),
  });
}
const close = (id: number): void => set(notices.filter(notice => notice.id !== id));

/** The stack of notices; read out politely, errors at once. */
export function Notices(): ReactElement {
  const shown = useSyncExternalStore(
    then => {
      watchers.add(then);
      return () => {
        watchers.delete(then);
      };
    },
    () => notices,
  );
  useReactAdminNotices();
  const isRetrying = useRetrying();
  const stack = useRef<HTMLElement>(null);
  useFreePlace(stack, shown.length + Number(isRetrying));
  return (
    <section ref={stack} className="p-notices" aria-label={t`Notices`}>
      <div role="status">
        {isRetrying && (
          <p className="p-notice-quiet">
            <span className="p-spinner" aria-hidden="true" />
            {t`Having trouble reaching the server. Trying again…`}
          </p>
        )}
        {shown
          .filter(notice => notice.tone !== 'critical')
          .map(notice => (
            <One key={notice.id} notice={notice} />
          ))}
      </div>
      <div role="alert">
        {shown
          .filter(notice => notice.tone === 'critical')
          .map(notice => (
            <One key={notice.id} notice={notice} />
          ))}
      </div>
    </section>
  );
}

function One({ notice }: { notice: Notice }): ReactElement {
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (held || notice.seconds === Infinity) return;
    const timer = setTimeout(() => close(notice.id), notice.seconds * 1000);
    return () => clearTimeout(timer);
  }, [held, notice]);
  const Icon = notice.tone === 'critical' ? CircleAlert : notice.tone === 'info' ? Info : CircleCheck;
  return (
    <div
      className="p-notice"
      data-tone={notice.tone}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon aria-hidden="true" />
      <div className="p-grow">
        <p>{notice.text}</p>
        {notice.requestId && <p className="p-notice-id">{tx`Request ${notice.requestId}`}</p>}
        {notice.part !== undefined && (
          <div className="p-progress p-notice-part" aria-hidden="true">
            <span style={{ width: `${notice.part * 100}%` }} />
          </div>
        )}
      </div>
      {[notice.also, notice.action].map(
        action =>
          action && (
            <button
              key={action.title}
              type="button"
              className="p-notice-action"
              onClick={() => {
                close(notice.id);
                action.run();
              }}
            >
              {action.title}
            </button>
          ),
      )}
      <button type="button" className="p-notice-x" aria-label={t`Dismiss`} onClick={() => close(notice.id)}>
        <X aria-hidden="true" />
      </button>
    </div>
  );
}

/** Keeps the stack clear of dialogs' buttons and of save bars, which may come, grow and go while it is shown. */
function useFreePlace(stack: RefObject<HTMLElement | null>, count: number): void {
  useLayoutEffect(() => {
    const element = stack.current;
    if (!element || count === 0) return;
    const place = (): void => {
      const { width, height } = element.getBoundingClientRect();
      const boxes = (selector: string): DOMRect[] => [...document.querySelectorAll(selector)].map(one => one.getBoundingClientRect());
      const dialogs = [...document.querySelectorAll('.MuiDialog-paper')].map(one => ({
        box: one.getBoundingClientRect(),
        foot: one.querySelector('.p-dialog-foot')?.getBoundingClientRect(),
      }));
      const around = { width: innerWidth, height: innerHeight, bars: boxes('[data-bar]'), dialogs };
      element.style.bottom = `${noticeBottom({ width, height }, around)}px`;
    };
    place();
    let frame = 0;
    const soon = (): void => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(place);
    };
    const watcher = new MutationObserver(soon);
    watcher.observe(document.body, { childList: true, subtree: true });
    const sizes = new ResizeObserver(soon);
    sizes.observe(element);
    addEventListener('resize', soon);
    document.addEventListener('animationend', soon);
    document.addEventListener('scroll', soon, { capture: true, passive: true });
    return () => {
      cancelAnimationFrame(frame);
      watcher.disconnect();
      sizes.disconnect();
      removeEventListener('resize', soon);
      document.removeEventListener('animationend', soon);
      document.removeEventListener('scroll', soon, { capture: true });
    };
  }, [stack, count]);
}

/** What react-admin's own hooks say goes the same way. */
function useReactAdminNotices(): void {
  const { notifications, resetNotifications } = useNotificationContext();
  useEffect(() => {
    if (notifications.length === 0) return;
    for (const { message, type } of notifications) {
      if (typeof message === 'string')
        notify(messages[message] ?? message, {
          tone: type === 'error' || type === 'warning' ? 'critical' : type === 'success' ? 'success' : 'info',
        });
    }
    resetNotifications();
  }, [notifications, resetNotifications]);
}
