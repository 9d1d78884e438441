// The banner for a lost connection (S291, S292): dismissible, gone by itself when the server answers again.
import { WifiOff, X } from 'lucide-react';
import { type ReactElement, useEffect, useState } from 'react';
import { notify } from './notices/notices.tsx';
import { isReachable, probeNow, watchConnection } from '../platform/transport/transport.ts';
import { t } from '../../domain/text/t.ts';

export function ConnectionBanner(): ReactElement | null {
  const [lost, setLost] = useState(!isReachable());
  const [dismissed, setDismissed] = useState(false);
  useEffect(
    () =>
      watchConnection(reachable => {
        setLost(!reachable);
        setDismissed(false);
        if (reachable) notify(t`Connected again.`, { tone: 'info' });
      }),
    [],
  );
  if (!lost || dismissed) return null;
  return (
    <div className="p-offline" role="alert">
      <WifiOff size={16} aria-hidden="true" />
      <span>{t`Unable to connect to server.`}</span>
      <button type="button" className="p-offline-btn" onClick={probeNow}>
        {t`Try again`}
      </button>
      <button type="button" className="p-offline-x" aria-label={t`Dismiss`} onClick={() => setDismissed(true)}>
        <X size={14} aria-hidden="true" />
      </button>
    </div>
  );
}
