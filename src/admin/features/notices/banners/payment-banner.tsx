// The payments of the last 30 days in one line: what was recovered, collected, is still being tried
// and was lost, and what happens to failures.
import { TrendingUp, X } from 'lucide-react';
import { type ReactElement, type ReactNode, useEffect, useMemo, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import type { JsonValue } from '../../../../contract/types.ts';
import { useAsk } from '../../../platform/transport/calls.ts';
import { count, counted, money, percent, plainDay, storeZone } from '../../../platform/format.ts';
import { useAllowed, useSession } from '../../../platform/session/session.tsx';
import { storeNow } from '../../../platform/store-clock.ts';
import { dayOf } from '../../../platform/time-zone.ts';
import { dismissPayments, isPaymentsDismissed } from './dismissed.ts';
import { bannerPeriods } from './rules.ts';
import { t } from '../../../../domain/text/t.ts';

interface Figure {
  value: string;
  count: number;
  previous: string;
  previousCount: number;
  changePercent: number | null;
}
interface Summary {
  currencyCode: string;
  attempted: Figure;
  realized: Figure;
  recovered: Figure;
  underRecovery: Figure;
  lost: Figure;
}
interface Setting {
  key: string;
  value: JsonValue;
}

const orders = { one: t`order`, many: t`orders` };
const RECOVERY = '/settings/paymentRecovery';

export function PaymentBanner({ onEmpty }: { onEmpty: () => void }): ReactElement | null {
  const { pathname } = useLocation();
  const { user } = useSession();
  const today = dayOf(storeNow(), storeZone());
  const periods = useMemo(() => bannerPeriods(today), [today]);
  const [isDismissed, setDismissed] = useState(() => isPaymentsDismissed(user, periods));
  const dismiss = (): void => {
    dismissPayments(user, periods);
    setDismissed(true);
  };
  const query = useAsk<Summary>(
    'payments-overview.paymentSummaryInfoForBanner',
    isDismissed ? undefined : { ...periods, dataType: 'revenue' },
  ); // S282, S286
  const maySettings = useAllowed('preferences.fetch').ok;
  const { data: settings } = useAsk<Setting[]>(
    'preferences.fetch',
    isDismissed || !maySettings ? undefined : { category: 'DUNNING', type: 'RETRY' },
    { retry: false },
  ); // S287
  const isEmpty = isDismissed || (query.data?.attempted.count === 0 && query.data.attempted.previousCount === 0);
  useEffect(() => {
    if (isEmpty) onEmpty();
  }, [isEmpty, onEmpty]);
  if (isEmpty) return null;
  const retries = settings?.find(one => one.key === 'retryAttempts')?.value;
  const days = t`${plainDay(periods.startDate)} to ${plainDay(periods.endDate)}`;
  const about =
    typeof retries !== 'number'
      ? days
      : retries === 0
        ? t`${days}. Failed payments are not tried again.`
        : retries === 1
          ? t`${days}. A failed payment is tried 1 more time.`
          : t`${days}. A failed payment is tried ${count(retries)} more times.`;
  const x = (
    <button type="button" className="p-icon-btn p-icon-btn-s" aria-label={t`Dismiss payment summary`} onClick={dismiss}>
      <X aria-hidden="true" />
    </button>
  );
  if (query.isError) {
    return (
      <div className="p-pay" role="group" aria-label={t`Payments of the last 30 days`}>
        <p className="p-grow">
          {t`The payments of the last 30 days could not be read.`}{' '}
          <button type="button" className="p-link" onClick={() => void query.refetch()}>
            {t`Try again`}
          </button>
        </p>
        {x}
      </div>
    );
  }
  const summary = query.data;
  const show = (figure: Figure): string => money(figure.value, summary?.currencyCode);
  return (
    <div className="p-pay" role="group" aria-label={t`Payments of the last 30 days`} aria-busy={!summary}>
      <TrendingUp size={18} aria-hidden="true" />
      <div className="p-pay-text">
        <p className="p-strong">{summary ? t`${show(summary.recovered)} recovered in the last 30 days` : <Bar wide />}</p>
        <p className="p-hint p-pay-about">
          <span className="p-cut" data-tip={about}>
            {about}
          </span>
          {typeof retries === 'number' && pathname !== RECOVERY && (
            <Link to={RECOVERY}>{retries === 0 ? t`Set up payment recovery` : t`Payment recovery`}</Link>
          )}
        </p>
      </div>
      <dl className="p-pay-facts">
        <Fact name={t`Collected`} note={summary && <Change figure={summary.realized} />}>
          {summary ? show(summary.realized) : <Bar />}
        </Fact>
        <Fact name={t`Still open`} note={summary && counted(summary.underRecovery.count, orders)}>
          {summary ? show(summary.underRecovery) : <Bar />}
        </Fact>
        <Fact name={t`Lost`} note={summary && counted(summary.lost.count, orders)}>
          {summary ? show(summary.lost) : <Bar />}
        </Fact>
      </dl>
      {x}
    </div>
  );
}

const Bar = ({ wide = false }: { wide?: boolean }): ReactElement => <span className={`p-skeleton ${wide ? 'p-sk-title' : 'p-sk-3'}`} />;

function Fact({ name, note, children }: { name: string; note: ReactNode; children: ReactNode }): ReactElement {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <span className="p-strong p-tabular">{children}</span> <span className="p-hint p-tabular">{note || '\u00a0'}</span>
      </dd>
    </div>
  );
}

/** "+12.3% on the 30 days before" */
function Change({ figure: { changePercent } }: { figure: Figure }): ReactElement | null {
  if (changePercent === null) return null;
  return (
    <span data-tip={t`Compared with the 30 days before`}>
      {changePercent > 0 ? '+' : changePercent < 0 ? '−' : ''}
      {percent(Math.abs(changePercent))}
      <span className="p-sr"> {t`compared with the 30 days before`}</span>
    </span>
  );
}
