// Who works by keyboard keeps their place: when what had the focus is gone (a row's "Skip" became "Unskip", an editor closed, a product was
// removed), the focus goes to what stands there now, else to the part of the page it was in, never to the top of the page and never to an
// action on something else.
import { type RefObject, useEffect } from 'react';

const FOCUSABLE = 'button:not(:disabled), a[href], input:not(:disabled), select:not(:disabled), textarea:not(:disabled)';
const seen = (element: Element): element is HTMLElement => element instanceof HTMLElement && element.getClientRects().length > 0;
const nameOf = (element: Element): string => element.getAttribute('aria-label') ?? (element as HTMLElement).innerText?.trim() ?? '';

/** Where the focus was: the element, what it was called (an editor by the button that opens it), its row and its part of the page. */
interface Place {
  element: HTMLElement;
  name: string;
  row: Element | null;
  part: Element | null;
}
const placeOf = (element: HTMLElement): Place => ({
  element,
  name: nameOf(element.closest('.r-edit') ?? element),
  row: element.closest('tr, li, dd'),
  part: element.closest('[data-section], .r-note, .r-head'),
});

/** What the focus goes to; undefined while the row has nothing to press, because its change is under way. */
function successorOf({ name, row, part }: Place, root: HTMLElement): HTMLElement | undefined {
  if (row?.isConnected) {
    const own = [...row.querySelectorAll(FOCUSABLE)].filter(seen);
    return own.find(one => nameOf(one) === name) ?? own[0];
  }
  const rest = part?.isConnected ? part : root.querySelector('.r-head');
  const same = row ? undefined : [...(rest?.querySelectorAll(FOCUSABLE) ?? [])].filter(seen).find(one => nameOf(one) === name);
  if (same || !(rest instanceof HTMLElement)) return same;
  rest.tabIndex = -1;
  return rest;
}

/** Keeps the focus inside `box` while what it holds changes. Dialogs and menus give the focus back by themselves first. */
export function useFocusRestore(box: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const root = box.current;
    if (!root) return undefined;
    let last: Place | undefined;
    const onFocus = (event: FocusEvent): void => {
      last = event.target instanceof HTMLElement ? placeOf(event.target) : undefined;
    };
    // A person who clicks beside everything has left the place.
    const onPress = (event: PointerEvent): void => {
      if (event.target instanceof Element && !event.target.closest(FOCUSABLE)) last = undefined;
    };
    const look = (): void => {
      if (
        !last ||
        last.element.isConnected ||
        document.activeElement !== document.body ||
        document.querySelector('.MuiDialog-root, .MuiMenu-root, .MuiPopover-root, dialog[open]')
      )
        return;
      successorOf(last, root)?.focus({ preventScroll: true });
    };
    // Dialogs stand beside the page: the whole body is watched for their going.
    const watcher = new MutationObserver(look);
    watcher.observe(document.body, { childList: true, subtree: true });
    root.addEventListener('focusin', onFocus);
    root.addEventListener('pointerdown', onPress);
    return () => {
      watcher.disconnect();
      root.removeEventListener('focusin', onFocus);
      root.removeEventListener('pointerdown', onPress);
    };
  }, [box]);
}
