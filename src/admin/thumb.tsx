// The small picture in a row of a list. What is written comes first: a picture is asked for when the rows are painted.
import type { ReactElement } from 'react';
import { usePainted } from './painted.ts';

/** An address of a picture, or nothing for an empty frame of the same size. */
export function Thumb({ src }: { src: string | undefined }): ReactElement {
  const isShown = usePainted();
  if (src === undefined || !isShown) return <span className="p-thumb p-thumb-s l-thumb-empty" aria-hidden="true" />;
  return <img className="p-thumb p-thumb-s" src={src} alt="" width={28} height={28} loading="lazy" decoding="async" />;
}
