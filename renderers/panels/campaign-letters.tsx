// How far the e-mails of a campaign are: looked at every few seconds while some wait to be sent.
import type { FormPanelProps } from '../../src/admin/form/page/panels.tsx';
import { count } from '../../src/admin/platform/format.ts';
import { useAsk } from '../../src/admin/platform/transport/calls.ts';
import { useFates } from '../../src/admin/features/campaigns/fates.ts';
import { PanelCard } from '../../src/admin/ui/panel-card.tsx';
import '../../src/admin/features/campaigns/campaigns.css';
import { t } from '../../src/domain/text/t.ts';

interface Letters {
  letters: number;
  sent: number;
  failed: number;
  read: number;
  waiting: number;
  others: { letter: string; count: number }[];
}
const POLL_MS = 3000;

export default function CampaignLetters({ data, section }: FormPanelProps) {
  const fateOf = useFates();
  const { data: now, error } = useAsk<Letters>(
    'campaign-actions.letters',
    { campaignActionId: Number(data.id) },
    {
      refetchInterval: ({ state }) => ((state.data?.data as Letters | undefined)?.waiting ? POLL_MS : false),
      staleTime: 0,
    },
  );
  return (
    <PanelCard title={section.title ?? t`E-mails`}>
      <div className="p-card-body cp-reach">
        {error && !now && (
          <p className="p-error" role="alert">
            {error.message}
          </p>
        )}
        {!now && !error && <div className="cp-wait" aria-busy="true" />}
        {now && (
          <>
            <p role="status">
              {data.status === 'SCHEDULED'
                ? t`They leave when the campaign starts.`
                : now.waiting > 0
                  ? t`${count(now.sent)} of ${count(now.letters)} sent`
                  : t`${count(now.sent)} sent`}
            </p>
            {now.waiting > 0 && data.status === 'ACTIVE' && (
              <progress className="cp-bar" aria-label={t`Progress`} max={now.letters} value={now.letters - now.waiting} />
            )}
            <dl className="cp-others">
              {[
                ...(now.read ? [[t`Read`, now.read] as const] : []),
                ...(now.failed ? [[t`Could not be sent`, now.failed] as const] : []),
                ...now.others.map(({ letter, count: n }) => [fateOf(letter), n] as const),
              ].map(([name, n]) => (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd className="p-tabular">{count(n)}</dd>
                </div>
              ))}
            </dl>
          </>
        )}
      </div>
    </PanelCard>
  );
}
