// The search of a list: waits until typing rests, "/" goes there, Esc clears.
import { Search, X } from 'lucide-react';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { hasKeyboard } from '../../ui/keyboard.ts';
import type { Narrowing } from '../use-list.ts';
import { t } from '../../../domain/text/t.ts';

/** Takes the keyboard to the search of the list, where a keyboard is what one works with: what was pressed to get here is gone. */
export const focusSearch = (): void => {
  if (hasKeyboard()) document.querySelector<HTMLInputElement>('.l-search > input')?.focus();
};

export function SearchField({ list }: { list: Narrowing }): ReactElement {
  const query = list.state.q;
  const [text, setText] = useState(query);
  const input = useRef<HTMLInputElement>(null);
  const sent = useRef(query);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const { change } = list;

  // The address changed by other means (a tab, going back): the field follows.
  useEffect(() => {
    if (query === sent.current) return;
    sent.current = query;
    setText(query);
  }, [query]);
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== '/' || event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented) return;
      const at = document.activeElement;
      if (
        (at instanceof HTMLInputElement && at.type !== 'checkbox') ||
        at instanceof HTMLTextAreaElement ||
        at instanceof HTMLSelectElement ||
        (at instanceof HTMLElement && at.isContentEditable) ||
        at?.closest('[role="dialog"], dialog')
      )
        return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);

  const send = (words: string): void => {
    clearTimeout(timer.current);
    if (words.trim() === sent.current) return;
    const replace = sent.current !== '';
    sent.current = words.trim();
    change({ q: words.trim() }, { replace });
  };
  const type = (words: string): void => {
    setText(words);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => send(words), 250);
  };
  const label = list.resource.list?.search ?? t`Search ${list.resource.title.toLowerCase()}`;
  return (
    <div className="p-affix l-search" role="search">
      <span className="p-affix-text">
        <Search aria-hidden="true" />
      </span>
      <input
        ref={input}
        className="p-input"
        type="search"
        value={text}
        placeholder={label}
        aria-label={label}
        aria-keyshortcuts="/"
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        onChange={event => type(event.target.value)}
        onKeyDown={event => {
          if (event.key === 'Enter') send(text);
          if (event.key === 'Escape' && text) {
            event.preventDefault();
            setText('');
            send('');
          }
        }}
      />
      {text ? (
        <button
          type="button"
          className="p-icon-btn p-icon-btn-s"
          aria-label={t`Clear search`}
          onClick={() => {
            setText('');
            send('');
            input.current?.focus();
          }}
        >
          <X aria-hidden="true" />
        </button>
      ) : (
        <span className="p-affix-text l-slash" aria-hidden="true">
          <kbd className="p-kbd">/</kbd>
        </span>
      )}
    </div>
  );
}
