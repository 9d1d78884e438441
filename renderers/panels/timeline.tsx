// Everything that happened, newest first and grouped by day: what, from what to what, by whom and from
// where. Narrowed by kind, longer on demand.
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { optionsOf } from '../../src/contract/paths.ts';
import type { JsonObject, JsonValue } from '../../src/contract/types.ts';
import { definitions, useSchema } from '../../src/admin/platform/definitions.ts';
import { instant, plainDay, storeZone, toMs } from '../../src/admin/platform/format.ts';
import { Icon } from '../../src/admin/ui/icons.tsx';
import { EVENT_KINDS } from '../../src/domain/text/event-kinds.ts';
import { eventIcon, eventWords } from '../../src/admin/record/log/describe-activity.ts';
import type { PanelProps } from '../../src/admin/record/panel.ts';
import { More } from '../../src/admin/record/sections.tsx';
import { useAnswer } from '../../src/admin/record/use-rows.ts';
import { storeNow } from '../../src/admin/platform/store-clock.ts';
import { addDays, dayOf } from '../../src/admin/platform/time-zone.ts';
import { intlLocale, t, translated } from '../../src/domain/text/t.ts';
import { tx } from '../../src/admin/ui/tx.ts';

export const flush = true;

const text = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

export default function Timeline({ data, record, section, options, more, isLoadingMore }: PanelProps) {
  const [kind, setKind] = useState<string>();
  // What is about one thing is looked for in all of the log, not in the part that was loaded.
  const call = kind === undefined || !section.call ? undefined : definitions.calls[section.call];
  const narrowed = useAnswer(call, { ...section.with, id: record.id ?? null, ...(kind === undefined ? {} : { kind }) });
  const [found, next, isLoading] =
    kind === undefined ? ([data, more, isLoadingMore] as const) : ([narrowed.data, narrowed.more, narrowed.isLoadingMore] as const);
  if (Array.isArray(data) && data.length === 0) return <p className="r-empty p-muted">{t`Nothing happened yet.`}</p>;
  return (
    <>
      <div className="r-timeline-tools" role="group" aria-label={t`Show`}>
        <div className="p-segment r-filter">
          <button type="button" aria-pressed={kind === undefined} onClick={() => setKind(undefined)}>
            {t`All`}
          </button>
          {EVENT_KINDS.map(one => (
            <button key={one.id} type="button" aria-pressed={kind === one.id} onClick={() => setKind(one.id)}>
              {translated(one.title)}
            </button>
          ))}
        </div>
      </div>
      {kind !== undefined && narrowed.error && !found ? (
        <p className="r-empty p-error" role="alert">
          {narrowed.error.message}{' '}
          <button type="button" className="p-link" onClick={narrowed.refetch}>
            {t`Try again`}
          </button>
        </p>
      ) : found === undefined ? (
        <div className="r-day" role="status" aria-label={t`Loading`}>
          {[70, 52, 61].map(width => (
            <span key={width} className="p-skeleton r-sk-line" style={{ width: `${width}%` }} />
          ))}
        </div>
      ) : (
        <Days
          events={Array.isArray(found) ? (found as JsonObject[]) : []}
          currency={text(record.currencyCode)}
          named={options.subscriptions === true}
        />
      )}
      <More answer={{ more: next, isLoadingMore: isLoading }} />
    </>
  );
}

function Days({ events, currency, named }: { events: JsonObject[]; currency: string; named: boolean }) {
  const schema = useSchema('entities/activity');
  const titles = optionsOf(schema?.properties?.key);
  const days = new Map<string, JsonObject[]>();
  for (const event of events) {
    const on = dayOf(toMs(text(event.createdAt)), storeZone());
    days.set(on, [...(days.get(on) ?? []), event]);
  }
  if (events.length === 0) return <p className="r-empty p-muted">{t`Nothing of this kind.`}</p>;
  return (
    <>
      {[...days].map(([on, list]) => (
        <div key={on} className="r-day">
          <h3>{dayTitle(on)}</h3>
          <ol className="r-events">
            {list.map(event => (
              <Event
                key={String(event.id)}
                event={event}
                title={titles.find(one => one.value === event.key)}
                currency={currency}
                named={named}
              />
            ))}
          </ol>
        </div>
      ))}
    </>
  );
}

function dayTitle(on: string): string {
  const today = dayOf(storeNow(), storeZone());
  return on === today ? t`Today` : on === addDays(today, -1) ? t`Yesterday` : plainDay(on);
}
const clock = (at: string): string =>
  new Intl.DateTimeFormat(intlLocale(), { timeZone: storeZone(), hour: 'numeric', minute: '2-digit' }).format(toMs(at));

function Event({
  event,
  title,
  currency,
  named,
}: {
  event: JsonObject;
  title: { title: string; tone?: string } | undefined;
  currency: string;
  /** Entries of several subscriptions: each names its own. */ named: boolean;
}) {
  const key = text(event.key);
  const { about, changes, more } = eventWords(key, (event.data ?? {}) as JsonObject, currency);
  const at = text(event.createdAt);
  return (
    <li>
      <span className="r-event-icon" data-tone={title?.tone}>
        <Icon name={eventIcon(key)} size={13} />
      </span>
      <div className="r-event-text">
        <p>
          <span className="p-strong">{title?.title ?? key.replaceAll('_', ' ')}</span>
          {about && <span className="p-muted">: {about}</span>}
        </p>
        {changes.map((change, i) => (
          <p key={i} className="r-change">
            {change.from && (
              <>
                <del>
                  <span className="p-sr">{t.as('change')`from`} </span>
                  {change.from}
                </del>
                <span aria-hidden="true">→</span>
              </>
            )}
            <ins>
              <span className="p-sr">{t.as('change')`to`} </span>
              {change.to}
            </ins>
          </p>
        ))}
        {more && <p className="p-muted">{more}</p>}
        <p className="r-event-who">
          {named && (
            <>
              <Link to={`/subscriptions/${String(event.subscriptionId)}`}>{tx`Subscription #${String(event.subscriptionId)}`}</Link> ·{' '}
            </>
          )}
          {whoOf(event)}
        </p>
      </div>
      <time className="r-event-time" dateTime={at} data-tip={instant(at)}>
        {clock(at)}
      </time>
    </li>
  );
}

/** "ana@example.com · Admin portal"; the system needs no second name. */
function whoOf(event: JsonObject): string {
  const [by, from] = [text(event.entity), text(event.source)];
  return by && by !== from && from !== 'System' ? `${by} · ${translated(from)}` : translated(from) || by;
}
