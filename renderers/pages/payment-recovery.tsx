// The work of payment recovery: what became of the payments of the last 30 days, what threatens those
// of the next, and the list to work through.
import type { ReactElement } from 'react';
import { Link } from 'react-router-dom';
import { allowsCall } from '../../src/contract/access.ts';
import { mayOpen } from '../../src/navigation/navigation.ts';
import { FiguresFailed } from '../../src/admin/dashboard/failed.tsx';
import { Tile } from '../../src/admin/dashboard/tile.tsx';
import { useAsk } from '../../src/admin/platform/transport/calls.ts';
import { definitions } from '../../src/admin/platform/definitions.ts';
import { counted, money, storeZone } from '../../src/admin/platform/format.ts';
import { ListPage } from '../../src/admin/list/list-page.tsx';
import type { PageProps } from '../../src/admin/platform/routing/page-code.ts';
import { useSession } from '../../src/admin/platform/session/session.tsx';
import { storeNow } from '../../src/admin/platform/store-clock.ts';
import { bannerPeriods } from '../../src/admin/features/notices/banners/rules.ts';
import { dayOf } from '../../src/admin/platform/time-zone.ts';
import '../../src/admin/dashboard/dashboard.css';
import { t } from '../../src/domain/text/t.ts';

interface Figure {
  value: string;
  count: number;
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
/** `besides`: amounts in currencies that the store has no rate for. */
interface Risk {
  count: number;
  value: string;
  besides: { currencyCode: string; value: string }[];
}
interface Ahead {
  currencyCode: string;
  highRisk: Risk;
  lastRetry: Risk;
  cardsExpiring: Risk;
}

const PAYMENTS = { one: t`payment`, many: t`payments` };
const SETTINGS = '/settings/paymentRecovery';

export default function PaymentRecovery(props: PageProps): ReactElement {
  return <ListPage {...props} above={<Figures />} />;
}

/** Each half is left out where the right to it is lacking. */
function Figures(): ReactElement {
  const session = useSession();
  const summary = definitions.calls['payments-overview.paymentSummaryInfoForBanner'];
  const mayRevenue = summary !== undefined && allowsCall(summary, session).ok;
  const past = useAsk<Summary>(
    'payments-overview.paymentSummaryInfoForBanner',
    mayRevenue ? { ...bannerPeriods(dayOf(storeNow(), storeZone())), dataType: 'revenue' } : undefined,
    { staleTime: 60_000 },
  );
  const ahead = useAsk<Ahead>('payment-recovery.ahead', {}, { staleTime: 15_000 });
  const amount = (figure: Figure | undefined): string | undefined => figure && money(figure.value, past.data?.currencyCode);
  const risk = (one: Risk | undefined): string | undefined => one && money(one.value, ahead.data?.currencyCode);
  const many = (one: Risk | undefined): string | undefined =>
    one && [counted(one.count, PAYMENTS), ...one.besides.map(other => t`plus ${money(other.value, other.currencyCode)}`)].join(', ');
  return (
    <div className="p-card b-rows b-above">
      {mayRevenue && (
        <section className="b-row" aria-label={t`Payments of the last 30 days`}>
          <div className="b-row-name">
            <h2>{t`Last 30 days`}</h2>
          </div>
          {past.error && !past.data ? (
            <FiguresFailed what={t`The last 30 days`} error={past.error} retry={() => void past.refetch()} />
          ) : (
            <dl className="b-tiles">
              <Tile
                title={t`Attempted`}
                about={t`Orders that were charged for the first time in the last 30 days, until yesterday.`}
                value={amount(past.data?.attempted)}
                change={past.data?.attempted.changePercent ?? null}
              />
              <Tile
                title={t`Collected`}
                about={t`Of these, what was paid, at once or by a later try.`}
                value={amount(past.data?.realized)}
                change={past.data?.realized.changePercent ?? null}
              />
              <Tile
                title={t`Recovered`}
                about={t`Paid after the first try had failed.`}
                value={amount(past.data?.recovered)}
                change={past.data?.recovered.changePercent ?? null}
              />
              <Tile
                title={t`Still open`}
                about={t`Of those attempted in this period, to be tried again. The list below has older ones too.`}
                value={amount(past.data?.underRecovery)}
                change={past.data?.underRecovery.changePercent ?? null}
                inverted
              />
              <Tile
                title={t`Lost`}
                about={t`Failed for good.`}
                to="/payment-recovery?tab=lost"
                value={amount(past.data?.lost)}
                change={past.data?.lost.changePercent ?? null}
                inverted
              />
            </dl>
          )}
        </section>
      )}
      <section className="b-row" aria-label={t`Risks of the next 30 days`}>
        <div className="b-row-name">
          <h2>{t`Next 30 days`}</h2>
          {mayOpen(definitions, SETTINGS, session).ok && (
            <Link className="p-link" to={SETTINGS}>
              {t`Recovery settings`}
            </Link>
          )}
        </div>
        {ahead.error && !ahead.data ? (
          <FiguresFailed what={t`The next 30 days`} error={ahead.error} retry={() => void ahead.refetch()} />
        ) : (
          <dl className="b-tiles">
            <Tile
              title={t`High risk`}
              about={t`The payment method expired or is missing, the last retry is ahead, or another try is unlikely to help.`}
              to="/payment-recovery?tab=upcoming-payments&riskLevel=HIGH"
              value={risk(ahead.data?.highRisk)}
              note={many(ahead.data?.highRisk)}
            />
            <Tile
              title={t`Last retry left`}
              about={t`One more try, then the order is given up as your settings say.`}
              to="/payment-recovery?retriesLeft=..1"
              value={risk(ahead.data?.lastRetry)}
              note={many(ahead.data?.lastRetry)}
            />
            <Tile
              title={t`Cards expiring`}
              about={t`Paid by a card that has expired, or expires this month or next.`}
              to="/payment-recovery?tab=upcoming-payments&paymentMethodStatus=EXPIRING,EXPIRED"
              value={risk(ahead.data?.cardsExpiring)}
              note={many(ahead.data?.cardsExpiring)}
            />
          </dl>
        )}
      </section>
    </div>
  );
}
