// One tooltip for the whole page: it serves every element with `data-tip`, and every `.p-cut` or table cell whose text is cut off.
// (A component per cell would cost more than the table itself.) Shown on hover after a moment and on keyboard focus at once; Esc closes it.

const DELAY = 350;
let bubble: HTMLDivElement | undefined;
let shownFor: HTMLElement | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/** What to say about an element: its tip, or its text when that does not fit. */
function tipOf(target: EventTarget | null, focused: boolean): [HTMLElement, string] | undefined {
  if (!(target instanceof Element)) return undefined;
  const tipped = target.closest<HTMLElement>('[data-tip]');
  if (tipped?.dataset.tip) return [tipped, tipped.dataset.tip];
  const cut =
    target.closest<HTMLElement>('.p-cut, .p-table td, .l-table :is(td, th)') ??
    (focused ? target.querySelector<HTMLElement>('.p-cut') : null);
  if (!cut) return undefined;
  const inner = cut.scrollWidth > cut.clientWidth + 1 ? cut : cut.querySelector<HTMLElement>('.p-cut');
  return inner && inner.scrollWidth > inner.clientWidth + 1
    ? [
        inner,
        inner.innerText
          .split('\n')
          .map(line => line.trim())
          .filter(Boolean)
          .join(', '),
      ]
    : undefined;
}

function show(anchor: HTMLElement, text: string): void {
  if (!bubble) {
    bubble = document.createElement('div');
    bubble.className = 'p-tip';
    bubble.id = 'p-tip';
    bubble.setAttribute('role', 'tooltip');
    bubble.popover = 'manual';
  }
  const host = anchor.closest('dialog, [role="dialog"]') ?? document.querySelector('main') ?? document.body;
  if (bubble.parentElement !== host) host.append(bubble);
  shownFor?.removeAttribute('aria-describedby');
  bubble.textContent = text;
  shownFor = anchor;
  if (anchor.dataset.tip && anchor.getAttribute('aria-label') !== text) anchor.setAttribute('aria-describedby', 'p-tip');
  if (!bubble.matches(':popover-open')) bubble.showPopover();
  const at = anchor.getBoundingClientRect();
  const size = bubble.getBoundingClientRect();
  const left = Math.max(8, Math.min(at.left + at.width / 2 - size.width / 2, innerWidth - size.width - 8));
  const above = at.bottom + 6 + size.height > innerHeight - 8;
  bubble.style.left = `${left}px`;
  bubble.style.top = `${above ? at.top - size.height - 6 : at.bottom + 6}px`;
}
function hide(): void {
  clearTimeout(timer);
  if (!shownFor) return;
  if (shownFor.getAttribute('aria-describedby') === 'p-tip') shownFor.removeAttribute('aria-describedby');
  shownFor = undefined;
  if (bubble?.matches(':popover-open')) bubble.hidePopover();
}

/** Starts serving tooltips; once per page. */
export function startTooltips(): void {
  document.addEventListener('pointerover', event => {
    if (event.pointerType === 'touch') return;
    const found = tipOf(event.target, false);
    if (found?.[0] === shownFor && shownFor) return;
    hide();
    if (found)
      timer = setTimeout(() => {
        if (found[0].isConnected) show(...found);
      }, DELAY);
  });
  document.addEventListener('focusin', event => {
    hide();
    if (!(event.target instanceof Element) || !event.target.matches(':focus-visible')) return;
    const found = tipOf(event.target, true);
    if (found && found[0].dataset.tip) show(...found);
  });
  document.addEventListener('focusout', hide);
  document.addEventListener('pointerdown', hide, true);
  document.addEventListener(
    'keydown',
    event => {
      if (event.key === 'Escape') hide();
    },
    true,
  );
  document.addEventListener('scroll', hide, true);
}
