// The rows behind a figure: when, whose, what and how much, a page at a time, with what they come to; all of them as a file.
import { ChevronLeft, ChevronRight, Download } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { Link } from 'react-router-dom';
import type { JsonObject } from '../../../contract/types.ts';
import { t } from '../../../domain/text/t.ts';
import { count, dayTime, plainDay } from '../../platform/format.ts';
import { useAsk } from '../../platform/transport/calls.ts';
import { download } from '../../ui/download.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { TableScroll } from '../../ui/table-scroll.tsx';
import { FiguresFailed } from '../failed.tsx';
import { type Column, type Value, write } from './data.ts';

interface Row {
  /** An instant, or a day of the store. */
  at: string | null;
  subscriptionId: number | null;
  customerId: number | null;
  customerName: string | null;
  orderNumber: number | null;
  what: string | null;
  value: Value;
}
interface Answer extends Column {
  hasBase: boolean;
  rows: Row[];
  total: number;
  sum: Value;
  isMoney: boolean;
  currencyCode: string;
  days?: { startDate: string; endDate: string };
}
const PAGE = 50;

export function RowsDialog({
  call,
  input,
  name,
  onClose,
}: {
  call: string;
  input: JsonObject;
  name: string;
  onClose: () => void;
}): ReactElement {
  const [of, setOf] = useState<'counted' | 'base'>('counted');
  const [page, setPage] = useState(1);
  const asked = { ...input, of };
  const { data, error, refetch, isPlaceholderData } = useAsk<Answer>(
    call,
    { ...asked, rowsPage: page },
    { placeholderData: before => before },
  );
  const choose = (next: 'counted' | 'base'): void => {
    setOf(next);
    setPage(1);
  };
  return (
    <Dialog
      title={name}
      size="l"
      onClose={onClose}
      foot={
        <>
          <button
            type="button"
            className="p-btn"
            disabled={!data?.total}
            onClick={() => void download(call, { ...asked, format: 'csv' }, 'rows.csv')}
          >
            <Download size={14} aria-hidden="true" />
            {t`Download as CSV`}
          </button>
          <button type="button" className="p-btn p-btn-primary" onClick={onClose}>
            {t`Done`}
          </button>
        </>
      }
    >
      {data?.hasBase && (
        <div className="an-choices an-of" role="group" aria-label={t`Whose rows`}>
          <button type="button" className="an-choice" aria-pressed={of === 'counted'} onClick={() => choose('counted')}>
            {t`What is counted`}
          </button>
          <button type="button" className="an-choice" aria-pressed={of === 'base'} onClick={() => choose('base')}>
            {t`What it is divided by`}
          </button>
        </div>
      )}
      {error && !data ? (
        <FiguresFailed what={name} error={error} retry={() => void refetch()} />
      ) : !data ? (
        <div className="an-rows-wait" role="status" aria-label={t`Loading`}>
          {Array.from({ length: 8 }, (_, i) => (
            <span key={i} className="p-skeleton" />
          ))}
        </div>
      ) : (
        <div aria-busy={isPlaceholderData || undefined} className="an-rows">
          <Sum data={data} />
          {data.rows.length > 0 && <Rows data={data} name={name} />}
          {data.total > PAGE && <Pages page={page} total={data.total} to={setPage} />}
        </div>
      )}
    </Dialog>
  );
}

/** What the rows come to; a count is how many there are. */
function Sum({ data: { total, sum, isMoney, currencyCode, days } }: { data: Answer }): ReactElement {
  const span = !days
    ? undefined
    : days.startDate === days.endDate
      ? plainDay(days.startDate)
      : t`${plainDay(days.startDate)} to ${plainDay(days.endDate)}`;
  const rows = total === 1 ? t`1 row` : t`${count(total)} rows`;
  const text =
    total === 0
      ? t`No rows`
      : !isMoney && Number(sum) === total
        ? rows
        : t`${rows}, together ${write(sum, isMoney ? 'money' : 'count', currencyCode)}`;
  return (
    <p className="p-muted an-sum" role="status">
      {[text, span].filter(Boolean).join(' · ')}
    </p>
  );
}

interface Drawn {
  key: keyof Row;
  title: string;
  draw: (row: Row) => ReactElement | string;
  isNumber?: boolean;
}
const columnsOf = (data: Answer): Drawn[] => [
  { key: 'at', title: t`Date`, draw: row => (row.at === null ? '' : row.at.includes('T') ? dayTime(row.at) : plainDay(row.at)) },
  {
    key: 'customerName',
    title: t`Customer`,
    draw: row => (row.customerId === null ? '' : <Link to={`/customers/${row.customerId}`}>{row.customerName}</Link>),
  },
  {
    key: 'subscriptionId',
    title: t`Subscription`,
    draw: row => (row.subscriptionId === null ? '' : <Link to={`/subscriptions/${row.subscriptionId}`}>#{row.subscriptionId}</Link>),
  },
  { key: 'orderNumber', title: t`Order`, draw: row => (row.orderNumber === null ? '' : `#${row.orderNumber}`) },
  { key: 'what', title: t`What`, draw: row => row.what ?? '' },
  {
    key: 'value',
    title: data.isMoney ? t`Amount` : t`Counts as`,
    draw: row => write(row.value, data.isMoney ? 'money' : 'number', data.currencyCode),
    isNumber: true,
  },
];

function Rows({ data, name }: { data: Answer; name: string }): ReactElement {
  const has = (field: keyof Row): boolean => data.rows.some(row => row[field] !== null);
  // That each row counts once is said above.
  const shown = columnsOf(data).filter(({ key }) => (key === 'value' ? data.isMoney || Number(data.sum) !== data.total : has(key)));
  return (
    <TableScroll label={t`Rows behind ${name}`} className="an-table">
      <table className="p-table p-table-s">
        <thead>
          <tr>
            {shown.map(({ key, title, isNumber }) => (
              <th key={key} scope="col" className={isNumber ? 'p-num' : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data.rows.map((row, i) => (
            <tr key={i}>
              {shown.map(({ key, draw, isNumber }) => (
                <td key={key} className={isNumber ? 'p-num' : undefined}>
                  {draw(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroll>
  );
}

function Pages({ page, total, to }: { page: number; total: number; to: (page: number) => void }): ReactElement {
  const last = Math.ceil(total / PAGE);
  const [from, until] = [(page - 1) * PAGE + 1, Math.min(page * PAGE, total)];
  return (
    <div className="p-row an-pages">
      <span className="p-muted p-grow">{t`${count(from)} to ${count(until)} of ${count(total)}`}</span>
      <button
        type="button"
        className="p-icon-btn p-icon-btn-s"
        aria-label={t`Previous page`}
        disabled={page === 1}
        onClick={() => to(page - 1)}
      >
        <ChevronLeft aria-hidden="true" />
      </button>
      <button
        type="button"
        className="p-icon-btn p-icon-btn-s"
        aria-label={t`Next page`}
        disabled={page >= last}
        onClick={() => to(page + 1)}
      >
        <ChevronRight aria-hidden="true" />
      </button>
    </div>
  );
}
