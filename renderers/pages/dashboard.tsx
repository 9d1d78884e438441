// Home: where the store stands, what the chosen days brought, what is ahead and what needs attention. Each card asks for its own figures
// and is left out where the right is lacking.
import { TableScroll } from '../../src/admin/ui/table-scroll.tsx';
import { type ReactElement, useMemo, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import type { Compared } from '../../src/domain/calendar/plain-days.ts';
import { mayOpen } from '../../src/navigation/navigation.ts';
import { compared, wholeDays } from '../../src/admin/dashboard/compare.ts';
import { RangeButton } from '../../src/admin/dashboard/range-picker.tsx';
import { Tile } from '../../src/admin/dashboard/tile.tsx';
import { OwnCharts } from '../../src/admin/dashboard/analytics/own-charts.tsx';
import { trendChunk } from '../../src/admin/dashboard/trend-chunk.ts';
import { useChunk } from '../../src/admin/platform/chunk.ts';
import { definitions } from '../../src/admin/platform/definitions.ts';
import {
  count,
  counted,
  currencySign,
  dayTime,
  money,
  percent,
  plainDay,
  short,
  shortDay,
  storeZone,
} from '../../src/admin/platform/format.ts';
import type { PageProps } from '../../src/admin/platform/routing/page-code.ts';
import { useFacts, useSession } from '../../src/admin/platform/session/session.tsx';
import { storeNow } from '../../src/admin/platform/store-clock.ts';
import { SetupCard } from '../../src/admin/features/onboarding/card.tsx';
import { addDays } from '../../src/admin/platform/time-zone.ts';
import { Places } from '../../src/admin/dashboard/places.tsx';
import { Ahead, Attention } from '../../src/admin/dashboard/ahead.tsx';
import '../../src/admin/dashboard/dashboard.css';
import {
  useCard,
  type Overview,
  type Upcoming,
  Card,
  type Revenue,
  span,
  type Movement,
  type Payments,
} from '../../src/admin/dashboard/figures.tsx';
import { inFigures, language, t } from '../../src/domain/text/t.ts';
import { tx } from '../../src/admin/ui/tx.ts';

/** Where the payments that are being retried are worked through. */
const RECOVERY = '/payment-recovery';
const ORDERS = { one: t`order`, many: t`orders` };
const each = (value: string): string => t`${value} each`;

export default function Dashboard({ resource }: PageProps): ReactElement {
  const { user } = useSession();
  // Before the first customer there is nothing to look at yet, but something to do.
  const isFirstDay = useFacts()['store.isFirstDay'] === true;
  const { search } = useLocation();
  const { startDate, endDate } = wholeDays(search, { zone: storeZone(), at: storeNow() });
  const days = useMemo(() => compared({ startDate, endDate }), [startDate, endDate]);
  return (
    <div className="p-page p-page-narrow">
      <div className="p-page-head">
        <h1 className="p-page-title">
          {greeting()}
          {user.firstName ? `, ${user.firstName}` : ''}
        </h1>
        <div className="p-page-actions">
          <RangeButton days={days} />
        </div>
      </div>
      <div className="p-stack" aria-label={resource.title}>
        {isFirstDay && <SetupCard isFirstDay />}
        <Standing />
        <Earned days={days} />
        <OwnCharts />
        <div className="p-two">
          <div className="p-stack">
            <Ahead />
            <Moved days={days} />
            <Paid days={days} />
          </div>
          <div className="p-stack">
            {!isFirstDay && <SetupCard />}
            <Attention />
            <Places />
          </div>
        </div>
      </div>
    </div>
  );
}

/** By the store's clock. */
function greeting(): string {
  const hour = Number(new Intl.DateTimeFormat('en-US', { timeZone: storeZone(), hour: 'numeric', hourCycle: 'h23' }).format(storeNow()));
  return hour < 5 || hour >= 18 ? t`Good evening` : hour < 12 ? t`Good morning` : t`Good afternoon`;
}

function Standing(): ReactElement | null {
  const card = useCard<Overview>('home.overview');
  const { may, data } = card;
  const ahead = useCard<Upcoming>('home.upcoming');
  const session = useSession();
  if (!may) return null;
  return (
    <Card title={t`Overview`} card={card} link={data && <span className="p-hint">{tx`Updated ${dayTime(data.updatedAt)}`}</span>}>
      <dl className="b-tiles">
        <Tile
          title={t`Active subscriptions`}
          about={t`Subscriptions that will be charged: not paused, cancelled or expired.`}
          to="/subscriptions?tab=active"
          value={data && count(data.activeSubscriptions)}
          note={data && t`${count(data.pausedSubscriptions)} paused`}
        />
        <Tile
          title={t`Active subscribers`}
          about={t`Customers with at least one active subscription.`}
          value={data && count(data.activeSubscribers)}
          note={
            data && data.activeSubscribers > 0
              ? each(inFigures(data.activeSubscriptions / data.activeSubscribers, { maximumFractionDigits: 2 }))
              : undefined
          }
        />
        <Tile
          title="MRR"
          about={t`Monthly recurring revenue: what the active subscriptions bring in a month, after lasting discounts, without shipping.`}
          value={data && money(data.mrr, data.currencyCode)}
          note={
            data && data.activeSubscriptions > 0 ? each(money(Number(data.mrr) / data.activeSubscriptions, data.currencyCode)) : undefined
          }
        />
        <Tile
          title={t`Next 30 days`}
          about={t`Orders of active subscriptions that are scheduled and not skipped.`}
          to="/subscriptions?tab=active&nextBillingDateEpoch=next-30-days"
          value={ahead.data ? money(ahead.data.month.value, ahead.data.currencyCode) : ahead.error ? null : undefined}
          note={ahead.data && counted(ahead.data.month.count, ORDERS)}
        />
        {(!data || data.inRecovery) && (
          <Tile
            title={t`In recovery`}
            about={t`All failed payments that will be tried again, whenever they were first tried.`}
            to={mayOpen(definitions, RECOVERY, session).ok ? RECOVERY : undefined}
            value={data?.inRecovery && money(data.inRecovery.value, data.currencyCode)}
            note={data?.inRecovery && counted(data.inRecovery.count, ORDERS)}
          />
        )}
      </dl>
    </Card>
  );
}

function Earned({ days }: { days: Compared }): ReactElement | null {
  const card = useCard<Revenue>('home.revenue', { ...days });
  const { may, data } = card;
  const [asTable, setAsTable] = useState(false);
  const chart = useChunk(trendChunk);
  const points = useMemo(
    () =>
      data?.byDay.map(day => ({
        label: plainDay(day.date),
        tick: shortDay(day.date),
        value: Number(day.value),
        previous: Number(day.previous),
      })) ?? [],
    [data],
  );
  if (!may) return null;
  const write = (value: number): string => money(value, data?.currencyCode);
  const sign = data ? currencySign(data.currencyCode) : '';
  return (
    <Card
      title={t`Revenue`}
      card={card}
      link={
        data && (
          <button type="button" className="p-btn p-btn-s p-btn-plain" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
            {asTable ? t`Show as chart` : t`Show as table`}
          </button>
        )
      }
    >
      <dl className="b-tiles">
        <Tile
          title={t`Subscription revenue`}
          about={t`Paid first orders and renewals, with shipping and after discounts.`}
          value={data && money(data.revenue.value, data.currencyCode)}
          change={data?.revenue.changePercent ?? null}
        />
        <Tile
          title={t`Recurring`}
          about={t`Paid renewals.`}
          value={data && money(data.recurring.value, data.currencyCode)}
          change={data?.recurring.changePercent ?? null}
        />
        <Tile
          title={t`Checkout`}
          about={t`Paid first orders of new subscriptions.`}
          value={data && money(data.checkout.value, data.currencyCode)}
          change={data?.checkout.changePercent ?? null}
        />
        <Tile
          title={t`Orders`}
          about={t`Paid orders, first ones and renewals.`}
          value={data && count(data.orders.value)}
          change={data?.orders.changePercent ?? null}
        />
        <Tile
          title={t`Average order`}
          about={t`Revenue divided by paid orders.`}
          value={data && money(data.averageOrder.value, data.currencyCode)}
          change={data?.averageOrder.changePercent ?? null}
        />
      </dl>
      <div className="p-card-body">
        <p className="b-legend">
          <span>
            <i />
            {span(days.startDate, days.endDate)}
          </span>
          <span>
            <i data-series="2" />
            {span(days.comparisonStartDate, days.comparisonEndDate)}
          </span>
        </p>
        {!data ? (
          <div className="b-trend">
            <span className="p-skeleton b-sk-chart" />
          </div>
        ) : asTable ? (
          <Figures rows={data.byDay} write={write} days={days} />
        ) : data.orders.value + data.orders.previous === 0 ? (
          <div className="b-trend b-none">
            <p className="p-muted">{t`No paid orders in this period.`}</p>
          </div>
        ) : chart ? (
          <chart.Trend
            title={t`Revenue by day`}
            points={points}
            write={write}
            short={value => (language() === 'en' ? `${sign}${short(value)}` : `${short(value)} ${sign}`)}
          />
        ) : (
          <div className="b-trend">
            <span className="p-skeleton b-sk-chart" />
          </div>
        )}
      </div>
    </Card>
  );
}

function Figures({ rows, write, days }: { rows: Revenue['byDay']; write: (value: number) => string; days: Compared }): ReactElement {
  return (
    <TableScroll label={t`Revenue by day, as a table`} className="b-figures">
      <table className="p-table p-table-s">
        <thead>
          <tr>
            <th scope="col">{t`Day`}</th>
            <th scope="col" className="p-num">
              {t`Revenue`}
            </th>
            <th scope="col" className="p-num">
              {t`Before`}
            </th>
            <th scope="col">{t`Compared with`}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, i) => (
            <tr key={row.date}>
              <td>{plainDay(row.date)}</td>
              <td className="p-num">{write(Number(row.value))}</td>
              <td className="p-num">{write(Number(row.previous))}</td>
              <td>{plainDay(addDays(days.comparisonStartDate, i))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroll>
  );
}

function Moved({ days }: { days: Compared }): ReactElement | null {
  const card = useCard<Movement>('home.movement', { ...days });
  const { may, data } = card;
  if (!may) return null;
  return (
    <Card title={t`Subscriptions`} card={card}>
      <dl className="b-tiles">
        <Tile
          title={t`New`}
          about={t`Subscriptions that began in this period.`}
          value={data && count(data.begun.value)}
          change={data?.begun.changePercent ?? null}
        />
        <Tile
          title={t`Cancelled`}
          about={t`Subscriptions that were cancelled in this period. Those that ended by themselves are not counted.`}
          value={data && count(data.cancelled.value)}
          change={data?.cancelled.changePercent ?? null}
          inverted
        />
        <Tile
          title={t`Churn rate`}
          about={t`Cancelled, of all that were active at the beginning or began in this period.`}
          value={data && (data.churnRate.value === null ? null : percent(data.churnRate.value, 1))}
          change={data?.churnRate.changePercent ?? null}
          inverted
        />
      </dl>
    </Card>
  );
}

function Paid({ days }: { days: Compared }): ReactElement | null {
  const session = useSession();
  const { store } = session;
  const mayRecover = mayOpen(definitions, RECOVERY, session).ok;
  const card = useCard<Payments>('payments-overview.paymentSummaryInfoForBanner', { ...days, dataType: 'revenue' });
  const { may, data } = card;
  if (!may) return null;
  const ended = data && data.realized.count + data.lost.count;
  return (
    <Card
      title={t`Payments`}
      card={card}
      link={
        <Link className="p-btn p-btn-s p-btn-plain" to="/settings/paymentRecovery">
          {t`Recovery settings`}
        </Link>
      }
    >
      <dl className="b-tiles">
        <Tile
          title={t`Success rate`}
          about={t`Paid, of the payments first tried in this period that are no longer being retried.`}
          value={data && (ended ? percent((data.realized.count / ended) * 100) : null)}
          note={data && counted(data.realized.count, { one: t`payment`, many: t`payments` })}
        />
        <Tile
          title={t`Recovered`}
          about={t`Paid after the first try had failed.`}
          value={data && money(data.recovered.value, store.currency_code)}
          change={data?.recovered.changePercent ?? null}
        />
        <Tile
          title={t`Still open`}
          about={t`First tried in this period, failed and to be tried again. “In recovery” above counts older ones too.`}
          to={mayRecover ? RECOVERY : undefined}
          value={data && money(data.underRecovery.value, store.currency_code)}
          note={data && counted(data.underRecovery.count, { one: t`payment`, many: t`payments` })}
        />
        <Tile
          title={t`Lost`}
          about={t`Failed, with no try left.`}
          to={mayRecover ? `${RECOVERY}?tab=lost` : undefined}
          value={data && money(data.lost.value, store.currency_code)}
          change={data?.lost.changePercent ?? null}
          inverted
        />
      </dl>
    </Card>
  );
}
