// A list of choices in a popover that the arrow keys walk through.
import type { KeyboardEvent, ReactElement, ReactNode } from 'react';

/** Keys of a search above a list of choices: down steps into the list, Enter takes the first that is found. */
export function intoOptions(event: KeyboardEvent<HTMLInputElement>): void {
  const first = event.currentTarget.closest('.l-pop')?.querySelector<HTMLElement>('.l-pop-list :is(button, input):not(:disabled)');
  if (
    !first ||
    event.nativeEvent.isComposing ||
    (event.key !== 'ArrowDown' && !(event.key === 'Enter' && event.currentTarget.value.trim()))
  )
    return;
  event.preventDefault();
  if (event.key === 'Enter') first.click();
  else first.focus();
}

/** A list of choices; arrows move, Space and Enter choose. */
export function Options({ label, children }: { label: string; children: ReactNode }): ReactElement {
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    const all = [...event.currentTarget.querySelectorAll<HTMLElement>(':is(button, input):not(:disabled)')];
    const index = all.indexOf(document.activeElement as HTMLElement);
    all[(index + (event.key === 'ArrowDown' ? 1 : -1) + all.length) % all.length]?.focus();
  };
  return (
    <div className="l-pop-list" role="group" aria-label={label} onKeyDown={onKeyDown}>
      {children}
    </div>
  );
}
