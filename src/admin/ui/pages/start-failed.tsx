// The start failed (S023, S175): what happened, and the way back to the page that was asked for.
import { CloudOff } from 'lucide-react';
import { type ReactElement, useEffect } from 'react';
import { returnPath } from '../../platform/session/auth-provider.ts';
import { BarePage } from './bare-page.tsx';
import { retryDelay, worthRetrying } from '../../platform/transport/query-client.ts';
import { loadSession } from '../../platform/start/start-up.ts';
import { CallError, watchConnection } from '../../platform/transport/transport.ts';
import { t } from '../../../domain/text/t.ts';
import { tx } from '../tx.ts';

let failure: unknown;
export const setFailure = (error: unknown): void => {
  failure = error;
};

const again = (): void => {
  location.assign(returnPath());
};

/** Goes on by itself as soon as the session can be had: asked for at growing distance, and at once when the connection is back. */
function useRecovery(): void {
  useEffect(() => {
    if (!(failure instanceof CallError)) return; // a reload loop would only begin again
    let timer: ReturnType<typeof setTimeout> | undefined;
    let tries = 0;
    const tryIt = (): void => {
      void loadSession().then(again, (error: unknown) => {
        if (worthRetrying(error)) later();
      });
    };
    const later = (): void => {
      clearTimeout(timer);
      timer = setTimeout(tryIt, retryDelay(tries++));
    };
    if (worthRetrying(failure)) later();
    const stop = watchConnection(reachable => {
      if (reachable) {
        clearTimeout(timer);
        tryIt();
      }
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, []);
}

export function StartFailed(): ReactElement {
  const call = failure instanceof CallError ? failure : undefined;
  const isLost = call?.status === 0;
  useRecovery();
  return (
    <BarePage>
      <div className="p-card p-empty p-bare-card">
        <CloudOff aria-hidden="true" />
        <h1>{isLost ? t`Unable to connect to server.` : t`Perennial could not start`}</h1>
        <p>
          {isLost
            ? t`Check your connection. The page goes on by itself as soon as the server answers.`
            : call
              ? call.message
              : failure instanceof Error
                ? failure.message
                : t`The page was reloaded too often in a short time. Wait a moment, then go back.`}
        </p>
        {call?.requestId && <p className="p-hint">{tx`Request ${call.requestId}`}</p>}
        <button type="button" className="p-btn p-btn-primary" onClick={again}>
          {t`Try again`}
        </button>
      </div>
    </BarePage>
  );
}
