// The bar that appears with the first change: how many there are, save, discard, and what stands in the way.
import { useEffect, useRef, useState } from 'react';
import type { RefObject } from 'react';
import { CircleAlert } from 'lucide-react';
import { letterKey } from '../../ui/letter-key.ts';
import { notify } from '../../ui/notices/notices.tsx';
import { elementAt, focusField } from './focus.ts';
import type { JsonValue } from '../../../contract/types.ts';
import { useChannel, useLatest } from '../engine/hooks.ts';
import { pathOf } from '../engine/path.ts';
import type { FormStore } from '../engine/store.ts';
import type { Save } from './use-save.ts';
import { t } from '../../../domain/text/t.ts';
import { tx } from '../../ui/tx.ts';

export interface SaveBarProps {
  store: FormStore;
  save: Save;
  within: RefObject<HTMLElement | null>;
  /** Of something new: the bar is there from the start and its button says so ("Create selling plan group"). */
  create?: string;
  onCancel?: () => void;
}

const isBlank = (value: JsonValue | undefined): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
const isMac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform);

export function SaveBar({ store, save: { save, isSaving, failure }, within, create, onCancel }: SaveBarProps) {
  useChannel(store, '*');
  useSaveShortcut(
    () => void save(),
    () => store.isDirty() || create !== undefined,
  );
  const isDirty = store.isDirty();
  if (!isDirty && !isSaving && create === undefined) return null;
  const count = store.changeCount();
  const discard = () => {
    const lost = store.discard();
    notify(t`Changes discarded.`, { tone: 'info', undo: () => store.put(lost) });
  };
  return (
    <div className="f-bar" data-bar role="region" aria-label={t`Unsaved changes`}>
      <div className="f-bar-text">
        <p className="p-strong" role="status">
          {create !== undefined
            ? isDirty
              ? t`Not saved yet`
              : t`Nothing entered yet`
            : count === 1
              ? t`1 unsaved change`
              : count
                ? t`${count} unsaved changes`
                : t`Unsaved changes`}
        </p>
        {failure ? (
          <p className="p-error" role="alert">
            <CircleAlert size={14} aria-hidden="true" />
            <span>
              {failure.message}
              {failure.canRetry ? ` ${t`What you entered is kept.`}` : ''}
              {failure.requestId && <span className="f-bar-request"> {tx`Request ${failure.requestId}`}</span>}
            </span>
          </p>
        ) : (
          <ErrorSummary store={store} within={within} />
        )}
      </div>
      <div className="p-row">
        {create === undefined ? (
          <button type="button" className="p-btn" disabled={isSaving} onClick={discard}>
            {t`Discard`}
          </button>
        ) : (
          onCancel && (
            <button type="button" className="p-btn" disabled={isSaving} onClick={onCancel}>
              {t.as('dialog')`Cancel`}
            </button>
          )
        )}
        <button
          type="button"
          className="p-btn p-btn-primary"
          aria-busy={isSaving}
          title={isMac ? '⌘S' : 'Ctrl+S'}
          aria-keyshortcuts="Control+S Meta+S"
          onClick={() => void save()}
        >
          {failure?.canRetry ? t`Try again` : (create ?? t`Save`)}
        </button>
      </div>
    </div>
  );
}

/** How many fields are wrong, with a way to the next, while the first of them is out of sight. */
function ErrorSummary({ store, within }: { store: FormStore; within: RefObject<HTMLElement | null> }) {
  const errors = store.submitted ? store.errors() : [];
  const first = errors[0]?.pointer;
  const [isSeen, setSeen] = useState(true);
  const turn = useRef(0);
  useEffect(() => {
    if (first === undefined) return;
    const element = elementAt(first, within.current ?? document);
    if (!element) {
      const frame = requestAnimationFrame(() => setSeen(false));
      return () => cancelAnimationFrame(frame);
    }
    const watcher = new IntersectionObserver(([entry]) => setSeen(entry?.isIntersecting ?? false));
    watcher.observe(element);
    return () => watcher.disconnect();
  }, [first, within]);
  if (first === undefined || (isSeen && errors.length === 1)) return null;
  const areEmpty = errors.every(({ pointer }) => isBlank(store.get(pathOf(pointer))));
  const next = () => {
    focusField(store, errors[turn.current % errors.length]!.pointer, within.current);
    turn.current += 1;
  };
  return (
    <p className="p-error">
      <CircleAlert size={14} aria-hidden="true" />
      <span>
        {problemText(errors.length, areEmpty)}{' '}
        <button type="button" className="p-link f-bar-next" onClick={next}>
          {isSeen ? t`Next` : t`Show`}
        </button>
      </span>
    </p>
  );
}

const problemText = (n: number, areEmpty: boolean): string =>
  areEmpty
    ? n === 1
      ? t`Fill in the field that is marked.`
      : t`Fill in the ${n} fields that are marked.`
    : n === 1
      ? t`1 field needs another value.`
      : t`${n} fields need another value.`;

/** Ctrl+S and Cmd+S save; the browser's own "save page" never opens on a form. */
export function useSaveShortcut(run: () => void, isActive: () => boolean): void {
  const latest = useLatest({ run, isActive });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (letterKey(event).toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      // A dialog over the form has its own affairs.
      if (document.querySelector('[role="dialog"][aria-modal="true"], .MuiDialog-root')) return;
      event.preventDefault();
      // Asked at the key itself: what was typed the moment before may not be drawn yet.
      if (latest.current.isActive()) latest.current.run();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [latest]);
}
