// A page in a frame without rights that draws what is sent to it, and says how high it is.
import { useEffect, useRef, useState } from 'react';
import { t } from '../../domain/text/t.ts';
import './sent-frame.css';

/** How wide a frame is drawn. */
export type Width = 'desktop' | 'phone';

/** Nothing is drawn higher than this; what is longer scrolls. */
const HIGHEST = 900;
const LOWEST = 420;
/** What scrolls has to be reached by keyboard. */
const SCROLLED = { tabIndex: 0, role: 'region' } as const;

interface SentFrameProps {
  /** The page: /mail/frame, /storefront/frame. */
  src: string;
  /** What it draws; it hears of each change. */
  sent: unknown;
  title: string;
  width: Width;
  /** How wide they are (px): they are drawn smaller where there is less room. Left out, the frame is as wide as there is room. */
  wide?: Readonly<Record<Width, number>>;
}
export function SentFrame({ src, sent, title, width, wide }: SentFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const place = useRef<HTMLDivElement>(null);
  const [isReady, setReady] = useState(false);
  const [height, setHeight] = useState<number>();
  const [room, setRoom] = useState(0);
  useEffect(() => {
    const hear = ({ source, data }: MessageEvent<{ height?: unknown } | null>): void => {
      if (source !== frame.current?.contentWindow || typeof data?.height !== 'number') return;
      setReady(true);
      if (data.height > 0) setHeight(data.height);
    };
    addEventListener('message', hear);
    return () => removeEventListener('message', hear);
  }, []);
  useEffect(() => {
    // The frame has no origin of its own that could be named.
    if (isReady) frame.current?.contentWindow?.postMessage(sent, '*');
  }, [isReady, sent]);
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => setRoom(entry?.contentRect.width ?? 0));
    if (place.current) observer.observe(place.current);
    return () => observer.disconnect();
  }, []);
  const own = wide?.[width];
  const scale = own !== undefined && room > 0 ? Math.min(1, room / own) : 1;
  const shown = Math.min(Math.max((height ?? 0) * scale, LOWEST), HIGHEST);
  const smaller = scale < 1 ? { width: own, transform: `scale(${scale})`, marginBottom: shown - shown / scale } : undefined;
  return (
    <div
      {...SCROLLED}
      ref={place}
      className="p-mail"
      data-width={width}
      data-scaled={wide !== undefined || undefined}
      aria-label={t`${title}, as it is drawn`}
      aria-busy={height === undefined}
    >
      <iframe ref={frame} src={src} title={title} sandbox="allow-scripts" height={shown / scale} style={smaller} />
    </div>
  );
}
