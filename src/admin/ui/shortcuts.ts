// Keys that run a record's actions: single letters, only while no text is typed and no dialog or menu is open.
import { useEffect, useRef } from 'react';
import { letterKey } from './letter-key.ts';

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.closest('input, textarea, select, [role="textbox"], [role="combobox"]') !== null);
const isCovered = (): boolean => document.querySelector('.MuiDialog-root, .MuiMenu-root, .MuiPopover-root, dialog[open]') !== null;

/** "S" or "Shift+C": what a key event is called in an action's `shortcut`. */
export const shortcutOf = (event: Pick<KeyboardEvent, 'key' | 'shiftKey'> & { code?: string }): string =>
  `${event.shiftKey ? 'Shift+' : ''}${letterKey(event).toUpperCase()}`;

/** Runs `take` for a pressed key; `take` answers whether the key was one of its own. */
export function useShortcuts(take: (shortcut: string) => boolean): void {
  const latest = useRef(take);
  latest.current = take;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        event.repeat ||
        event.defaultPrevented ||
        event.key.length !== 1 ||
        isTyping(event.target) ||
        isCovered()
      )
        return;
      if (latest.current(shortcutOf(event))) event.preventDefault();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}
