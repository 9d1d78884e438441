// What is ahead and what needs attention: two cards of the home page.
import { CircleAlert, CircleCheck } from 'lucide-react';
import type { ReactElement } from 'react';
import { Link } from 'react-router-dom';
import { count, counted, money, plainDay, short } from '../platform/format.ts';
import { type BadgeName, toneOf } from '../ui/tone.ts';
import { type Alerts, Card, type Upcoming, useCard } from './figures.tsx';
import { intlLocale, t } from '../../domain/text/t.ts';
import { tx } from '../ui/tx.ts';

const ORDERS = { one: t`order`, many: t`orders` };

const SEVERITIES: Record<string, BadgeName> = {
  CRITICAL: 'severityCritical',
  HIGH: 'severityHigh',
  MEDIUM: 'severityMedium',
  LOW: 'severityLow',
};
/** Open alerts, by how serious they are. */
export function Attention(): ReactElement | null {
  const card = useCard<Alerts>('home.alerts');
  const { may, data } = card;
  if (!may) return null;
  return (
    <Card
      title={t`Needs attention`}
      what={t`What needs attention`}
      card={card}
      link={
        data &&
        data.total > data.alerts.length && (
          <Link className="p-btn p-btn-s p-btn-plain" to="/alerts/open">
            {tx`All ${count(data.total)}`}
          </Link>
        )
      }
    >
      {!data ? (
        <div className="p-card-body p-stack-s">
          <span className="p-skeleton p-sk-5" />
          <span className="p-skeleton p-sk-4" />
        </div>
      ) : data.alerts.length === 0 ? (
        <p className="p-card-body p-row p-muted">
          <CircleCheck size={16} aria-hidden="true" />
          {t`Nothing needs your attention.`}
        </p>
      ) : (
        <ul className="b-list">
          {data.alerts.map(alert => (
            <li key={alert.id}>
              <CircleAlert
                size={16}
                aria-hidden="true"
                className="b-severity"
                data-tone={toneOf(SEVERITIES[alert.severity] ?? 'severityLow')}
              />
              <div>
                <Link className="p-strong" to={`/alerts/${alert.id}`}>
                  {alert.title}
                </Link>
                <p>{alert.summary}</p>
              </div>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

/** The orders of the next seven days, and what they are likely to bring. */
export function Ahead(): ReactElement | null {
  const card = useCard<Upcoming>('home.upcoming');
  const { may, data } = card;
  if (!may) return null;
  const most = Math.max(1, ...(data?.days ?? []).map(day => day.count));
  return (
    <Card
      title={t`Upcoming orders`}
      card={card}
      link={
        <Link className="p-btn p-btn-s p-btn-plain" to="/subscriptions?tab=active&nextBillingDateEpoch=next-7-days">
          {t`Show subscriptions`}
        </Link>
      }
    >
      <div className="p-card-body p-stack-s">
        <p className="p-muted">
          {data ? (
            data.week.count === 0 ? (
              t`No orders are due in the next 7 days.`
            ) : (
              t`${counted(data.week.count, ORDERS)} in the next 7 days, worth ${money(data.week.value, data.currencyCode)}`
            )
          ) : (
            <span className="p-skeleton p-sk-5" />
          )}
        </p>
        <ul className="b-days">
          {(data?.days ?? Array.from({ length: 7 }, () => undefined)).map((day, i) => {
            const words = day && `${plainDay(day.date)}: ${counted(day.count, ORDERS)}, ${money(day.value, data?.currencyCode)}`;
            return (
              <li key={day?.date ?? i} {...(words ? { 'data-tip': words } : {})}>
                <span className="b-day-bar" aria-hidden="true">
                  {day && day.count > 0 && <span style={{ height: `${Math.round((day.count / most) * 100)}%` }} />}
                </span>
                <span className="p-muted" aria-hidden="true">
                  {day ? weekday(day.date) : ''}
                </span>
                <span aria-hidden="true">{day ? short(day.count) : ''}</span>
                {words && <span className="p-sr">{words}</span>}
              </li>
            );
          })}
        </ul>
      </div>
    </Card>
  );
}
const weekday = (day: string): string =>
  new Intl.DateTimeFormat(intlLocale(), { timeZone: 'UTC', weekday: 'short' }).format(Date.parse(`${day}T00:00:00Z`));
