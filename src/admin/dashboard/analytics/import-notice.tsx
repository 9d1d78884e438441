// Subscriptions that came from another app in the last 90 days stand in all figures as if they had begun here.
import { Info } from 'lucide-react';
import { type ReactElement, useEffect, useState } from 'react';
import { allowsCall } from '../../../contract/access.ts';
import { t } from '../../../domain/text/t.ts';
import { definitions } from '../../platform/definitions.ts';
import { counted } from '../../platform/format.ts';
import { useSession } from '../../platform/session/session.tsx';
import { useAsk } from '../../platform/transport/calls.ts';

const CALL = 'analytics.checkRecentMigration';

/** The page waits no longer than this for the notice (ms). */
const PATIENCE = 1000;

/**
 * How many subscriptions were imported in the last 90 days: 0 for those who may not see it, and where it can't be read. `undefined` until
 * it is known, at most for a second: the page waits for it, since the notice stands above all figures and would push them down.
 */
export function useRecentlyImported(): number | undefined {
  const session = useSession();
  const line = definitions.calls[CALL];
  const may = line !== undefined && allowsCall(line, session).ok;
  const { data, error } = useAsk<{ hasRecentMigration: boolean; count: number }>(CALL, may ? {} : undefined, { staleTime: 300_000 });
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), PATIENCE);
    return () => clearTimeout(timer);
  }, []);
  if (may && !data && !error && !isLate) return undefined;
  return data?.hasRecentMigration ? data.count : 0;
}

export function ImportNotice({ count }: { count: number }): ReactElement | null {
  if (count === 0) return null;
  const many = counted(count, { one: t`subscription was imported`, many: t`subscriptions were imported` });
  return (
    <p className="p-banner an-about" data-tone="info">
      <Info aria-hidden="true" />
      <span>{t`${many} in the last 90 days. Imported subscriptions can distort these figures.`}</span>
    </p>
  );
}
