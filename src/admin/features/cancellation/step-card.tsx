// One step of the cancellation flow as a subscriber sees it.
import type { ReactNode } from 'react';
import { chunk, useChunk } from '../../platform/chunk.ts';
import './cancellation.css';

const cleaner = chunk(() => import('../../form/fields/clean-html.ts'));

export interface StepButton {
  text: string;
  /** The one that keeps the subscription. */
  isMain?: boolean;
  /** Missing in a picture of the step, where buttons do nothing. */
  onPress?: (() => void) | undefined;
  isBusy?: boolean;
}

/** `html` is cleaned again right before it is shown, wherever it came from. */
export function StepCard({
  title,
  html,
  children,
  buttons,
}: {
  title: string;
  html?: string;
  children?: ReactNode;
  buttons: StepButton[];
}) {
  const module = useChunk(html ? cleaner : undefined);
  return (
    <div className="c-step">
      <p className="c-step-title">{title}</p>
      {html && module && <div className="f-rich-shown" dangerouslySetInnerHTML={{ __html: module.cleanHtml(html) }} />}
      {children}
      {buttons.length > 0 && (
        <div className="c-step-buttons">
          {buttons.map(({ text, isMain, onPress, isBusy }, i) =>
            onPress ? (
              <button key={i} type="button" className={isMain ? 'p-btn p-btn-primary' : 'p-btn'} disabled={isBusy} onClick={onPress}>
                {text}
              </button>
            ) : (
              <span key={i} className={isMain ? 'c-step-button c-step-main' : 'c-step-button'}>
                {text}
              </span>
            ),
          )}
        </div>
      )}
    </div>
  );
}
