// The way into the command palette: a button in the top bar and Ctrl+K (Cmd+K on a Mac), from anywhere. The palette itself arrives then.
import { Search } from 'lucide-react';
import { type ReactElement, useCallback, useEffect, useRef, useState } from 'react';
import { letterKey } from '../../ui/letter-key.ts';
import { chunk, useChunk, warm } from '../../platform/chunk.ts';
import { withCatalogue } from '../../platform/definitions.ts';
import { useRemembering } from '../../platform/routing/recent-places.ts';
import { t } from '../../../domain/text/t.ts';

const palette = chunk(() => withCatalogue(() => import('./palette.tsx')));
const isMac = /mac|iphone|ipad/i.test(navigator.platform);
/** MUI's dialogs and menus hold the focus themselves; nothing opens above them. */
const isCovered = (): boolean => document.querySelector('.MuiDialog-root, .MuiMenu-root, .MuiPopover-root') !== null;

export function PaletteButton(): ReactElement {
  const [open, setOpen] = useState(false);
  const loaded = useChunk(open ? palette : undefined);
  const close = useCallback(() => setOpen(false), []);
  const typed = useTypedAhead(open && !loaded, close);
  useRemembering();
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (
        letterKey(event).toLowerCase() !== 'k' ||
        !(event.metaKey || event.ctrlKey) ||
        event.altKey ||
        event.shiftKey ||
        event.defaultPrevented ||
        isCovered()
      )
        return;
      event.preventDefault();
      setOpen(before => !before);
    };
    document.addEventListener('keydown', onKey);
    const timer = setTimeout(() => warm(palette), 2500);
    return () => {
      document.removeEventListener('keydown', onKey);
      clearTimeout(timer);
    };
  }, []);
  return (
    <>
      <button
        type="button"
        className="p-search-btn"
        aria-label={t`Search`}
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-keyshortcuts={isMac ? 'Meta+K' : 'Control+K'}
        onPointerEnter={() => void palette.load().catch(() => undefined)}
        onClick={() => setOpen(true)}
      >
        <Search aria-hidden="true" />
        <span className="p-search-word">{t`Search`}</span>
        <kbd className="p-kbd" aria-hidden="true">
          {isMac ? '⌘K' : t`Ctrl K`}
        </kbd>
      </button>
      {loaded && open && <loaded.Palette typed={typed()} onClose={close} />}
    </>
  );
}

/** Keeps what is typed while the palette is on its way: a fast hand is meant for the palette, not for the shortcuts of the page. */
function useTypedAhead(isWaiting: boolean, onEscape: () => void): () => string {
  const text = useRef('');
  useEffect(() => {
    if (!isWaiting) return;
    text.current = '';
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === 'Escape') onEscape();
      else if (event.key === 'Backspace') text.current = text.current.slice(0, -1);
      else if (event.key.length === 1) text.current += event.key;
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    document.addEventListener('keydown', onKey, true);
    return () => document.removeEventListener('keydown', onKey, true);
  }, [isWaiting, onEscape]);
  return useCallback(() => text.current, []);
}
