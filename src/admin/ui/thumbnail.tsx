// Small pictures of products: a frame of the same size stands where there is none, or none can be had.
import { type ReactElement, useState } from 'react';
import { useAfterFirstPaint } from '../platform/start/after-first-paint.ts';

interface PictureProps {
  /** Its address; nothing, or an empty text, for none. */
  src: string | null | undefined;
  className?: string;
  /** Pixels, where the class does not say it. */
  size?: number;
}

/** A picture, or an empty frame in place of the browser's sign for a broken one. */
export function Picture({ src, className = '', size }: PictureProps): ReactElement {
  const [missing, setMissing] = useState<string>();
  const name = `p-thumbnail ${className}`.trim();
  if (!src || src === missing) return <span className={`${name} p-thumbnail-none`} aria-hidden="true" />;
  return (
    <img
      className={name}
      src={src}
      alt=""
      {...(size ? { width: size, height: size } : {})}
      loading="lazy"
      decoding="async"
      onError={() => setMissing(src)}
    />
  );
}

/** The small picture in a row of a list. What is written comes first: a picture is asked for when the rows are painted. */
export function Thumbnail({ src }: { src: string | undefined }): ReactElement {
  const isShown = useAfterFirstPaint();
  return src !== undefined && isShown ? (
    <Picture src={src} className="p-thumbnail-s" size={28} />
  ) : (
    <span className="p-thumbnail p-thumbnail-s l-thumbnail-empty" aria-hidden="true" />
  );
}
