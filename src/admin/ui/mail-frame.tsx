// What people get to see outside of the admin, as wide as a phone or a desktop.
import { t } from '../../domain/text/t.ts';
import { SentFrame, type Width } from './sent-frame.tsx';

export const WIDTHS: readonly (readonly [Width, string])[] = [
  ['phone', t`Phone`],
  ['desktop', t`Desktop`],
];
export const SCHEMES = [
  ['light', t`Light`],
  ['dark', t`Dark`],
] as const;
export type Scheme = (typeof SCHEMES)[number][0];

interface MailFrameProps {
  html: string;
  title: string;
  width: Width;
}
/** An e-mail as mail clients draw it: its own HTML in a frame without rights, as wide as a phone or a desktop. */
export const MailFrame = ({ html, title, width }: MailFrameProps) => (
  <SentFrame src="/mail/frame" sent={html} title={title} width={width} />
);

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
