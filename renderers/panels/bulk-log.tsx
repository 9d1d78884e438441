// Who did what with a bulk action: made, started, cancelled, tried again; the oldest first.
import { Link } from 'react-router-dom';
import { number, text } from '../../src/admin/features/bulk-actions/states.ts';
import { NAMES, pageOf } from '../../src/admin/features/bulk-actions/bulk-calls.ts';
import { counted, dayTime, instant, moment } from '../../src/admin/platform/format.ts';
import { Icon } from '../../src/admin/ui/icons.tsx';
import type { PanelProps } from '../../src/admin/record/panel.ts';
import type { JsonObject } from '../../src/contract/types.ts';
import { toneOf } from '../../src/admin/ui/tone.ts';
import { t } from '../../src/domain/text/t.ts';
import { tx } from '../../src/admin/ui/tx.ts';

const ICONS: Record<string, string> = {
  created: 'plus',
  scheduled: 'calendar-clock',
  started: 'circle-play',
  cancelled: 'circle-x',
  retried: 'rotate-ccw',
  ended: 'circle-x',
};

export default function BulkLog({ data }: PanelProps) {
  const events = Array.isArray(data) ? (data as JsonObject[]) : [];
  if (events.length === 0) return <p className="r-empty p-muted">{t`Nothing is noted about it.`}</p>;
  return (
    <ol className="r-events">
      {events.map(event => (
        <li key={String(event.id)}>
          <span
            className="r-event-icon"
            {...(event.event === 'cancelled' || event.event === 'ended' ? { 'data-tone': toneOf('cancelled') } : {})}
          >
            <Icon name={ICONS[text(event.event)] ?? 'list'} />
          </span>
          <div className="r-event-text">
            <p>{wordsOf(event)}</p>
            <p className="r-event-who">
              <span {...(event.userEmail ? { 'data-tip': text(event.userEmail) } : {})}>{text(event.userName)}</span> ·{' '}
              <span data-tip={instant(text(event.createdAt))}>{dayTime(text(event.createdAt))}</span>
            </p>
          </div>
        </li>
      ))}
    </ol>
  );
}

function wordsOf(event: JsonObject) {
  switch (event.event) {
    case 'created':
      return typeof event.retryOf === 'number' ? (
        <>{tx`Made to try again ${<Link to={pageOf(event.retryOf)}>{t`what failed before`}</Link>}`}</>
      ) : (
        t`Made`
      );
    case 'scheduled': {
      const when = moment(number(event, 'scheduledAtEpoch'));
      return t`Scheduled for ${when}`;
    }
    case 'started': {
      const remaining = counted(number(event, 'remaining'), NAMES);
      return t`Started for ${remaining}`;
    }
    case 'cancelled': {
      const succeeded = number(event, 'succeeded') && counted(number(event, 'succeeded'), NAMES);
      return succeeded ? t`Cancelled after ${succeeded}` : t.as('bulk action')`Cancelled`;
    }
    case 'retried': {
      const failed = counted(number(event, 'total'), NAMES);
      return <>{tx`${<Link to={pageOf(number(event, 'draftId'))}>{t`A draft`}</Link>} made of ${failed} that failed`}</>;
    }
    default:
      return text(event.description);
  }
}
