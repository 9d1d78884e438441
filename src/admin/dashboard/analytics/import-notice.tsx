// Subscriptions that came from another app in the last 90 days stand in all figures as if they had begun here.
import { Info } from 'lucide-react';
import type { ReactElement } from 'react';
import { allowsCall } from '../../../contract/access.ts';
import { t } from '../../../domain/text/t.ts';
import { definitions } from '../../platform/definitions.ts';
import { counted } from '../../platform/format.ts';
import { useSession } from '../../platform/session/session.tsx';
import { useAsk } from '../../platform/transport/calls.ts';

const CALL = 'analytics.checkRecentMigration';

export function ImportNotice(): ReactElement | null {
  const session = useSession();
  const line = definitions.calls[CALL];
  const may = line !== undefined && allowsCall(line, session).ok;
  const { data } = useAsk<{ hasRecentMigration: boolean; count: number }>(CALL, may ? {} : undefined, { staleTime: 300_000 });
  if (!data?.hasRecentMigration) return null;
  const many = counted(data.count, { one: t`subscription was imported`, many: t`subscriptions were imported` });
  return (
    <p className="p-banner an-about" data-tone="info">
      <Info aria-hidden="true" />
      <span>{t`${many} in the last 90 days. Imported subscriptions can distort these figures.`}</span>
    </p>
  );
}
