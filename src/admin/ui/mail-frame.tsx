// An e-mail as mail clients draw it: its own HTML in a frame without rights, as wide as a phone or a desktop.
import { useEffect, useRef, useState } from 'react';
import './mail-frame.css';
import { t } from '../../domain/text/t.ts';

export const WIDTHS = [
  ['phone', t`Phone`],
  ['desktop', t`Desktop`],
] as const;
export const SCHEMES = [
  ['light', t`Light`],
  ['dark', t`Dark`],
] as const;
export type Width = (typeof WIDTHS)[number][0];
export type Scheme = (typeof SCHEMES)[number][0];

/** No letter is drawn higher than this; longer ones scroll. */
const HIGHEST = 900;
const LOWEST = 420;
/** What scrolls has to be reached by keyboard. */
const SCROLLED = { tabIndex: 0, role: 'region' } as const;

interface MailFrameProps {
  html: string;
  title: string;
  width: Width;
}
export function MailFrame({ html, title, width }: MailFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [isReady, setReady] = useState(false);
  const [height, setHeight] = useState<number>();
  useEffect(() => {
    const hear = ({ source, data }: MessageEvent<{ height?: unknown } | null>): void => {
      if (source !== frame.current?.contentWindow || typeof data?.height !== 'number') return;
      setReady(true);
      if (data.height > 0) setHeight(Math.min(Math.max(data.height, LOWEST), HIGHEST));
    };
    addEventListener('message', hear);
    return () => removeEventListener('message', hear);
  }, []);
  useEffect(() => {
    // The frame has no origin of its own that could be named.
    if (isReady) frame.current?.contentWindow?.postMessage(html, '*');
  }, [isReady, html]);
  return (
    <div {...SCROLLED} className="p-mail" data-width={width} aria-label={t`${title}, as it is drawn`} aria-busy={height === undefined}>
      <iframe ref={frame} src="/mail/frame" title={title} sandbox="allow-scripts" height={height ?? LOWEST} />
    </div>
  );
}

interface ChoiceProps<K extends string> {
  label: string;
  of: readonly (readonly [K, string])[];
  value: K;
  onChange: (value: K) => void;
}
/** One of a few ways to look at it. */
export function Choice<K extends string>({ label, of, value, onChange }: ChoiceProps<K>) {
  return (
    <div className="p-segment" role="group" aria-label={label}>
      {of.map(([key, title]) => (
        <button key={key} type="button" aria-pressed={value === key} onClick={() => onChange(key)}>
          {title}
        </button>
      ))}
    </div>
  );
}
