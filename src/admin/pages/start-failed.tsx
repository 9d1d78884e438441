// The start failed (S023, S175): what happened, and the way back to the page that was asked for.
import { CloudOff } from 'lucide-react';
import { type ReactElement, useEffect } from 'react';
import { returnPath } from '../auth-provider.ts';
import { runCall } from '../calls.ts';
import { Mark } from '../shell/logo.tsx';
import { CallError, watchConnection } from '../transport.ts';

let failure: unknown;
export const setFailure = (error: unknown): void => { failure = error; };

const again = (): void => { location.assign(returnPath()); };
/** Goes on by itself only when the session can really be had; a failure keeps watching. */
const tryAgain = (): void => { void runCall('start-up.session').then(again, () => undefined); };

export function StartFailed(): ReactElement {
  const call = failure instanceof CallError ? failure : undefined;
  useEffect(() => watchConnection(reachable => { if (reachable) tryAgain(); }), []);
  return (
    <main className="p-bare">
      <div className="p-bare-brand"><Mark size={32} />Perennial</div>
      <div className="p-card p-empty p-bare-card">
        <CloudOff aria-hidden="true" />
        <h1>{call?.status === 0 ? 'Unable to connect to server.' : 'Perennial could not start'}</h1>
        <p>{call?.status === 0 ? 'Check your connection. The page goes on by itself as soon as the server answers.' : call ? call.message : failure instanceof Error ? failure.message : 'The page was reloaded too often in a short time. Wait a moment, then go back.'}</p>
        {call?.requestId && <p className="p-hint">Request {call.requestId}</p>}
        <button type="button" className="p-btn p-btn-primary" onClick={again}>Try again</button>
      </div>
    </main>
  );
}
