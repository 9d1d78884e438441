// A list of choices in a popover that the arrow keys walk through.
import type { KeyboardEvent, ReactElement, ReactNode } from 'react';

/** A list of choices; arrows move, Space and Enter choose. */
export function Options({ label, children }: { label: string; children: ReactNode }): ReactElement {
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    const all = [...event.currentTarget.querySelectorAll<HTMLElement>('button, input')];
    const index = all.indexOf(document.activeElement as HTMLElement);
    all[(index + (event.key === 'ArrowDown' ? 1 : -1) + all.length) % all.length]?.focus();
  };
  return <div className="l-pop-list" role="group" aria-label={label} onKeyDown={onKeyDown}>{children}</div>;
}
