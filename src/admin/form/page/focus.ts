// Brings a field to the person: opens what is closed around it, scrolls to it, puts the cursor in it.
import { parentOf } from '../engine/path.ts';
import type { FormStore } from '../engine/store.ts';

const FOCUSABLE =
  'input:not([type=hidden]):not([disabled]), select:not([disabled]), textarea:not([disabled]), button:not([disabled]), ' +
  '[contenteditable=true], [tabindex]:not([tabindex="-1"])';

/** The element that draws a place, or the nearest around it that is drawn. */
export function elementAt(pointer: string, root: ParentNode = document): HTMLElement | undefined {
  for (let at = pointer; at; at = parentOf(at)) {
    const element = root.querySelector<HTMLElement>(`[data-at="${CSS.escape(at)}"]`);
    if (element) return element;
  }
  return undefined;
}

/** Opens, scrolls to and focuses the field at a pointer. */
export function focusField(store: FormStore, pointer: string, root?: ParentNode | null): void {
  store.opened.reveal(pointer);
  const go = () => {
    const frame = elementAt(pointer, root ?? document);
    const control = frame?.querySelector<HTMLElement>('[aria-invalid="true"]') ?? frame?.querySelector<HTMLElement>(FOCUSABLE);
    if (!frame || !control) return;
    control.focus({ preventScroll: true });
    frame.scrollIntoView({ block: 'nearest' });
  };
  // What was just opened is drawn by the next frame.
  if (elementAt(pointer, root ?? document)?.dataset.at === pointer) go();
  else requestAnimationFrame(() => requestAnimationFrame(go));
}

/** Focuses the first control within: of choices the one that is made; a text is marked, so that typing replaces it. */
export function focusFirst(root: ParentNode): void {
  const first = root.querySelector<HTMLElement>(FOCUSABLE);
  const control =
    first instanceof HTMLInputElement && first.type === 'radio'
      ? (root.querySelector<HTMLElement>(`input[type="radio"][name="${CSS.escape(first.name)}"]:checked`) ?? first)
      : first;
  control?.focus({ preventScroll: true });
  if (control instanceof HTMLInputElement && /^(text|number)$/.test(control.type)) control.select();
}

/** So long (ms) after something was drawn, its fields may still appear or be redrawn. */
const SETTLES = 1500;

/**
 * Focuses the first control within something that opens, as soon as it is drawn (the code of dialogs may be on its way), and again if it is
 * redrawn; until the person presses anything there. Gives what ends it before.
 */
export function holdFirst(rootOf: () => HTMLElement | null): () => void {
  let until: number | undefined;
  let frame = 0;
  const ending = new AbortController();
  const end = (): void => {
    cancelAnimationFrame(frame);
    ending.abort();
  };
  const tryToFocus = (): void => {
    const root = rootOf();
    if (root && until === undefined) {
      until = performance.now() + SETTLES;
      for (const pressed of ['keydown', 'pointerdown']) document.addEventListener(pressed, end, { capture: true, signal: ending.signal });
    }
    // A field whose code is on its way keeps its place: it is waited for, however long, or the focus would go to the one after it.
    const isWaiting = !root || root.querySelector('.f-waiting') !== null;
    if (root && !isWaiting && !root.contains(document.activeElement)) focusFirst(root);
    if (isWaiting || until === undefined || performance.now() < until) frame = requestAnimationFrame(tryToFocus);
    else end();
  };
  frame = requestAnimationFrame(tryToFocus);
  return end;
}
