// Everything that happened, newest first and grouped by day: what, from what to what, by whom and from where. Narrowed by kind, longer on demand.
import { useState } from 'react';
import { Link } from 'react-router';
import { optionsOf } from '../../src/contract/paths.ts';
import type { JsonObject, JsonValue } from '../../src/contract/types.ts';
import { useSchema } from '../../src/admin/definitions.ts';
import { instant, plainDay, storeZone, toMs } from '../../src/admin/format.ts';
import { Icon } from '../../src/admin/icons.tsx';
import { EVENT_GROUPS, eventIcon, eventWords } from '../../src/admin/record/activity-words.ts';
import type { PanelProps } from '../../src/admin/record/panel.ts';
import { More } from '../../src/admin/record/sections.tsx';
import { storeNow } from '../../src/admin/session.tsx';
import { addDays, dayOf } from '../../src/admin/zone.ts';

export const flush = true;

const text = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

export default function Timeline({ data, record, options, more, isLoadingMore }: PanelProps) {
  const events = Array.isArray(data) ? data as JsonObject[] : [];
  const schema = useSchema('entities/activity');
  const titles = optionsOf(schema?.properties?.key);
  const [group, setGroup] = useState<string>();
  const currency = text(record.currencyCode);
  const fits = EVENT_GROUPS.find(one => one.id === group)?.fits;
  const shown = fits ? events.filter(event => fits(text(event.key))) : events;
  const days = new Map<string, JsonObject[]>();
  for (const event of shown) {
    const on = dayOf(toMs(text(event.createdAt)), storeZone());
    days.set(on, [...days.get(on) ?? [], event]);
  }
  if (events.length === 0) return <p className="r-empty p-muted">Nothing happened yet.</p>;
  return (
    <>
      <div className="r-timeline-tools" role="group" aria-label="Show">
        <div className="p-segment r-filter">
          <button type="button" aria-pressed={group === undefined} onClick={() => setGroup(undefined)}>All</button>
          {EVENT_GROUPS.map(one => <button key={one.id} type="button" aria-pressed={group === one.id} onClick={() => setGroup(one.id)}>{one.title}</button>)}
        </div>
      </div>
      {shown.length === 0 && <p className="r-empty p-muted">{more ? 'Nothing of this kind among the entries loaded so far.' : 'Nothing of this kind.'}</p>}
      {[...days].map(([on, list]) => (
        <div key={on} className="r-day">
          <h3>{dayTitle(on)}</h3>
          <ol className="r-events">{list.map(event => <Event key={String(event.id)} event={event} title={titles.find(one => one.value === event.key)} currency={currency} named={options.subscriptions === true} />)}</ol>
        </div>
      ))}
      <More answer={{ more, isLoadingMore }} />
    </>
  );
}

function dayTitle(on: string): string {
  const today = dayOf(storeNow(), storeZone());
  return on === today ? 'Today' : on === addDays(today, -1) ? 'Yesterday' : plainDay(on);
}
const clock = (at: string): string => new Intl.DateTimeFormat('en-US', { timeZone: storeZone(), hour: 'numeric', minute: '2-digit' }).format(toMs(at));

function Event({ event, title, currency, named }: { event: JsonObject; title: { title: string; tone?: string } | undefined; currency: string; /** Several subscriptions are told about: each entry names its own. */ named: boolean }) {
  const key = text(event.key);
  const { about, changes, more } = eventWords(key, (event.data ?? {}) as JsonObject, currency);
  const at = text(event.createdAt);
  return (
    <li>
      <span className="r-event-icon" data-tone={title?.tone}><Icon name={eventIcon(key)} size={13} /></span>
      <div className="r-event-text">
        <p><span className="p-strong">{title?.title ?? key.replaceAll('_', ' ')}</span>{about && <span className="p-muted">: {about}</span>}</p>
        {changes.map((change, i) => <p key={i} className="r-change">{change.from && <><del><span className="p-sr">from </span>{change.from}</del><span aria-hidden="true">→</span></>}<ins><span className="p-sr">to </span>{change.to}</ins></p>)}
        {more && <p className="p-muted">{more}</p>}
        <p className="r-event-who">{named && <><Link to={`/subscriptions/${String(event.subscriptionId)}`}>Subscription #{String(event.subscriptionId)}</Link> · </>}{whoOf(event)}</p>
      </div>
      <time className="r-event-time" dateTime={at} data-tip={instant(at)}>{clock(at)}</time>
    </li>
  );
}

/** "ana@example.com · Admin portal"; the system needs no second name. */
function whoOf(event: JsonObject): string {
  const [by, from] = [text(event.entity), text(event.source)];
  return by && by !== from && from !== 'System' ? `${by} · ${from}` : from || by;
}
