// Figures that could not be loaded: what, why, the number of the request for support, and a way to try again.
import { CircleAlert, RotateCcw } from 'lucide-react';
import type { ReactElement } from 'react';
import { CallError } from '../platform/transport/transport.ts';
import { t } from '../../domain/text/t.ts';
import { tx } from '../ui/tx.ts';

/** `what` begins the sentence: "The last 30 days could not be loaded." */
export function FiguresFailed({ what, error, retry }: { what: string; error: Error; retry: () => void }): ReactElement {
  return (
    <p className="p-banner b-failed-note" data-tone="critical" role="alert">
      <CircleAlert aria-hidden="true" />
      <span className="p-grow">
        <span className="p-strong">{tx`${what} could not be loaded.`}</span> {error.message}
        {error instanceof CallError && error.requestId && <span className="p-tabular"> {tx`Request ${error.requestId}`}</span>}
      </span>
      <button type="button" className="p-btn p-btn-s" onClick={retry}>
        <RotateCcw aria-hidden="true" />
        {t`Try again`}
      </button>
    </p>
  );
}
