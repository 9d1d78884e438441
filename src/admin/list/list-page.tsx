// A list screen: title and actions, tabs, search and filters, the table, its foot; all of it from the resource file and the entity's
// schema.
import { Columns3 } from 'lucide-react';
import { ListContextProvider, type RaRecord, ResourceContextProvider } from 'react-admin';
import { type ReactElement, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { callNamed, fullName, placeOf, template } from '../../contract/find.ts';
import { holds } from '../../contract/validation/condition.ts';
import type { Action, JsonObject } from '../../contract/types.ts';
import { chunk, useChunk, warm } from '../platform/chunk.ts';
import { catalogue, definitions, formsChunk, useSchema, withCatalogue } from '../platform/definitions.ts';
import { overlaysChunk, PopoverButton } from '../ui/overlays/menu.tsx';
import { count, counted } from '../platform/format.ts';
import { Icon } from '../ui/icons.tsx';
import type { PageProps } from '../platform/routing/page-code.ts';
import { prefetchScreen } from '../platform/routing/prefetch-screen.ts';
import { useShortcuts } from '../ui/shortcuts.ts';
import { useFacts, useSession } from '../platform/session/session.tsx';
import { ErrorState } from '../ui/pages/error-page.tsx';
import { PageTabs } from '../ui/pages/page-tabs.tsx';
import { usePageTitle } from '../platform/routing/page-title.tsx';
import { columnsOf, exportFields, listFor, type FullColumn } from './table/columns.ts';
import { Empty, wayOut } from './empty.tsx';
import { extras } from './extras-chunk.ts';
import { FilterButton, FilterChips, openFilters } from './filters/filters.tsx';
import { tabId } from './list-head.ts';
import { ExportButton, SortMenu } from './list-tools.tsx';
import { namesOf } from './record-labels.ts';
import { headActions, HeadAction, runner, suitsSession, verdictOf } from './actions/list-actions.tsx';
import { useListContextValue } from './list-context.ts';
import { Pager } from './pager.tsx';
import { usePreference } from '../platform/preferences.ts';
import { SearchField } from './filters/search.tsx';
import { Table, TableSkeleton } from './table/table.tsx';
import { type ListOf, useList } from './use-list.ts';
import { useRowParts } from './table/use-row-parts.tsx';
import { type Selected, useSelection } from './table/use-selection.ts';
import { Tabs } from './views/views.tsx';
import { t } from '../../domain/text/t.ts';
import { tx } from '../ui/tx.ts';

interface Job {
  action: Action;
  rows: JsonObject[] | 'all';
  total: number;
  isOnServer: boolean;
}
/** Work on many rows that the server does as one bulk action, with what starts it. */
const serverWork = chunk(() => withCatalogue(() => import('../features/bulk-actions/from-list.tsx')));

/** `above`: what a page of its own draws between the title and the list. */
export function ListPage({ resource, above }: PageProps & { above?: ReactNode }): ReactElement {
  const entity = useSchema(resource.of ? `entities/${resource.of}` : undefined);
  const list = useList(resource, entity);
  const screen = resource.list;
  if (!screen) throw new Error(`resources/${resource.route}.json has no list.`);
  const { pathname, search } = useLocation();
  // Lists that are no entry of the navigation give the page its title themselves.
  usePageTitle(isNamed(pathname) ? undefined : resource.title);
  const facts = useFacts();
  const names = namesOf(list.call.of);
  const columns = useColumns(list);
  const chosen = useSelection(list);
  const [job, setJob] = useState<Job>();
  const [exporting, setExporting] = useState(false);
  const more = useChunk(exporting ? extras : undefined);
  const run = useChunk(job && !job.isOnServer ? runner : undefined);
  const started = useChunk(job?.isOnServer ? serverWork : undefined);

  const rowTo = screen.rowTo ?? (definitions.resources[`${resource.route}/[id]`] ? `/${resource.route}/{id}` : undefined);
  const hrefOf = useMemo(
    () =>
      rowTo
        ? (row: RaRecord) => rowTo.replace(/\{([\w.]+)\}/g, (_, field: string) => encodeURIComponent(template(`{${field}}`, row)))
        : undefined,
    [rowTo],
  );
  const nameOf = useCallback((row: RaRecord) => template(entity?.['x-record']?.label ?? '#{id}', row) || `#${row.id}`, [entity]);
  const { area, ...parts } = useRowParts(list, nameOf);
  const session = useSession();
  // Rows are chosen where something can be done with them.
  const bulk = useMemo(() => {
    const fitting = (screen.bulk ?? []).filter(action => suitsSession(action, facts));
    return fitting.some(action => verdictOf(action, resource, session).ok) ? fitting : [];
  }, [screen.bulk, facts, resource, session]);

  // Once the rows are there: what opens from them, while the browser has nothing better to do.
  const hasRows = list.rows !== undefined;
  const detail = hrefOf && list.rows?.[0] ? hrefOf(list.rows[0]) : undefined;
  useEffect(() => {
    if (!hasRows) return;
    warm(catalogue);
    if (detail) prefetchScreen(detail);
    warm(overlaysChunk, extras, ...(screen.rowActions?.length || bulk.length ? [runner, formsChunk(resource.calls)] : []));
  }, [hasRows, detail === undefined, resource, screen]); // eslint-disable-line react-hooks/exhaustive-deps -- one row is as good as another

  // A list with nothing to narrow or choose needs no row of tools: its columns are chosen in the head of the page.
  const isBare =
    !screen.tabs?.length &&
    !searches(list) &&
    openFilters(list).length === 0 &&
    bulk.length === 0 &&
    !columns.all.some(column => column.sortable);
  const first = resource.actions?.find(action => action.id === screen.empty?.action);
  return (
    <ResourceContextProvider value={list.call.of}>
      <ListContextProvider value={useListContextValue(list, chosen)}>
        <div className="p-page l-page">
          <div className="p-page-head">
            <h1 className="p-page-title">{resource.title}</h1>
            <div className="p-page-actions">
              {isBare && <ColumnsButton list={list} columns={columns} />}
              {screen.export && <ExportButton list={list} onExport={() => setExporting(true)} />}
              {[...headActions(resource)]
                .sort((a, b) => Number(a.primary ?? false) - Number(b.primary ?? false))
                .map(action => (
                  <HeadAction key={action.id} action={action} resource={resource} />
                ))}
            </div>
          </div>
          <PageTabs />
          {above}
          <section className="p-card l-card" aria-label={resource.title}>
            <Tabs list={list} />
            {chosen.selected.size > 0 ? (
              <BulkBar list={list} chosen={chosen} bulk={bulk} names={names} onJob={setJob} />
            ) : (
              !isBare && <Tools list={list} columns={columns} />
            )}
            <FilterChips list={list} />
            {list.error && list.rows === undefined ? (
              <ErrorState error={list.error} what={resource.title} way={wayOut(list)} onRetry={list.refetch} />
            ) : list.rows === undefined ? (
              <TableSkeleton
                columns={columns.shown}
                fits={!columns.isOwn}
                rows={Math.min(list.state.size, 25)}
                select={bulk.length > 0}
                tail={parts.tail !== undefined}
              />
            ) : list.rows.length === 0 ? (
              <Empty list={list} names={names} first={first && <HeadAction action={first} resource={resource} primary />} />
            ) : (
              area(
                <Table
                  label={resource.title}
                  columns={columns.shown}
                  fits={!columns.isOwn}
                  rows={list.rows}
                  hrefOf={hrefOf}
                  nameOf={nameOf}
                  sort={list.state.sort}
                  busy={list.isStale}
                  place={pathname + search}
                  {...parts}
                  onSort={field => list.change({ sort: nextSort(list, columns.shown, field) })}
                  selection={bulk.length > 0 ? chosen.selection : undefined}
                />,
              )
            )}
            {Boolean(list.error) && list.rows !== undefined && (
              <p className="p-banner l-banner" data-tone="critical" role="alert">
                <span className="p-grow">
                  {tx`These rows may be out of date: ${list.error instanceof Error ? list.error.message : String(list.error)}`}
                </span>
                <button type="button" className="p-link" onClick={list.refetch}>
                  {t`Try again`}
                </button>
              </p>
            )}
            <Pager list={list} />
          </section>
          {started && job?.isOnServer && (
            <started.BulkStart list={list} {...job} onClose={() => setJob(undefined)} onStarted={chosen.selection.clear} />
          )}
          {run && job && !job.isOnServer && (
            <run.BulkRun
              list={list}
              {...job}
              nameOf={row => nameOf(row as RaRecord)}
              hrefOf={hrefOf && (row => hrefOf(row as RaRecord))}
              onClose={() => setJob(undefined)}
              onDone={left =>
                chosen.setSelected(new Map(left.flatMap(row => (row.id === undefined ? [] : [[row.id as RaRecord['id'], row]]))))
              }
            />
          )}
          {more && exporting && (
            <more.ExportRun list={list} columns={exportFields(columns.shown, entity)} onClose={() => setExporting(false)} />
          )}
        </div>
      </ListContextProvider>
    </ResourceContextProvider>
  );
}

/** Whether an entry of the navigation leads here, so that its title stands in the breadcrumb already. */
function isNamed(pathname: string): boolean {
  const { section, item } = placeOf(definitions.navigation, pathname);
  const here = pathname.endsWith('/') ? pathname.slice(0, -1) : pathname;
  return [section, item].some(entry => entry !== undefined && (entry.to === here || entry.redirectTo === here));
}

interface Columns {
  all: FullColumn[];
  shown: FullColumn[];
  show: (fields: string[] | undefined) => void;
  isOwn: boolean;
}
/** The columns in view: those of the address, else those the person chose, else the usual ones. */
function useColumns(list: ListOf): Columns {
  const { resource, entity, state, change } = list;
  const screen = resource.list;
  const tab = screen?.tabs?.find(one => tabId(one) === state.tab);
  const session = useSession();
  const { all, shown: usual } = useMemo(
    () => (screen ? columnsOf(listFor(screen, session, entity), entity, tab) : { all: [], shown: [] }),
    [screen, entity, tab, session],
  );
  // A tab with columns of its own has choices of its own.
  const [preferred, prefer] = usePreference<string[]>(`columns.${resource.route}${tab?.columns ? `.${state.tab}` : ''}`);
  const names = (state.columns ?? preferred ?? usual).join();
  const shown = useMemo(() => {
    const wanted = names.split(',');
    const found = all.filter(column => wanted.includes(column.field));
    return found.length ? found : all.filter(column => usual.includes(column.field));
  }, [all, usual, names]);
  const show = (fields: string[] | undefined): void => {
    if (state.view || state.columns) change({ columns: fields, page: state.page }, { replace: true });
    else prefer(fields && fields.join() !== usual.join() ? fields : undefined);
  };
  return { all, shown, show, isOwn: state.columns !== undefined || preferred !== undefined };
}

/** The same column again turns the order round; another begins with the newest, the largest, or A. */
function nextSort({ state }: ListOf, columns: FullColumn[], field: string): { field: string; order: 'ASC' | 'DESC' } {
  if (state.sort?.field === field) return { field, order: state.sort.order === 'ASC' ? 'DESC' : 'ASC' };
  const name = columns.find(column => column.field === field)?.cellName ?? '';
  return { field, order: ['money', 'number'].includes(name) || (name === 'date' && !/^next/i.test(field)) ? 'DESC' : 'ASC' };
}

const searches = (list: ListOf): boolean => list.call.in.some(param => param.name === 'q');

/** Not where there is no row whose columns could be chosen. */
const ColumnsButton = ({ list, columns }: { list: ListOf; columns: Columns }): ReactElement | null =>
  list.rows?.length === 0 ? null : (
    <PopoverButton
      label={t`Columns`}
      className="p-btn l-columns-btn"
      align="end"
      needs={extras}
      button={
        <>
          <Columns3 aria-hidden="true" />
          <span>{t`Columns`}</span>
        </>
      }
    >
      {() => (
        <Extra>
          {parts => (
            <parts.ColumnChooser
              all={columns.all}
              shown={columns.shown.map(column => column.field)}
              onChange={columns.show}
              onReset={columns.isOwn ? () => columns.show(undefined) : undefined}
            />
          )}
        </Extra>
      )}
    </PopoverButton>
  );

function Tools({ list, columns }: { list: ListOf; columns: Columns }): ReactElement {
  return (
    <div className="l-tools">
      {searches(list) && <SearchField list={list} />}
      <FilterButton list={list} />
      <span className="l-tools-end">
        <SortMenu list={list} columns={columns.all} />
        <ColumnsButton list={list} columns={columns} />
      </span>
    </div>
  );
}
const Extra = ({ children }: { children: (parts: NonNullable<ReturnType<typeof extras.get>>) => ReactNode }): ReactElement | null => {
  const parts = useChunk(extras);
  return parts ? <>{children(parts)}</> : null;
};

/** What else the server can do with the rows chosen. */
function Others({ list, rows }: { list: ListOf; rows: JsonObject[] | 'all' }): ReactElement | null {
  const work = useChunk(serverWork);
  return work ? <work.MoreActions list={list} rows={rows} /> : null;
}

/** In place of the tools while rows are chosen: how many, and what can be done with them. */
function BulkBar({
  list,
  chosen,
  bulk,
  names,
  onJob,
}: {
  list: ListOf;
  chosen: Selected;
  bulk: Action[];
  names: { one: string; many: string };
  onJob: (job: Job) => void;
}): ReactElement {
  const session = useSession();
  const facts = useFacts();
  const bar = useRef<HTMLDivElement>(null);
  // The letters press the buttons, so that what opens stands at them and the focus comes back there.
  useShortcuts(letter => {
    const button = bar.current?.querySelector<HTMLElement>(`[aria-keyshortcuts="${CSS.escape(letter)}"]`);
    button?.focus();
    button?.click();
    return button !== null && button !== undefined;
  });
  const { selected, selection, allMatching, setAllMatching } = chosen;
  const total = `${count(list.total ?? 0)}${list.isCapped ? '+' : ''}`;
  // What takes something away stands last, apart from what can be taken back.
  const ordered = [...bulk].sort((a, b) => Number(a.tone === 'critical') - Number(b.tone === 'critical'));
  const wholePage = list.rows !== undefined && list.rows.every(row => selected.has(row.id)) && (list.total ?? 0) > selected.size;
  return (
    <div ref={bar} className="l-bulk" role="region" aria-label={t`Selection`}>
      <span className="p-strong" role="status">
        {allMatching ? t`All ${total} ${names.many} selected` : t`${counted(selected.size, names)} selected`}
      </span>
      <button type="button" className="p-btn p-btn-s p-btn-plain" onClick={selection.clear}>
        {t`Clear`}
      </button>
      {!allMatching && wholePage && (
        <button type="button" className="p-link" onClick={() => setAllMatching(true)}>
          {tx`Select all ${total} that match`}
        </button>
      )}
      <span className="l-bulk-actions">
        {ordered.map(action => {
          const verdict = verdictOf(action, list.resource, session);
          const isOnServer = callNamed(definitions, action.call, list.resource)?.of === 'bulk-action';
          const fitting = [...selected.values()].filter(row => holds(action.when, { siblings: row, root: row, facts }));
          // What fits none of the chosen rows is not offered; what fits some of them is done to those, and says how many they are.
          if (!allMatching && fitting.length === 0) return null;
          const isPart = !allMatching && fitting.length < selected.size;
          const rows = allMatching ? ('all' as const) : fitting;
          const face = (
            <>
              {action.icon && <Icon name={action.icon} />}
              {action.tone === 'critical' ? `${action.title} ${isPart ? '' : names.many}`.trim() : action.title}
              {isPart && ` ${action.tone === 'critical' ? counted(fitting.length, names) : count(fitting.length)}`}
            </>
          );
          const keys =
            verdict.ok && action.shortcut
              ? { 'aria-keyshortcuts': action.shortcut, 'data-tip': `${action.title} (${action.shortcut})` }
              : {};
          // What leads to a page is a choice of what else can be done with the rows, to be set up there.
          if (isOnServer && action.to && verdict.ok)
            return (
              <PopoverButton
                key={action.id}
                label={action.title}
                className="p-btn p-btn-s"
                align="end"
                needs={serverWork}
                button={face}
                {...keys}
              >
                {() => <Others list={list} rows={rows} />}
              </PopoverButton>
            );
          const start = (): void =>
            onJob({
              action: { ...action, call: fullName(action.call, list.resource.calls) },
              rows,
              total: allMatching ? (list.total ?? 0) : fitting.length,
              isOnServer,
            });
          return (
            <button
              key={action.id}
              type="button"
              className={`p-btn p-btn-s${action.tone === 'critical' ? ' p-btn-danger-plain' : ''}`}
              aria-disabled={!verdict.ok}
              {...(verdict.ok ? keys : { 'data-tip': verdict.message })}
              onClick={() => {
                if (verdict.ok) start();
              }}
            >
              {face}
            </button>
          );
        })}
      </span>
    </div>
  );
}
