// The settings of payment recovery as days: what happens to an order of today that can't be paid, with what
// is typed so far, before anything is saved.
import { useMemo, useState } from 'react';
import { Link } from 'react-router-dom';
import { atBillingHour, stepDate } from '../../src/domain/calendar/calendar.ts';
import { checkDunningSettings, dunningFromPage, retryWarning, type DunningSettings } from '../../src/domain/recovery/dunning-settings.ts';
import { FAILURE_CATEGORIES, type FailureKey } from '../../src/domain/recovery/failure-codes.ts';
import { frequencyLabel, type Interval } from '../../src/domain/calendar/interval.ts';
import { retryTimeline, type TimelineStep } from '../../src/domain/recovery/retry-timeline.ts';
import { mayOpen } from '../../src/navigation/navigation.ts';
import { useAsk } from '../../src/admin/platform/transport/calls.ts';
import { definitions } from '../../src/admin/platform/definitions.ts';
import type { FormPanelProps } from '../../src/admin/form/page/panels.tsx';
import { Icon } from '../../src/admin/ui/icons.tsx';
import { useSession } from '../../src/admin/platform/session/session.tsx';
import { storeNow } from '../../src/admin/platform/store-clock.ts';
import './retry-timeline.css';
import { inSentence, t, translated } from '../../src/domain/text/t.ts';
import { tx } from '../../src/admin/ui/tx.ts';
import { PanelCard } from '../../src/admin/ui/panel-card.tsx';

interface Basis {
  billingHour: number | null;
  shortest: Interval | null;
  usual: Interval | null;
}

/** Missing stock has rules of its own, and what is paid already needs none. */
const REASONS = FAILURE_CATEGORIES.filter(one => one.kind !== 'INVENTORY' && one.kind !== 'PAID');
const KINDS = [
  ['SOFT', t`Another try may help`],
  ['HARD', t`Another try rarely helps`],
  ['STORE', t`The store's side`],
] as const;
const ICONS: Record<TimelineStep['kind'], string> = {
  CHARGE: 'credit-card',
  BACKUP: 'life-buoy',
  RETRY: 'refresh-cw',
  STORE_SIDE_RETRY: 'refresh-cw',
  FINAL: 'circle-alert',
};
const WORK = '/payment-recovery';

export default function RetryTimeline({ data, section }: FormPanelProps) {
  const session = useSession();
  const zone = session.store.timezone;
  const [reason, setReason] = useState<FailureKey>('card_declined');
  const [hasBackup, setBackup] = useState(true);
  const query = useAsk<Basis>(section.call ?? '', section.call ? {} : undefined, { staleTime: 300_000 });
  const basis = query.data;
  const settings = useMemo(() => settingsOf(data), [data]);
  const wrong = settings ? checkDunningSettings(settings)[0]?.message : t`Say how many days to wait before a retry.`;
  const steps = useMemo(() => {
    if (!settings || wrong || !basis) return undefined;
    const startAt = atBillingHour(storeNow(), zone, basis.billingHour);
    const nextOrderAt = basis.usual ? stepDate(startAt, basis.usual, 1, zone, basis.billingHour) : null;
    return retryTimeline(settings, startAt, zone, { billingHour: basis.billingHour, nextOrderAt, category: reason, hasBackup });
  }, [settings, wrong, basis, zone, reason, hasBackup]);
  const warning = settings && !wrong && basis?.shortest ? retryWarning(settings, basis.shortest) : null;
  return (
    <PanelCard title={section.title}>
      <div className="p-card-body p-stack-s">
        <label className="p-stack-s rt-reason">
          <span className="p-hint">{t`If the reason is`}</span>
          <select className="p-input p-select" value={reason} onChange={event => setReason(event.target.value as FailureKey)}>
            {KINDS.map(([kind, title]) => (
              <optgroup key={kind} label={title}>
                {REASONS.filter(one => one.kind === kind).map(one => (
                  <option key={one.key} value={one.key}>
                    {translated(one.label)}
                  </option>
                ))}
              </optgroup>
            ))}
          </select>
        </label>
        {settings?.backupPaymentEnabled === true && (
          <label className="p-row">
            <input type="checkbox" className="p-check" checked={hasBackup} onChange={event => setBackup(event.target.checked)} />
            <span>{t`The customer has a backup method`}</span>
          </label>
        )}
        <div aria-live="polite">
          {wrong ? (
            <p className="p-muted">{tx`${wrong} Then the days are shown here.`}</p>
          ) : query.error && !basis ? (
            <p className="p-error" role="alert">
              {t`The days could not be worked out.`}{' '}
              <button type="button" className="p-link" onClick={() => void query.refetch()}>
                {t`Try again`}
              </button>
            </p>
          ) : !steps ? (
            <Waiting />
          ) : (
            <ol className="rt-steps">
              {steps.map((step, i) => (
                <Step key={i} step={step} />
              ))}
            </ol>
          )}
        </div>
        {steps && (
          <p className="p-hint">
            {basis?.usual
              ? t`For an order due today, of a subscription that orders ${inSentence(frequencyLabel(basis.usual))}. Retries that are
                planned already keep their dates.`
              : t`For an order due today. Retries that are planned already keep their dates.`}
          </p>
        )}
        {/* What stands below the days comes with them, so that nothing moves. */}
        {warning && (
          <p className="p-banner" data-tone="warning" role="status">
            {warning}
          </p>
        )}
        {steps && mayOpen(definitions, WORK, session).ok && (
          <p>
            <Link className="p-link" to={WORK}>
              {t`Payments in recovery now`}
            </Link>
          </p>
        )}
      </div>
    </PanelCard>
  );
}

function Step({ step }: { step: TimelineStep }) {
  const [day, date] = step.when.split(' · ');
  return (
    <li className="rt-step" data-kind={step.kind}>
      <span className="rt-icon">
        <Icon name={ICONS[step.kind]} />
      </span>
      <div>
        <p className="p-row p-wrap">
          <span className="p-strong">{day}</span>
          <span className="p-hint p-tabular">{date}</span>
        </p>
        <p>{step.text}</p>
        {step.message && <p className="p-hint">{step.message}</p>}
      </div>
    </li>
  );
}

const Waiting = () => (
  <div className="p-stack-s" role="status" aria-label={t`Loading`}>
    <span className="p-skeleton p-sk-3" />
    <span className="p-skeleton p-sk-3" />
    <span className="p-skeleton p-sk-3" />
  </div>
);

/** What is typed so far; undefined while the days of the waits are being typed. */
function settingsOf(data: FormPanelProps['data']): DunningSettings | undefined {
  const days = data.retrySpacingDays;
  if (Array.isArray(days) && (days.length === 0 || days.some(day => typeof day !== 'number'))) return undefined;
  return dunningFromPage(Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined)));
}
