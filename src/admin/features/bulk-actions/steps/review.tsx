// The last step: what will happen, to how many, when; what can't be undone is typed out before it starts.
import { CircleAlert, CreditCard, Mail, TriangleAlert, Clock } from 'lucide-react';
import { type ReactElement, type ReactNode, useId } from 'react';
import { count, counted, moment, storeZone } from '../../../platform/format.ts';
import { hourName, zoneName } from '../../../form/fields/calendar-names.ts';
import { storeNow } from '../../../platform/store-clock.ts';
import { addDays, dayOf } from '../../../platform/time-zone.ts';
import { type Asked, AskedValue } from '../action-input-summary.tsx';
import type { CatalogueAction } from '../catalogue.ts';
import type { Draft } from '../draft.ts';
import { atLocalHour, DAYS_AHEAD } from './start-time.ts';
import { TypedNumber } from './typed-number.tsx';
import { EXPORT, NAMES } from '../bulk-calls.ts';
import { t } from '../../../../domain/text/t.ts';
import { tx } from '../../../ui/tx.ts';

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

export interface ReviewProps {
  draft: Draft;
  action: CatalogueAction;
  total: number;
  /** What was filled in, in words: title and value. */
  asked: Asked[];
  /** Where the subscriptions come from, in words. */
  from: ReactNode;
  /** Customers get an e-mail about it, as it was filled in. */
  mails: boolean;
  /** The number must be typed before it starts. */
  isTyped: boolean;
  typed: string;
  onTyped: (text: string) => void;
  isBusy: boolean;
  whenError: string | undefined;
  onChange: (patch: Partial<Draft>) => void;
}

export function Review({
  draft,
  action,
  total,
  asked,
  from,
  mails,
  isTyped,
  typed,
  onTyped,
  isBusy,
  whenError,
  onChange,
}: ReviewProps): ReactElement {
  const id = useId();
  const today = dayOf(storeNow(), storeZone());
  const what = counted(total, NAMES);
  const at = draft.when === 'LATER' ? atLocalHour(draft.day, draft.hour) : undefined;
  return (
    <div className="p-stack">
      <section className="p-card" aria-label={t`What will happen`}>
        <dl className="p-facts ba-facts">
          <dt>{t`Action`}</dt>
          <dd>{action.label}</dd>
          <dt>{t`Subscriptions`}</dt>
          <dd>
            <span className="p-strong">{what}</span>
            <span className="ba-from">{from}</span>
          </dd>
          {asked.map(one => (
            <Fact key={one.title} title={one.title}>
              <AskedValue asked={one} />
            </Fact>
          ))}
        </dl>
      </section>
      <div className="p-stack-s">
        {action.charges && (
          <Warning
            icon={<CreditCard aria-hidden="true" />}
            tone="critical"
            title={total === 1 ? t`Up to 1 card is charged` : t`Up to ${count(total)} cards are charged`}
          >
            {t`Money moves. A charge is refunded order by order, not from here.`}
          </Warning>
        )}
        {mails && (
          <Warning
            icon={<Mail aria-hidden="true" />}
            tone="warning"
            title={total === 1 ? t`Up to 1 customer gets an e-mail` : t`Up to ${count(total)} customers get an e-mail`}
          >
            {action.mails
              ? t`Each e-mail is sent when the bulk action reaches its subscription.`
              : t`Each customer gets an e-mail about the change as soon as their subscription is done.`}
          </Warning>
        )}
        {action.key !== EXPORT && (
          <Warning
            icon={<TriangleAlert aria-hidden="true" />}
            tone="neutral"
            title={action.undo ? t`It can be undone for a day` : t`A bulk action can't be undone`}
          >
            {action.undo
              ? t`Subscriptions that are changed meanwhile stay as they are then.`
              : t`You can stop it while it runs; what is done by then stays as it is.`}
          </Warning>
        )}
        {isBusy && (
          <Warning icon={<Clock aria-hidden="true" />} tone="info" title={t`A bulk action of this type is already running.`}>
            {t`This one waits and begins by itself as soon as that is done.`}
          </Warning>
        )}
      </div>
      <fieldset className="p-card p-card-body p-stack-s">
        <legend className="p-sr">{t`When`}</legend>
        <p className="p-label" aria-hidden="true">
          {t`When`}
        </p>
        <label className="p-choice">
          <input
            type="radio"
            className="p-radio"
            name={`${id}-when`}
            checked={draft.when === 'NOW'}
            onChange={() => onChange({ when: 'NOW' })}
          />
          <span>{tx`Now${<span className="p-hint"> {t`· you can leave the page, it goes on`}</span>}`}</span>
        </label>
        <label className="p-choice">
          <input
            type="radio"
            className="p-radio"
            name={`${id}-when`}
            checked={draft.when === 'LATER'}
            onChange={() => onChange({ when: 'LATER', day: draft.day || addDays(today, 1) })}
          />
          <span>{tx`At a date and hour${<span className="p-hint"> {tx`· at most ${DAYS_AHEAD} days ahead`}</span>}`}</span>
        </label>
        {draft.when === 'LATER' && (
          <div className="ba-when">
            <div className="p-field">
              <label className="p-label" htmlFor={`${id}-day`}>
                {t`Date`}
              </label>
              <input
                id={`${id}-day`}
                type="date"
                className="p-input"
                value={draft.day}
                min={today}
                max={addDays(today, DAYS_AHEAD)}
                aria-invalid={whenError !== undefined || undefined}
                aria-describedby={`${id}-at`}
                onChange={event => onChange({ day: event.target.value })}
              />
            </div>
            <div className="p-field">
              <label className="p-label" htmlFor={`${id}-hour`}>
                {t`Hour`}
              </label>
              <select
                id={`${id}-hour`}
                className="p-input p-select"
                value={draft.hour}
                onChange={event => onChange({ hour: Number(event.target.value) })}
              >
                {HOURS.map(hour => (
                  <option key={hour} value={hour}>
                    {hourName(hour)}
                  </option>
                ))}
              </select>
            </div>
            <p
              id={`${id}-at`}
              className={whenError ? 'p-error ba-when-said' : 'p-help ba-when-said'}
              role={whenError ? 'alert' : undefined}
            >
              {whenError ? (
                <>
                  <CircleAlert size={14} aria-hidden="true" />
                  {whenError}
                </>
              ) : at !== undefined ? (
                t`It starts ${moment(new Date(at))}, ${zoneName(storeZone(), at)}. ` +
                `${draft.mode === 'FILTER' ? t`The subscriptions are those that match now.` : ''}`
              ) : (
                ''
              )}
            </p>
          </div>
        )}
      </fieldset>
      {isTyped && (
        <div className="p-card p-card-body">
          <TypedNumber of={total} value={typed} onChange={onTyped} />
        </div>
      )}
    </div>
  );
}

const Fact = ({ title, children }: { title: string; children: ReactNode }): ReactElement => (
  <>
    <dt>{title}</dt>
    <dd>{children}</dd>
  </>
);

function Warning({ icon, tone, title, children }: { icon: ReactNode; tone: string; title: string; children: ReactNode }): ReactElement {
  return (
    <div className="p-banner" data-tone={tone}>
      {icon}
      <div>
        <p className="p-strong">{title}</p>
        <p>{children}</p>
      </div>
    </div>
  );
}
