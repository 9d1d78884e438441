// How a record is doing, in one line and some figures, and the newest entries of its log: what a person who opens it wants to know first.
import { holds } from '../../src/contract/validation/condition.ts';
import { optionsOf } from '../../src/contract/paths.ts';
import type { JsonObject, JsonValue, When } from '../../src/contract/types.ts';
import { allowsCall } from '../../src/contract/access.ts';
import { definitions, useSchema } from '../../src/admin/platform/definitions.ts';
import { instant, relative } from '../../src/admin/platform/format.ts';
import { words } from '../../src/admin/platform/interpolate.ts';
import { useFacts, useSession } from '../../src/admin/platform/session/session.tsx';
import { storeNow } from '../../src/admin/platform/store-clock.ts';
import { eventIcon, eventWords } from '../../src/admin/record/log/describe-activity.ts';
import { Facts } from '../../src/admin/record/facts.tsx';
import type { PanelProps } from '../../src/admin/record/panel.ts';
import { useAnswer } from '../../src/admin/record/use-rows.ts';
import { Icon } from '../../src/admin/ui/icons.tsx';
import { t } from '../../src/domain/text/t.ts';
import { tx } from '../../src/admin/ui/tx.ts';

export const flush = true;

type Health = {
  when?: When;
  tone?: string;
  icon?: string;
  text: string;
};

const text = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

type Log = {
  call: string;
  limit: number;
  show: number;
  section?: string;
};

export default function Story({ record, schema, options }: PanelProps) {
  const facts = useFacts();
  const health = ((options.health ?? []) as Health[]).find(one => holds(one.when, { siblings: record, root: record, facts }));
  const figures = (options.figures ?? []) as string[];
  return (
    <div className="r-story">
      {health && (
        <p className="r-health" data-tone={health.tone ?? 'neutral'}>
          <Icon name={health.icon ?? 'info'} size={16} />
          <span>{words(health.text, { record, schema })}</span>
        </p>
      )}
      {figures.length > 0 && <Facts record={record} fields={figures} schema={schema} columns={figures.length} />}
      {options.log && <Latest record={record} log={options.log as Log} />}
    </div>
  );
}

/** The newest entries of the log, a line each. It loads and fails by itself: what is known of the record stands meanwhile. */
function Latest({ record, log }: { record: JsonObject; log: Log }) {
  const session = useSession();
  const call = definitions.calls[log.call];
  if (!call) throw new Error(`There is no call "${log.call}" in the definitions.`);
  const isAllowed = allowsCall(call, session).ok;
  const { data, error, refetch } = useAnswer(isAllowed ? call : undefined, { id: record.id ?? null, limit: log.limit });
  const titles = optionsOf(useSchema('entities/activity')?.properties?.key);
  if (!isAllowed) return null;
  const events = Array.isArray(data) ? (data as JsonObject[]) : undefined;
  if (!events && error)
    return (
      <p className="r-latest p-muted" role="alert">
        {tx`What happened last could not be loaded: ${error.message}`}{' '}
        <button type="button" className="p-link" onClick={refetch}>
          {t`Try again`}
        </button>
      </p>
    );
  if (!events)
    return (
      <div className="r-latest" role="status" aria-label={t`Loading`}>
        {Array.from({ length: log.show }, (_, i) => (
          <span key={i} className="p-skeleton r-sk-line r-sk-event" />
        ))}
      </div>
    );
  if (events.length === 0) return null;
  const toAll = (): void => document.querySelector(`[data-section="${CSS.escape(log.section ?? '')}"]`)?.scrollIntoView({ block: 'start' });
  return (
    <ol className="r-events r-latest" aria-label={t`What happened last`}>
      {events.slice(0, log.show).map((event, i) => {
        const key = text(event.key);
        const title = titles.find(one => one.value === key);
        const { about, changes } = eventWords(key, (event.data ?? {}) as JsonObject, text(record.currencyCode));
        const sentence = about ?? changes[0]?.to;
        const at = text(event.createdAt);
        return (
          <li key={String(event.id)}>
            <span className="r-event-icon" data-tone={title?.tone}>
              <Icon name={eventIcon(key)} size={13} />
            </span>
            <p className="p-cut">
              {title?.title ?? key.replaceAll('_', ' ')}
              {sentence && <span className="p-muted">: {sentence}</span>}
            </p>
            <span className="p-row">
              {i === log.show - 1 && events.length > log.show && log.section && (
                <button type="button" className="p-link r-all-events" onClick={toAll}>
                  {t`All activity`}
                </button>
              )}
              <time className="r-event-time" dateTime={at} data-tip={instant(at)}>
                {relative(at, storeNow())}
              </time>
            </span>
          </li>
        );
      })}
    </ol>
  );
}
