// The table: native cells, rows drawn again only when they change, every row reached by keyboard.
import type { RaRecord } from 'react-admin';
import { ArrowDown, ArrowUp } from 'lucide-react';
import {
  type KeyboardEvent,
  type ReactElement,
  type RefObject,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useNavigate } from 'react-router-dom';
import { letterKey } from '../../ui/letter-key.ts';
import { prefetchRecord } from '../../platform/routing/prefetch-screen.ts';
import type { FullColumn } from './columns.ts';
import { fitting, wideEnough } from './fitting.ts';
import { isControl, Row, type RowParts } from './row.tsx';
import { t } from '../../../domain/text/t.ts';

export interface TableProps extends RowParts {
  label: string;
  columns: FullColumn[];
  /** The columns are the usual ones: those that matter least are hidden where not all fit. What a person chose stays. */
  fits: boolean;
  rows: RaRecord[];
  /** Where a row leads; undefined: rows do not open. */
  hrefOf: ((row: RaRecord) => string) | undefined;
  nameOf: (row: RaRecord) => string;
  sort: { field: string; order: 'ASC' | 'DESC' } | undefined;
  onSort: ((field: string) => void) | undefined;
  selection:
    | {
        ids: ReadonlySet<RaRecord['id']>;
        toggle: (id: RaRecord['id'], range: boolean) => void;
        page: (on: boolean) => void;
        clear: () => void;
      }
    | undefined;
  busy: boolean;
  /** Identifies this list, to put the focus back on the row that was opened. */
  place: string;
}

/** Rows that were opened, by list, so that coming back finds the place again. */
const opened = new Map<string, string>();

/** Below this width rows are cards (list.css), which have places of their own for what they show. */
const CARDS = 768;
const CHECK = 44,
  LEAD = 36,
  TAIL = 52;

/** The columns that fit into the scroller's present width; measured before anything is painted. */
function useFitting(columns: FullColumn[], fits: boolean, beside: number, scroller: RefObject<HTMLDivElement | null>): FullColumn[] {
  const [width, setWidth] = useState(Infinity);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element || !fits) return;
    const measure = (): void => setWidth(window.innerWidth < CARDS ? Infinity : element.clientWidth);
    measure();
    const watcher = new ResizeObserver(measure);
    watcher.observe(element);
    return () => watcher.disconnect();
  }, [fits, scroller]);
  return useMemo(() => (fits ? fitting(columns, width, beside) : columns), [columns, fits, width, beside]);
}

