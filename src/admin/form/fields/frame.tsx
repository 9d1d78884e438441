// What stands around a widget: label above, help and error under it.
import type { ReactNode } from 'react';
import { CircleAlert } from 'lucide-react';
import type { Frame } from './widget.ts';

export interface FrameProps {
  id: string;
  pointer: string;
  label: string;
  help: string | undefined;
  error: string | undefined;
  frame: Frame;
  width: string;
  required: boolean;
  compact: boolean;
  hideLabel: boolean;
  children: ReactNode;
}

export function FieldFrame({ id, pointer, label, help, error, frame, width, required, compact, hideLabel, children }: FrameProps) {
  const quiet = compact || hideLabel ? 'p-label f-quiet' : 'p-label';
  return (
    <div className={compact ? 'f-cell' : `f-field f-w-${width}`} data-at={pointer}>
      {frame === 'label' && label && (
        <label className={quiet} htmlFor={id} id={`${id}-label`}>
          {label}
          {required && <RequiredMark />}
        </label>
      )}
      {frame === 'group' && label && (
        <span className={quiet} id={`${id}-label`}>
          {label}
          {required && <RequiredMark />}
        </span>
      )}
      {children}
      {help && (
        <p className="p-help" id={`${id}-help`}>
          {help}
        </p>
      )}
      {error && <FieldError id={id} error={error} />}
    </div>
  );
}

const RequiredMark = () => (
  <span className="f-required" aria-hidden="true">
    {' '}
    *
  </span>
);

export function FieldError({ id, error }: { id: string; error: string }) {
  return (
    <p className="p-error" id={`${id}-error`}>
      <CircleAlert size={14} aria-hidden="true" />
      {error}
    </p>
  );
}

/** A value that can't be changed: calm text, no box. */
export function ReadOnlyFrame({
  label,
  width = 'full',
  compact,
  children,
}: {
  label: string;
  width: string | undefined;
  compact: boolean;
  children: ReactNode;
}) {
  return (
    <div className={compact ? 'f-cell f-fact' : `f-field f-fact f-w-${width}`}>
      {label && <span className={compact ? 'f-fact-label f-quiet' : 'f-fact-label'}>{label}</span>}
      <div className="f-fact-value">{children}</div>
    </div>
  );
}
