// Whom a campaign that is being made reaches now: how many, why others get nothing, and three of them to look at.
import { Link } from 'react-router-dom';
import type { JsonObject } from '../../src/contract/types.ts';
import type { FormPanelProps } from '../../src/admin/form/page/panels.tsx';
import { usePreview } from '../../src/admin/form/page/use-preview.ts';
import { count } from '../../src/admin/platform/format.ts';
import { useFates } from '../../src/admin/features/campaigns/fates.ts';
import { PanelCard } from '../../src/admin/ui/panel-card.tsx';
import '../../src/admin/features/campaigns/campaigns.css';
import { t } from '../../src/domain/text/t.ts';

interface Reach {
  subscriptions: number;
  letters: number;
  others: { letter: string; count: number }[];
  examples: { id: number; customerName: string }[];
}
const ASKED = ['delivery', 'audienceType', 'conditions', 'subscriptionIds', 'excludedTags', 'excludeStreaks', 'swapVariantIds'];

export default function CampaignReach({ data, section }: FormPanelProps) {
  const fateOf = useFates();
  const typed = Object.fromEntries(ASKED.flatMap(name => (data[name] == null ? [] : [[name, data[name]]]))) as JsonObject;
  const { shown, error } = usePreview<Reach>('campaign-actions.reach', { actionKey: data.type ?? '', ...typed });
  const isMailed = data.delivery !== 'FILE';
  const reached = isMailed ? shown?.letters : shown?.subscriptions;
  return (
    <PanelCard title={section.title ?? t`Whom it reaches now`}>
      <div className="p-card-body cp-reach">
        {error && (
          <p className="p-error" role="alert">
            {error.message}
          </p>
        )}
        {!shown && !error && <div className="cp-wait" aria-busy="true" />}
        {shown && reached !== undefined && (
          <>
            <p role="status" className="cp-number">
              <strong className="p-tabular">{count(reached)}</strong>
              <span>
                {isMailed
                  ? reached === 1
                    ? t`customer gets the e-mail`
                    : t`customers get the e-mail`
                  : reached === 1
                    ? t`subscription gets a link`
                    : t`subscriptions get a link`}
              </span>
            </p>
            {isMailed && shown.others.length > 0 && (
              <dl className="cp-others" aria-label={t`Those who get no e-mail`}>
                {shown.others.map(({ letter, count: n }) => (
                  <div key={letter}>
                    <dt>{fateOf(letter)}</dt>
                    <dd className="p-tabular">{count(n)}</dd>
                  </div>
                ))}
              </dl>
            )}
            {shown.examples.length > 0 && (
              <>
                <p className="p-hint">{t`For example`}</p>
                <ul className="cp-examples">
                  {shown.examples.map(({ id, customerName }) => (
                    <li key={id}>
                      <Link to={`/subscriptions/${id}`} target="_blank">
                        #{id} {customerName}
                      </Link>
                    </li>
                  ))}
                </ul>
              </>
            )}
          </>
        )}
      </div>
    </PanelCard>
  );
}