export function Table({
  label,
  columns: all,
  fits,
  rows,
  hrefOf,
  nameOf,
  sort,
  onSort,
  selection,
  lead,
  tail,
  busy,
  place,
  wrapRow,
}: TableProps): ReactElement {
  const table = useRef<HTMLTableElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  const beside = (selection ? CHECK : 0) + (lead ? LEAD : 0) + (tail ? TAIL : 0);
  const sized = useMemo(() => wideEnough(all, rows), [all, rows]);
  const columns = useFitting(sized, fits, beside, scroller);
  const rowsNow = useRef(rows);
  rowsNow.current = rows;

  const elements = (): HTMLTableRowElement[] => [...(table.current?.querySelectorAll<HTMLTableRowElement>('tbody > tr') ?? [])];
  const focusRow = useCallback((index: number) => {
    const all = elements();
    const row = all[Math.max(0, Math.min(index, all.length - 1))];
    if (!row) return;
    for (const one of all) one.tabIndex = one === row ? 0 : -1;
    row.focus({ preventScroll: true });
    row.scrollIntoView({ block: 'nearest' });
  }, []);
  const open = useCallback(
    (row: RaRecord, event: { metaKey: boolean; ctrlKey: boolean; button?: number }) => {
      const href = hrefOf?.(row);
      if (!href) return;
      if (event.metaKey || event.ctrlKey || event.button === 1) {
        window.open(href, '_blank', 'noopener');
        return;
      }
      opened.set(place, String(row.id));
      prefetchRecord(href);
      void navigate(href, { flushSync: true });
    },
    [hrefOf, navigate, place],
  );

  // Back from a record: the row that was opened is in view and has the focus again.
  useEffect(() => {
    const id = opened.get(place);
    if (id === undefined || rows.length === 0) return;
    opened.delete(place);
    const index = rowsNow.current.findIndex(row => String(row.id) === id);
    if (index >= 0) focusRow(index);
  }, [rows, place, focusRow]);

  // Another page, tab or order begins at the top.
  const shown = useRef(place);
  useEffect(() => {
    if (shown.current === place) return;
    shown.current = place;
    scroller.current?.scrollTo({ top: 0 });
    scroller.current?.closest('main')?.scrollTo({ top: 0 });
  }, [place]);

  // From anywhere on the page, j, k and the arrows step into the table.
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent): void => {
      if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return;
      const away = document.activeElement === document.body || document.activeElement?.id === 'main';
      if (!away || !['j', 'k', 'ArrowDown', 'ArrowUp'].includes(letterKey(event))) return;
      event.preventDefault();
      const all = elements();
      focusRow(
        Math.max(
          0,
          all.findIndex(row => row.tabIndex === 0),
        ),
      );
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [focusRow]);

  const onKeyDown = (event: KeyboardEvent<HTMLTableSectionElement>): void => {
    if (event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented) return;
    const row = (event.target as Element).closest('tr');
    if (!row || (event.target !== row && isControl(event.target) && event.key !== 'Escape')) return;
    const index = elements().indexOf(row);
    const record = rowsNow.current[index];
    const done = (): void => {
      event.preventDefault();
      event.stopPropagation();
    };
    switch (letterKey(event)) {
      case 'ArrowDown':
      case 'j':
        done();
        focusRow(index + 1);
        break;
      case 'ArrowUp':
      case 'k':
        done();
        focusRow(index - 1);
        break;
      case 'Home':
        done();
        focusRow(0);
        break;
      case 'End':
        done();
        focusRow(Number.MAX_SAFE_INTEGER);
        break;
      case 'Enter':
        if (record && event.target === row) {
          done();
          open(record, event);
        }
        break;
      case ' ':
      case 'x':
        if (record && selection) {
          done();
          selection.toggle(record.id, event.shiftKey);
        }
        break;
      case 'Escape':
        if (selection?.ids.size) {
          done();
          selection.clear();
        }
        break;
    }
  };

  const onPage = selection ? rows.filter(row => selection.ids.has(row.id)).length : 0;
  const width = columns.reduce((sum, column) => sum + column.width, beside);
  return (
    <div className="l-scroll" ref={scroller} data-busy={busy || undefined} onScroll={markMoved}>
      <table ref={table} className="l-table" aria-label={label} aria-busy={busy} role="table" style={{ minWidth: width }}>
        <thead role="rowgroup">
          <tr role="row">
            {lead && (
              <th role="columnheader" scope="col" style={{ width: LEAD }}>
                <span className="p-sr">{t`Position`}</span>
              </th>
            )}
            {selection && (
              <th role="columnheader" scope="col" className="l-check" style={{ width: CHECK }}>
                <input
                  type="checkbox"
                  className="p-check"
                  aria-label={t`Select all on this page`}
                  checked={rows.length > 0 && onPage === rows.length}
                  disabled={rows.length === 0}
                  ref={box => {
                    if (box) box.indeterminate = onPage > 0 && onPage < rows.length;
                  }}
                  onChange={event => selection.page(event.target.checked)}
                />
                <span className="l-check-all" aria-hidden="true">
                  {t`Select all on this page`}
                </span>
              </th>
            )}
            {columns.map(column => (
              <th
                key={column.field}
                role="columnheader"
                scope="col"
                className={column.end ? 'p-num' : undefined}
                style={widthOf(column)}
                aria-sort={sort?.field === column.field ? (sort.order === 'ASC' ? 'ascending' : 'descending') : undefined}
              >
                {column.sortable && onSort ? (
                  <button type="button" className="l-sort" data-sort={column.field} onClick={() => onSort(column.field)}>
                    <span className="p-cut">{column.title}</span>
                    {sort?.field === column.field &&
                      (sort.order === 'ASC' ? <ArrowUp size={13} aria-hidden="true" /> : <ArrowDown size={13} aria-hidden="true" />)}
                  </button>
                ) : (
                  column.title
                )}
              </th>
            ))}
            {tail && (
              <th role="columnheader" scope="col" className="l-tail" style={{ width: TAIL }}>
                <span className="p-sr">{t`Actions`}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody role="rowgroup" onKeyDown={onKeyDown}>
          {rows.map((row, index) => (
            <Row
              key={row.id}
              row={row}
              columns={columns}
              first={index === 0}
              href={hrefOf?.(row)}
              name={nameOf(row)}
              selected={selection?.ids.has(row.id) ?? false}
              toggle={selection?.toggle}
              open={open}
              lead={lead}
              tail={tail}
              wrapRow={wrapRow}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Columns have their width by the head's cells; flexible ones share what is left. */
const widthOf = (column: FullColumn): React.CSSProperties | undefined => (column.flexible ? undefined : { width: column.width });

/** Tells the style sheet that the table was moved sideways. */
function markMoved(event: React.UIEvent<HTMLDivElement>): void {
  const moved = event.currentTarget.scrollLeft > 0;
  if (moved !== 'moved' in event.currentTarget.dataset) event.currentTarget.toggleAttribute('data-moved', moved);
}

/** The table's own shape while its first rows are on their way. */
export function TableSkeleton({
  columns: all,
  fits,
  rows,
  select,
  tail = false,
}: {
  columns: FullColumn[];
  fits: boolean;
  rows: number;
  select: boolean;
  tail?: boolean;
}): ReactElement {
  const scroller = useRef<HTMLDivElement>(null);
  const beside = (select ? CHECK : 0) + (tail ? TAIL : 0);
  const columns = useFitting(all, fits, beside, scroller);
  return (
    <>
      <div className="l-scroll l-scroll-skeleton" role="status" aria-label={t`Loading`} ref={scroller}>
        <table className="l-table" aria-hidden="true" style={{ minWidth: columns.reduce((sum, column) => sum + column.width, beside) }}>
          <thead>
            <tr>
              {select && (
                <th className="l-check" style={{ width: CHECK }}>
                  <span className="p-skeleton l-sk-check" />
                  <span className="l-check-all">{t`Select all on this page`}</span>
                </th>
              )}
              {columns.map(column => (
                <th key={column.field} className={column.end ? 'p-num' : undefined} style={widthOf(column)}>
                  {column.title}
                </th>
              ))}
              {tail && <th className="l-tail" style={{ width: TAIL }} />}
            </tr>
          </thead>
          <tbody>
            {Array.from({ length: rows }, (_, i) => (
              <tr key={i}>
                {select && (
                  <td className="l-check">
                    <span className="p-skeleton l-sk-check" />
                  </td>
                )}
                {columns.map((column, j) => (
                  <td key={column.field} data-slot={column.slot} className={column.end ? 'p-num' : undefined}>
                    <span className={`p-skeleton l-sk-${(i + j * 2) % 4}`} />
                  </td>
                ))}
                {tail && <td className="l-tail" />}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="l-foot" aria-hidden="true">
        <span className="p-skeleton p-sk-3" />
      </div>
    </>
  );
}
