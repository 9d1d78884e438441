// The four steps: which one is open, which are done and can be gone back to.
import { Check } from 'lucide-react';
import type { ReactElement } from 'react';
import { type Step, STEPS } from './draft.ts';
import { t } from '../../../domain/text/t.ts';
import { tx } from '../../ui/tx.ts';

export function Stepper({
  step,
  reachable,
  onStep,
}: {
  step: Step;
  /** Steps that can be opened now. */ reachable: ReadonlySet<Step>;
  onStep: (step: Step) => void;
}): ReactElement {
  const index = STEPS.findIndex(one => one.id === step);
  return (
    <nav aria-label={t`Steps`}>
      <ol className="ba-steps">
        {STEPS.map((one, i) => {
          const state = i === index ? 'now' : i < index ? 'done' : 'ahead';
          const face = (
            <>
              <span className="ba-step-mark" aria-hidden="true">
                {state === 'done' ? <Check size={13} /> : i + 1}
              </span>
              <span className="ba-step-title">{one.title}</span>
            </>
          );
          return (
            <li key={one.id} data-state={state}>
              {state !== 'now' && reachable.has(one.id) ? (
                <button type="button" className="ba-step" onClick={() => onStep(one.id)}>
                  {face}
                </button>
              ) : (
                <span className="ba-step" {...(state === 'now' ? { 'aria-current': 'step' as const } : {})}>
                  {face}
                </span>
              )}
            </li>
          );
        })}
      </ol>
      <p className="ba-step-short" aria-hidden="true">
        {tx`Step ${index + 1} of ${STEPS.length}`}
      </p>
    </nav>
  );
}
