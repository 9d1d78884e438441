// The script of the frame in which the JavaScript of a box runs (docs/storefront.md). The frame has no origin: its code reaches nothing
// of the page of the shop, hears what the element sends, and draws in the frame alone.

/** What the element sends: the code once, then what happens in the box. */
export type ToCode = { run: string } | { event: string; detail: unknown };

type Listener = (detail: unknown) => void;
const listeners = new Map<string, Set<Listener>>();
/** What happened last, for code that asks later. */
const last = new Map<string, unknown>();

/** What the code of a merchant has: `perennial.on('change', box => …)`; it hears at once what happened last. */
const perennial = {
  on(event: string, listener: Listener): void {
    const known = listeners.get(event) ?? new Set();
    listeners.set(event, known.add(listener));
    if (last.has(event)) listener(last.get(event));
  },
};
Object.assign(globalThis, { perennial });

addEventListener('message', ({ source, data }: MessageEvent<ToCode>) => {
  if (source !== parent) return;
  if ('run' in data) {
    const script = document.createElement('script');
    script.textContent = data.run;
    document.head.append(script);
    return;
  }
  last.set(data.event, data.detail);
  for (const listener of listeners.get(data.event) ?? []) listener(data.detail);
});

const sheet = new CSSStyleSheet();
// Readable on a light and on a dark page: where the page's scheme is another one, the browser gives the frame a background.
sheet.replaceSync(':root { color-scheme: light dark; } body { margin: 0; color: CanvasText; font: 14px/1.45 system-ui, sans-serif; }');
document.adoptedStyleSheets = [sheet];
// The frame is as high as what the code draws, and not there while it draws nothing.
const tell = (): void => parent.postMessage({ height: document.body.childNodes.length ? document.documentElement.scrollHeight : 0 }, '*');
new ResizeObserver(tell).observe(document.body);
new MutationObserver(tell).observe(document.body, { childList: true, subtree: true, characterData: true });
// It is there.
parent.postMessage({ height: 0 }, '*');
