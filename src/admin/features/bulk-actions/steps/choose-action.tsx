// The first step: what to do, by group, found by typing. Choosing goes on to the next step.
import { CircleCheck, Search } from 'lucide-react';
import { type KeyboardEvent, type ReactElement, useEffect, useRef, useState } from 'react';
import { Icon } from '../../../ui/icons.tsx';
import { hasKeyboard } from '../../../ui/keyboard.ts';
import type { CatalogueAction, Group } from '../catalogue.ts';
import { fittingActions } from '../catalogue.ts';
import { t } from '../../../../domain/text/t.ts';

export function ChooseAction({
  groups,
  chosen,
  onChoose,
}: {
  groups: Group[];
  chosen: string | undefined;
  onChoose: (action: CatalogueAction) => void;
}): ReactElement {
  const [words, setWords] = useState('');
  const area = useRef<HTMLDivElement>(null);
  // Who comes here knows the name of what is to be done; who comes back from the next step is at its heading.
  useEffect(() => {
    if (hasKeyboard() && chosen === undefined) area.current?.querySelector('input')?.focus({ preventScroll: true });
  }, []); // eslint-disable-line react-hooks/exhaustive-deps -- on arrival only
  const shown = fittingActions(groups, words);
  const buttons = (): HTMLElement[] => [...(area.current?.querySelectorAll<HTMLElement>('button.ba-action') ?? [])];
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    const all = buttons();
    const index = all.indexOf(document.activeElement as HTMLElement);
    const next = event.key === 'ArrowDown' ? index + 1 : index - 1;
    if (next < 0) area.current?.querySelector('input')?.focus();
    else all[Math.min(next, all.length - 1)]?.focus();
  };
  return (
    <div ref={area} onKeyDown={onKeyDown}>
      <div className="p-affix ba-search" role="search">
        <span className="p-affix-text">
          <Search aria-hidden="true" />
        </span>
        <input
          className="p-input"
          type="search"
          value={words}
          placeholder={t`Search actions`}
          aria-label={t`Search actions`}
          autoComplete="off"
          spellCheck={false}
          maxLength={60}
          onChange={event => setWords(event.target.value)}
          onKeyDown={event => {
            const [first] = shown.flatMap(group => group.actions);
            if (event.key === 'Enter' && words.trim() && first && first.refusal === undefined) {
              event.preventDefault();
              onChoose(first);
            }
            if (event.key === 'Escape' && words) {
              event.preventDefault();
              setWords('');
            }
          }}
        />
      </div>
      {shown.map(group => (
        <section key={group.key} className="ba-group" aria-labelledby={`group-${group.key}`}>
          <h3 id={`group-${group.key}`}>{group.title}</h3>
          <ul className="ba-actions">
            {group.actions.map(action => (
              <li key={action.key}>
                <button
                  type="button"
                  className="ba-action"
                  aria-pressed={chosen === action.key}
                  aria-disabled={action.refusal !== undefined}
                  {...(action.refusal ? { 'data-tip': action.refusal } : {})}
                  onClick={() => {
                    if (action.refusal === undefined) onChoose(action);
                  }}
                >
                  <span className="ba-action-icon">
                    <Icon name={action.icon} />
                  </span>
                  <span className="ba-action-text">
                    <span className="p-strong">{action.label}</span>
                    <span className="p-hint">{action.description}</span>
                  </span>
                  {chosen === action.key && <CircleCheck className="ba-chosen" size={16} aria-hidden="true" />}
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {shown.length === 0 && (
        <p className="ba-none p-muted" role="status">
          {t`No action of this name. Try “pause”, “price” or “tags”.`}
        </p>
      )}
    </div>
  );
}
