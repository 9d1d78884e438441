// What stands around the texts: the bar that saves, and replacing words in all that are shown.
import { useState } from 'react';
import { useSaveShortcut } from '../../form/page/save-bar.tsx';
import { notify } from '../../ui/notices/notices.tsx';
import type { TextRecord } from './text-row.tsx';
import { t } from '../../../domain/text/t.ts';

export interface TextsBarProps {
  changes: number;
  /** Changes that can't be saved as they are. */
  wrong: number;
  /** Changes of texts that another person changed as well. */
  stale: number;
  isSaving: boolean;
  onKeepMine: () => void;
  onTakeTheirs: () => void;
  onSave: () => void;
  onDiscard: () => void;
}
export function TextsBar({ changes, wrong, stale, isSaving, onKeepMine, onTakeTheirs, onSave, onDiscard }: TextsBarProps) {
  const held = wrong > 0 ? t`Correct the marked texts first.` : stale > 0 ? t`Choose whose words to keep first.` : undefined;
  useSaveShortcut(onSave, () => changes > 0 && held === undefined);
  if (changes === 0 && !isSaving) return null;
  return (
    <div className="f-bar" data-bar role="region" aria-label={t`Unsaved changes`}>
      <div className="f-bar-text">
        <p className="p-strong" role="status">
          {changes === 1 ? t`1 unsaved change` : t`${changes} unsaved changes`}
        </p>
        {stale > 0 && (
          <p className="p-error" role="status">
            {stale === 1 ? t`1 text was changed by another person meanwhile.` : t`${stale} texts were changed by another person meanwhile.`}
          </p>
        )}
        {wrong > 0 && <p className="p-error">{wrong === 1 ? t`1 text needs other words.` : t`${wrong} texts need other words.`}</p>}
      </div>
      <div className="p-row x-texts-bar">
        {stale > 1 && (
          <>
            <button type="button" className="p-btn" disabled={isSaving} onClick={onKeepMine}>
              {t`Keep all of mine`}
            </button>
            <button type="button" className="p-btn" disabled={isSaving} onClick={onTakeTheirs}>
              {t`Take all of their changes`}
            </button>
          </>
        )}
        <button type="button" className="p-btn" disabled={isSaving} onClick={onDiscard}>
          {t`Discard`}
        </button>
        <button
          type="button"
          className="p-btn p-btn-primary"
          aria-busy={isSaving}
          {...(held ? { 'aria-disabled': true, 'data-tip': held } : {})}
          onClick={onSave}
        >
          {t`Save`}
        </button>
      </div>
    </div>
  );
}

export interface ReplaceProps {
  /** The texts that are shown, with their words. */
  texts: readonly (readonly [TextRecord, string])[];
  onReplace: (changes: (readonly [TextRecord, string])[]) => void;
}
/** Replaces words in all texts that are shown; variables and tags stay, and nothing is saved yet. */
export function Replace({ texts, onReplace }: ReplaceProps) {
  const [isOpen, setOpen] = useState(false);
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  if (!isOpen)
    return (
      <button type="button" className="p-btn" onClick={() => setOpen(true)}>
        {t`Replace words`}
      </button>
    );
  const found = from === '' ? [] : texts.filter(([, words]) => words.includes(from));
  const replace = (): void => {
    if (found.length === 0) return;
    onReplace(found.map(([text, words]) => [text, words.replaceAll(from, to)] as const));
    const status =
      found.length === 1 ? t`Replaced in 1 text. Look at them and save.` : t`Replaced in ${found.length} texts. Look at them and save.`;
    notify(status, { tone: 'info' });
    setFrom('');
  };
  return (
    <div className="x-texts-tools" role="group" aria-label={t`Replace words in the texts shown`}>
      <input
        className="p-input"
        aria-label={t`Replace`}
        placeholder={t`Replace`}
        value={from}
        onChange={event => setFrom(event.target.value)}
      />
      <input className="p-input" aria-label={t`With`} placeholder={t`With`} value={to} onChange={event => setTo(event.target.value)} />
      <button
        type="button"
        className="p-btn"
        {...(found.length ? {} : { 'aria-disabled': true, 'data-tip': t`No text shown has these words.` })}
        onClick={replace}
      >
        {found.length === 1 ? t`Replace in 1 text` : t`Replace in ${found.length} texts`}
      </button>
      <button type="button" className="p-btn p-btn-plain" onClick={() => setOpen(false)}>
        {t`Close`}
      </button>
    </div>
  );
}
