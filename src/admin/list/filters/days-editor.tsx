// Chooses days: of a date filter, or of a page with figures.
import { Check } from 'lucide-react';
import { type FormEvent, type ReactElement, useId, useState } from 'react';
import { Options } from './options.tsx';
import { joinRange, PRESETS, splitRange } from '../../platform/list-query.ts';
import { t } from '../../../domain/text/t.ts';

const AHEAD = ['today', 'tomorrow', 'next-7-days', 'next-30-days', 'this-month', 'next-month'];
const BEHIND = ['today', 'yesterday', 'last-7-days', 'last-30-days', 'last-90-days', 'this-month', 'last-month'];
/** Presets that apply at once, and two days of one's own; the value is a preset's name or "2026-01-01..2026-01-31". */
export function DaysEditor({
  title,
  ahead = false,
  value,
  onChange,
  onClose,
}: {
  title: string;
  ahead?: boolean;
  value: string;
  onChange: (value: string) => void;
  onClose: () => void;
}): ReactElement {
  const preset = PRESETS[value] !== undefined;
  const [from, to] = preset ? ['', ''] : splitRange(value);
  const [first, setFirst] = useState(from);
  const [last, setLast] = useState(to);
  const id = useId();
  const wrong = first && last && first > last ? t`The first day lies after the last.` : undefined;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (wrong) return;
    onChange(joinRange(first, last));
    onClose();
  };
  return (
    <>
      <Options label={title}>
        {(ahead ? AHEAD : BEHIND).map((name, i) => (
          <button
            key={name}
            type="button"
            className="p-menu-item"
            autoFocus={i === 0}
            aria-pressed={value === name}
            onClick={() => {
              onChange(name);
              onClose();
            }}
          >
            <span className="p-grow">{PRESETS[name]?.title}</span>
            {value === name && <Check aria-hidden="true" />}
          </button>
        ))}
      </Options>
      <form className="l-pop-form l-pop-more" onSubmit={submit}>
        <div className="p-row l-days">
          <label className="p-field p-grow">
            <span className="p-label">{t`From`}</span>
            <input
              className="p-input p-input-s"
              type="date"
              value={first}
              onChange={event => setFirst(event.target.value)}
              aria-invalid={wrong !== undefined}
              aria-describedby={wrong ? id : undefined}
            />
          </label>
          <label className="p-field p-grow">
            <span className="p-label">{t`Until`}</span>
            <input className="p-input p-input-s" type="date" value={last} onChange={event => setLast(event.target.value)} />
          </label>
        </div>
        {wrong && (
          <p id={id} className="p-error" role="alert">
            {wrong}
          </p>
        )}
        <div className="p-row p-end">
          <button type="submit" className="p-btn p-btn-s p-btn-primary">
            {t`Apply`}
          </button>
        </div>
      </form>
    </>
  );
}
