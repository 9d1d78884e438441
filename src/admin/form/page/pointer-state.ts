// Whether a pointer is down. What moves the page between press and release makes the click miss, so it waits for the release.

let isDown = false;
const waiting = new Set<() => void>();

function release(): void {
  // The click follows the release within the same turn.
  setTimeout(() => {
    isDown = false;
    const all = [...waiting];
    waiting.clear();
    for (const run of all) run();
  });
}

if (typeof window !== 'undefined') {
  window.addEventListener(
    'pointerdown',
    () => {
      isDown = true;
    },
    true,
  );
  for (const end of ['pointerup', 'pointercancel', 'blur'])
    window.addEventListener(
      end,
      event => {
        // A field that loses the focus to the press says so on its way through the window as well: only the window's own counts.
        if (isDown && (end !== 'blur' || event.target === window)) release();
      },
      true,
    );
}

export const isPointerDown = (): boolean => isDown;
/** Runs at once, or after the click when a pointer is down; the same function waits once. */
export function afterPointerUp(run: () => void): void {
  if (isDown) waiting.add(run);
  else run();
}
