// What became of the events that were sent to an app in the last 30 days.
import { TableScroll } from '../../ui/table-scroll.tsx';
import type { ReactElement } from 'react';
import { RotateCcw, Send } from 'lucide-react';
import { runCall, useAsk } from '../../platform/transport/calls.ts';
import { count, dayTime } from '../../platform/format.ts';
import { notify, notifyError } from '../../ui/notices/notices.tsx';
import { ErrorState } from '../../ui/pages/error-page.tsx';
import { isConnected, type App, type Statistics } from './app.ts';
import { t } from '../../../domain/text/t.ts';
import { tx } from '../../ui/tx.ts';

const LOOK_MS = 3000;

export function StatisticsTab({ app, readOnly }: { app: App; readOnly: boolean }): ReactElement {
  const query = useAsk<Statistics>('integrations.statistics', { identifier: app.identifier }, { refetchInterval: LOOK_MS });
  const run = async (name: string): Promise<void> => {
    try {
      notify((await runCall(name, { identifier: app.identifier })).message ?? t`Done.`);
      await query.refetch();
    } catch (error) {
      notifyError(error);
    }
  };
  if (query.error && !query.data) return <ErrorState error={query.error} what={t`The statistics`} onRetry={() => void query.refetch()} />;
  const { eventsSent = 0, eventsFailed = 0, eventsWaiting = 0, byEvent = [], errors = [] } = query.data ?? {};
  return (
    <div className="p-stack" aria-busy={query.data === undefined}>
      <section className="p-card">
        <div className="p-card-head">
          <h2>{t`Events of the last 30 days`}</h2>
          <span className="p-page-actions">
            {eventsFailed > 0 && (
              <button type="button" className="p-btn p-btn-s" disabled={readOnly} onClick={() => void run('integrations.sendAgain')}>
                <RotateCcw size={14} aria-hidden="true" /> {t`Send failed events again`}
              </button>
            )}
            {app.takesEvents && (
              <button
                type="button"
                className="p-btn p-btn-s"
                disabled={readOnly || !isConnected(app)}
                onClick={() => void run('integrations.sendSamples')}
              >
                <Send size={14} aria-hidden="true" /> {t`Send sample events`}
              </button>
            )}
          </span>
        </div>
        <p className="p-card-body" role="status">
          {tx`${count(eventsSent)} sent, ${count(eventsFailed)} failed, ${count(eventsWaiting)} waiting`}
        </p>
        {byEvent.length > 0 && (
          <TableScroll label={t`Events by kind`}>
            <table className="p-table p-table-s">
              <thead>
                <tr>
                  <th scope="col">{t`Event`}</th>
                  <th scope="col" className="p-num">
                    {t`Sent`}
                  </th>
                  <th scope="col" className="p-num">
                    {t`Failed`}
                  </th>
                  <th scope="col" className="p-num">
                    {t`Waiting`}
                  </th>
                </tr>
              </thead>
              <tbody>
                {byEvent.map(row => (
                  <tr key={row.event}>
                    <td>{row.title}</td>
                    <td className="p-num">{count(row.sent)}</td>
                    <td className="p-num">{count(row.failed)}</td>
                    <td className="p-num">{count(row.waiting)}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </TableScroll>
        )}
      </section>
      {errors.length > 0 && (
        <section className="p-card">
          <div className="p-card-head">
            <h2>{t`Errors`}</h2>
          </div>
          <ul className="p-card-body p-stack-s">
            {errors.map(error => (
              <li key={error.id}>
                <strong>{error.title}</strong>: {error.message}{' '}
                <span className="p-hint">
                  {error.state === 'PENDING' ? t`${dayTime(error.time)}, will be tried again` : dayTime(error.time)}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
