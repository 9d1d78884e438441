// The small picture in a row of a list. What is written comes first: the pictures of the first page are asked for when its rows are painted.
import { type ReactElement, useSyncExternalStore } from 'react';

let painted = false;
let asked = false;
const watchers = new Set<() => void>();

function watch(then: () => void): () => void {
  watchers.add(then);
  if (!asked) {
    asked = true;
    // After the frame that shows the rows: a task that is due once it is drawn.
    requestAnimationFrame(() => setTimeout(() => { painted = true; for (const watcher of watchers) watcher(); }));
  }
  return () => { watchers.delete(then); };
}

/** An address of a picture, or nothing for an empty frame of the same size. */
export function Thumb({ src }: { src: string | undefined }): ReactElement {
  const isShown = useSyncExternalStore(watch, () => painted);
  if (src === undefined || !isShown) return <span className="p-thumb p-thumb-s l-thumb-empty" aria-hidden="true" />;
  return <img className="p-thumb p-thumb-s" src={src} alt="" width={28} height={28} loading="lazy" decoding="async" />;
}
