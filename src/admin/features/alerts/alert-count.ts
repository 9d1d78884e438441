// The number of the alert center's badge, kept up to date: asked for again once a minute, and after every
// write that touches alerts (S061, S062, S271).
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { allowsCall } from '../../../contract/access.ts';
import { callOf, runCall } from '../../platform/transport/calls.ts';
import { report } from '../../platform/transport/error-report.ts';
import { currentSession, setSession, useSession } from '../../platform/session/session.tsx';
import { useAfterFirstPage } from '../../platform/start/after-first-page.ts';

const EVERY_MS = 60_000;
const CALL = 'alerts.unresolved';

/** Draws nothing. A count that can't be had is only noted (S298): the badge keeps what it said. */
export function AlertCount(): null {
  const session = useSession();
  const isCalm = useAfterFirstPage();
  const { data, error, dataUpdatedAt } = useQuery({
    queryKey: ['alert', 'count'],
    queryFn: async ({ signal }) => {
      const { data: list } = await runCall(CALL, {}, { signal });
      return Array.isArray(list) ? list.length : 0;
    },
    enabled: isCalm && allowsCall(callOf(CALL), session).ok,
    initialData: session.alertCount,
    staleTime: EVERY_MS,
    refetchInterval: EVERY_MS,
    retry: false,
  });
  useEffect(() => {
    const now = currentSession();
    if (now && now.alertCount !== data) setSession({ ...now, alertCount: data });
  }, [data, dataUpdatedAt]);
  useEffect(() => {
    if (error) report(error, { source: 'AlertCount', file: 'src/admin/features/alerts/alert-count.ts' });
  }, [error]);
  return null;
}
