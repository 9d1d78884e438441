// What happened and what to do about it: the recommended step with its button or link, how far it is
// once it was begun, and how the alert ended.
import { useQuery } from '@tanstack/react-query';
import { ArrowRight } from 'lucide-react';
import { type ReactElement, useEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import { mayOpen } from '../../src/navigation/navigation.ts';
import type { JsonObject } from '../../src/contract/types.ts';
import { markStale, runCall } from '../../src/admin/platform/transport/calls.ts';
import { definitions } from '../../src/admin/platform/definitions.ts';
import { count, dayTime } from '../../src/admin/platform/format.ts';
import { Icon } from '../../src/admin/ui/icons.tsx';
import { ActionButton } from '../../src/admin/form/actions/buttons.tsx';
import type { PanelProps } from '../../src/admin/record/panel.ts';
import { useSession } from '../../src/admin/platform/session/session.tsx';
import { t } from '../../src/domain/text/t.ts';

export const bare = true;

/** The buttons that begin what resolves an alert: of the screen's actions the one that its kind offers. */
const BEGIN = ['swap', 'ask', 'charge', 'copy'];
const POLL_MS = 3000;

interface Recommended {
  label: string;
  kind: string;
  target: string;
  text: string;
}
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

export default function AlertAction(props: PanelProps): ReactElement | null {
  const { record } = props;
  if (record.status === 'RESOLVED') return <Over record={record} />;
  if (record.status === 'RESOLVING') return <Running record={record} />;
  return <Open {...props} />;
}

function Open({ record, offer, start }: PanelProps): ReactElement | null {
  const recommended = record.recommendedAction as Recommended | null;
  if (!recommended) return null;
  const begin = BEGIN.flatMap(id => offer(id) ?? [])[0];
  return (
    <section
      className="r-note"
      data-tone={record.error ? 'critical' : record.severity === 'CRITICAL' ? 'critical' : 'attention'}
      aria-label={t`What to do`}
    >
      <Icon name={record.error ? 'circle-alert' : 'info'} size={18} />
      <div className="r-note-body">
        <h2>{text(record.summary)}</h2>
        {record.error && (
          <p>
            <span className="p-strong">{t`The last try did not work.`}</span> {text(record.error)}
          </p>
        )}
        <p>{recommended.text}</p>
        <div className="r-note-actions">
          {begin && <ActionButton offer={begin} small look="primary" onStart={() => start(begin)} />}
          {recommended.kind === 'LINK' && <Way to={recommended.target} label={recommended.label} isMain={!begin} />}
        </div>
      </div>
    </section>
  );
}

/** The way to the page where it is settled; who may not open that page sees so here. */
function Way({ to, label, isMain = false }: { to: string; label: string; isMain?: boolean }): ReactElement {
  const verdict = mayOpen(definitions, to, useSession());
  const className = `p-btn p-btn-s${isMain ? ' p-btn-primary' : ''}`;
  const face = (
    <>
      {label}
      <ArrowRight aria-hidden="true" />
    </>
  );
  return verdict.ok ? (
    <Link className={className} to={to}>
      {face}
    </Link>
  ) : (
    <button type="button" className={className} aria-disabled="true" data-tip={verdict.message}>
      {face}
    </button>
  );
}

/** How far the resolution is: asked for every few seconds until the alert is closed, or open again. */
function Running({ record }: { record: JsonObject }): ReactElement {
  const { data } = useQuery({
    queryKey: ['alert-resolution', record.id],
    queryFn: async ({ signal }) => (await runCall('alerts.resolutionStatus', { id: record.id ?? null }, { signal })).data as JsonObject,
    refetchInterval: POLL_MS,
    refetchIntervalInBackground: true,
    gcTime: 0,
  });
  const announced = useRef(false);
  useEffect(() => {
    if (!data || data.alertStatus === 'RESOLVING' || announced.current) return;
    announced.current = true;
    void markStale({ invalidates: ['alert', 'alert-row', 'alert-log', 'alert-type', 'subscription'] });
  }, [data]);
  const total = Number(data?.total ?? 0);
  const done = Number(data?.processed ?? 0);
  const bulk = Array.isArray(data?.bulkActionIds) ? data.bulkActionIds.map(String)[0] : undefined;
  const percent = total ? Math.floor((done / total) * 100) : 0;
  return (
    <section className="r-note" data-tone="attention" aria-label={t`Resolution`}>
      <Icon name="refresh-cw" size={18} />
      <div className="r-note-body">
        <h2>{t`Being resolved`}</h2>
        <p>{text(record.summary)}</p>
        <p role="status">
          {total
            ? t`${count(done)} of ${count(total)} done. You can leave this page; the alert closes by itself when nothing is left.`
            : t`You can leave this page; the alert closes by itself when nothing is left.`}
        </p>
        <div
          className="p-progress"
          role="progressbar"
          aria-label={t`Resolution`}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percent}
        >
          <span style={{ width: `${percent}%` }} />
        </div>
        {bulk !== undefined && (
          <div className="r-note-actions">
            <Way to={`/bulk-actions/${bulk}`} label={t`Open the bulk action`} />
          </div>
        )}
      </div>
    </section>
  );
}

function Over({ record }: { record: JsonObject }): ReactElement {
  const how =
    record.resolution === 'MANUAL'
      ? t`Marked as resolved by ${text(record.resolvedBy)}`
      : record.resolution === 'TURNED_OFF'
        ? t`Closed because this is no longer watched`
        : t`Resolved by itself: nothing was left of it`;
  return (
    <section className="r-note" data-tone="success" aria-label={t`Resolved`}>
      <Icon name="circle-check" size={18} />
      <div className="r-note-body">
        <h2>{t`Resolved`}</h2>
        {text(record.summary) && <p>{text(record.summary)}</p>}
        <p>
          {record.resolution === 'MANUAL'
            ? t`${how}, ${dayTime(text(record.resolvedAt))}. It is raised again within 7 days only if more are affected.`
            : `${how}, ${dayTime(text(record.resolvedAt))}.`}
        </p>
      </div>
    </section>
  );
}
