// How far a bulk action is: asked every three seconds while it is under way, and the record is read again when its state changes. What it
// came to, and its result file.
import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { JsonObject } from '../../src/contract/types.ts';
import { markStale, useAsk } from '../../src/admin/platform/transport/calls.ts';
import { download } from '../../src/admin/ui/download.ts';
import { follow } from '../../src/admin/features/bulk-actions/start.ts';
import { FINAL, number, text, UNDER_WAY } from '../../src/admin/features/bulk-actions/states.ts';
import { BULK, ENTITY, NAMES, ROW_ENTITY, SUBSCRIPTIONS } from '../../src/admin/features/bulk-actions/bulk-calls.ts';
import { count, counted, dayTime, moment } from '../../src/admin/platform/format.ts';
import type { PanelProps } from '../../src/admin/record/panel.ts';
import { useSession } from '../../src/admin/platform/session/session.tsx';
import { storeNow } from '../../src/admin/platform/store-clock.ts';
import { toneOf } from '../../src/admin/ui/tone.ts';
import '../../src/admin/features/bulk-actions/bulk.css';
import { t } from '../../src/domain/text/t.ts';

const POLL_MS = 3000;

export default function BulkProgress({ record }: PanelProps) {
  const id = Number(record.id);
  const isOver = FINAL.has(text(record.status));
  const asks = UNDER_WAY.has(text(record.status)) || record.status === 'SCHEDULED';
  const now = useAsk<JsonObject>(BULK.progress, asks ? { id } : undefined, {
    refetchInterval: POLL_MS,
    refetchIntervalInBackground: true,
    staleTime: 0,
  });
  const run: JsonObject = asks && now.data ? { ...record, ...now.data } : record;
  const state = text(run.status);
  const before = useRef(state);
  useEffect(() => {
    if (before.current === state) return;
    before.current = state;
    void Promise.all([markStale(ENTITY), markStale(ROW_ENTITY), FINAL.has(state) ? markStale(SUBSCRIPTIONS.entity) : undefined]);
  }, [state]);
  // A person who leaves while it runs finds progress and result elsewhere.
  const navigate = useNavigate();
  const isMine = record.createdBy === useSession().user.email;
  const leaving = useRef(() => {});
  leaving.current = () => {
    if (isMine && UNDER_WAY.has(state)) void follow(id, text(record.label), number(run, 'total'), path => void navigate(path));
  };
  useEffect(() => () => leaving.current(), []);
  const [total, done] = [number(run, 'total'), number(run, 'processed')];
  const parts = [
    ['success', t`Done`, number(run, 'succeeded')],
    ['skipped', t`Skipped`, number(run, 'skipped')],
    ['failed', t`Failed`, number(run, 'failed')],
  ] as const;
  const percent = total ? Math.floor((done / total) * 100) : isOver ? 100 : 0;
  return (
    <div className="ba-progress">
      <div className="ba-progress-head">
        <p className="p-strong" role="status">
          {headline(run)}
        </p>
        {state === 'IN_PROGRESS' && done > 0 && <span className="p-hint">{remaining(secondsLeft(run))}</span>}
      </div>
      {state !== 'DRAFT' && state !== 'SCHEDULED' && (
        <div
          className="ba-bar-parts"
          role="progressbar"
          aria-label={t`Progress`}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percent}
        >
          {parts.map(([badge, , n]) => (
            <span key={badge} data-tone={toneOf(badge)} style={{ width: `${total ? (n / total) * 100 : 0}%` }} />
          ))}
        </div>
      )}
      <dl className="ba-counts">
        <div>
          <dt>{t`Subscriptions`}</dt>
          <dd>{count(total)}</dd>
        </div>
        {parts.map(([badge, title, n]) => (
          <div key={badge} data-tone={toneOf(badge)}>
            <dt>{title}</dt>
            <dd>{count(n)}</dd>
          </div>
        ))}
      </dl>
      {now.error && asks ? (
        <p className="p-hint" role="status">
          {t`The server can't be reached at the moment. The bulk action goes on; this page catches up by itself.`}
        </p>
      ) : (
        asks &&
        state !== 'SCHEDULED' && <p className="p-hint">{t`You can leave this page. It goes on, and you find it under bulk actions.`}</p>
      )}
      {Boolean(run.resultFileUrl) && <Result id={id} />}
    </div>
  );
}

function headline(run: JsonObject): string {
  const [total, done] = [number(run, 'total'), number(run, 'processed')];
  const [succeeded, failed] = [count(number(run, 'succeeded')), count(number(run, 'failed'))];
  switch (run.status) {
    case 'DRAFT':
      return t`Not started yet. Nothing was changed.`;
    case 'SCHEDULED':
      return run.scheduledAt
        ? t`Starts ${moment(text(run.scheduledAt))}. Nothing was changed yet.`
        : t`Starts later. Nothing was changed yet.`;
    case 'QUEUED':
      return t`Waiting to begin. Bulk actions of one kind run one after another.`;
    case 'IN_PROGRESS':
      return t.as('bulk action')`${count(done)} of ${counted(total, NAMES)}`;
    case 'CANCELLING':
      return t`Stopping. ${count(done)} of ${count(total)} are done.`;
    case 'CANCELLED':
      return run.startedAtEpoch
        ? t`Cancelled. ${succeeded} of ${count(total)} were already updated.`
        : t`Cancelled before it began. Nothing was changed.`;
    case 'COMPLETED':
      return run.finishedAt ? t`Done ${dayTime(text(run.finishedAt))}.` : t`Done.`;
    case 'COMPLETED_WITH_ERRORS':
      return t`Done, but ${failed} of ${count(total)} failed.`;
    case 'FAILED':
      return text(run.error) || t`Failed. None of the subscriptions was changed.`;
    default:
      return '';
  }
}
/** By what it took so far. */
const secondsLeft = (run: JsonObject): number =>
  (Math.max(0, storeNow() / 1000 - number(run, 'startedAtEpoch')) / Math.max(1, number(run, 'processed'))) *
  Math.max(0, number(run, 'total') - number(run, 'processed'));
function remaining(seconds: number): string {
  if (seconds < 60) return t`less than a minute left`;
  const [minutes, hours] = [Math.round(seconds / 60), Math.round(seconds / 3600)];
  if (seconds < 5400) return minutes === 1 ? t`about 1 minute left` : t`about ${count(minutes)} minutes left`;
  return hours === 1 ? t`about 1 hour left` : t`about ${count(hours)} hours left`;
}

function Result({ id }: { id: number }) {
  const [isBusy, setBusy] = useState(false);
  const save = (): void => {
    setBusy(true);
    void download(BULK.result, { id }, `bulk-action-${id}.csv`).finally(() => setBusy(false));
  };
  return (
    <p className="p-row p-wrap">
      <button type="button" className="p-btn" aria-busy={isBusy} onClick={save}>
        <Download aria-hidden="true" />
        {t`Download result`}
      </button>
      <span className="p-hint">{t`One row for each subscription: what happened, why, before and after. Kept for 30 days.`}</span>
    </p>
  );
}
