// The reports by what they are about, and the files that were taken of them: which are under way, with a way to stop them.
import type { ReactElement } from 'react';
import { Link } from 'react-router-dom';
import { allowsCall } from '../../src/contract/access.ts';
import { definitions } from '../../src/admin/platform/definitions.ts';
import { count, counted, dayTime } from '../../src/admin/platform/format.ts';
import type { PageProps } from '../../src/admin/platform/routing/page-code.ts';
import { storeNow } from '../../src/admin/platform/store-clock.ts';
import { useSession } from '../../src/admin/platform/session/session.tsx';
import { useAsk, useCall } from '../../src/admin/platform/transport/calls.ts';
import { notify, notifyError } from '../../src/admin/ui/notices/notices.tsx';
import { download } from '../../src/admin/ui/download.ts';
import { ErrorState } from '../../src/admin/ui/pages/error-page.tsx';
import { TableScroll } from '../../src/admin/ui/table-scroll.tsx';
import '../../src/admin/dashboard/dashboard.css';
import '../../src/admin/dashboard/analytics/analytics.css';
import { t } from '../../src/domain/text/t.ts';

interface Report {
  key: string;
  title: string;
  description: string;
  group: string;
}
interface Export {
  id: number;
  report: string;
  status: 'IN_PROGRESS' | 'COMPLETED' | 'FAILED' | 'CANCELLED';
  rows: number;
  requestedBy: string;
  createdAtEpoch: number;
  keptUntilEpoch: number | null;
}
const isRunning = ({ status }: Export): boolean => status === 'IN_PROGRESS';
const EXPORTS = 'reports.exports';
const FILE = 'reports.exportFile';
/** Between two readings while a file is under way (ms). */
const SOON = 3000;
const ROWS = { one: t`row`, many: t`rows` };
const STATUSES: Record<Export['status'], { title: string; tone: string }> = {
  IN_PROGRESS: { title: t`In progress`, tone: 'info' },
  COMPLETED: { title: t`Completed`, tone: 'success' },
  FAILED: { title: t`Failed`, tone: 'critical' },
  CANCELLED: { title: t`Stopped`, tone: 'neutral' },
};
const GROUPS: Record<string, string> = {
  Subscriptions: t`Subscriptions`,
  Orders: t`Orders`,
  Payments: t`Payments`,
  Customers: t`Customers`,
  Products: t`Products`,
  Work: t`Automations`,
};

export default function Reports({ resource }: PageProps): ReactElement {
  const { data, error, refetch } = useAsk<Report[]>('reports.all', {}, { staleTime: 300_000 });
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  const groups = Object.keys(GROUPS).filter(group => data?.some(report => report.group === group));
  return (
    <div className="p-page">
      <div className="p-page-head">
        <h1 className="p-page-title">{resource.title}</h1>
      </div>
      <div className="an-grid-of-cards">
        {!data && (
          <div className="p-card an-full">
            <div className="p-card-body">
              <span className="p-skeleton p-sk-5" role="status" aria-label={t`Loading`} />
            </div>
          </div>
        )}
        {groups.map(group => (
          <section key={group} className="p-card an-half" aria-label={GROUPS[group]}>
            <div className="p-card-head">
              <h2>{GROUPS[group]}</h2>
            </div>
            <ul className="an-reports">
              {data
                ?.filter(report => report.group === group)
                .map(report => (
                  <li key={report.key}>
                    <Link to={`/analytics/reports/${report.key}`}>{report.title}</Link>
                    <p className="p-muted">{report.description}</p>
                  </li>
                ))}
            </ul>
          </section>
        ))}
        <Exports titles={new Map(data?.map(({ key, title }) => [key, title]))} />
      </div>
    </div>
  );
}

/** Left out where the right to take reports away is lacking. */
function Exports({ titles }: { titles: ReadonlyMap<string, string> }): ReactElement | null {
  const session = useSession();
  const line = definitions.calls[EXPORTS];
  const may = line !== undefined && allowsCall(line, session).ok;
  const { data } = useAsk<Export[]>(EXPORTS, may ? { limit: 30, offset: 0 } : undefined, {
    staleTime: 0,
    refetchInterval: ({ state }) => ((state.data?.data as Export[] | undefined)?.some(isRunning) ? SOON : false),
  });
  const cancel = useCall('reports.cancel');
  const stop = definitions.calls['reports.cancel'];
  const mayStop = stop !== undefined && allowsCall(stop, session).ok;
  const file = definitions.calls[FILE];
  const mayTake = file !== undefined && allowsCall(file, session).ok;
  // A file holds what the person who asked for it may see.
  const mayFetch = ({ keptUntilEpoch: until, requestedBy }: Export): boolean =>
    mayTake && until !== null && until * 1000 > storeNow() && requestedBy === session.user.email;
  const stopOne = (one: Export): void => {
    cancel.run({ id: one.id }).then(
      () => notify(t`The export was stopped after ${counted(one.rows, ROWS)}.`),
      (failure: unknown) => notifyError(failure, t`The export could not be stopped.`),
    );
  };
  if (!may || !data?.length) return null;
  return (
    <section className="p-card an-full" aria-label={t`Exports`}>
      <div className="p-card-head">
        <h2>{t`Exports`}</h2>
      </div>
      <TableScroll label={t`Exports`} className="an-table">
        <table className="p-table p-table-s">
          <thead>
            <tr>
              <th scope="col">{t`Report`}</th>
              <th scope="col">{t`Status`}</th>
              <th scope="col" className="p-num">
                {t`Rows`}
              </th>
              <th scope="col">{t`Asked for by`}</th>
              <th scope="col">{t`Begun`}</th>
              <th scope="col">
                <span className="p-sr">{t`Actions`}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {data.map(one => (
              <tr key={one.id}>
                <td>{titles.get(one.report) ?? one.report}</td>
                <td>
                  <span className="p-badge" data-tone={STATUSES[one.status].tone}>
                    {STATUSES[one.status].title}
                  </span>
                </td>
                <td className="p-num">{count(one.rows)}</td>
                <td>{one.requestedBy}</td>
                <td>{dayTime(one.createdAtEpoch)}</td>
                <td className="p-num">
                  {mayFetch(one) && (
                    <button
                      type="button"
                      className="p-btn p-btn-s"
                      data-tip={t`Until ${dayTime(one.keptUntilEpoch ?? 0)}`}
                      onClick={() => void download(FILE, { id: one.id }, `${one.report}.csv`)}
                    >
                      {t`Download`}
                    </button>
                  )}
                  {isRunning(one) && mayStop && (
                    <button type="button" className="p-btn p-btn-s" onClick={() => stopOne(one)}>
                      {t`Stop`}
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroll>
    </section>
  );
}
