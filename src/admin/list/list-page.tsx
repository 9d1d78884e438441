// A list screen: title and action, tabs, search and filters, the table, its foot; all of it from the resource file and the entity's schema.
import { useQueryClient } from '@tanstack/react-query';
import { ArrowUpDown, Columns3, Download, Ellipsis, Inbox, SearchX } from 'lucide-react';
import { type ListControllerResult, ListContextProvider, type RaRecord, ResourceContextProvider } from 'ra-core';
import { type ReactElement, type ReactNode, useCallback, useEffect, useMemo, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { allowsCall } from '../../contract/access.ts';
import { holds } from '../../contract/condition.ts';
import { callFor, fill, fullName, template } from '../../contract/find.ts';
import type { Action, JsonObject } from '../../contract/types.ts';
import { runCall } from '../calls.ts';
import { chunk, useChunk, warm } from '../chunk.ts';
import { definitions, useSchema } from '../definitions.ts';
import { floatChunk, MenuButton, PopoverButton } from '../float/menu.tsx';
import { count, counted } from '../format.ts';
import { Icon } from '../icons.tsx';
import { notify, notifyError } from '../notices.tsx';
import { codeFor, type PageProps } from '../screen.tsx';
import { useFacts, useSession } from '../session.tsx';
import { ErrorState } from '../shell/error-page.tsx';
import { type FullColumn, columnsOf } from './columns.ts';
import { extras } from './extras-chunk.ts';
import { FilterButton, FilterChips } from './filters.tsx';
import { Pager } from './pager.tsx';
import { usePreference } from './prefs.ts';
import { SearchField } from './search.tsx';
import { Table, TableSkeleton } from './table.tsx';
import { type ListOf, useList } from './use-list.ts';
import { Tabs } from './views.tsx';

const order = chunk(() => import('./order-rows.tsx'));

export function ListPage({ resource }: PageProps): ReactElement {
  const entity = useSchema(resource.of ? `entities/${resource.of}` : undefined);
  const list = useList(resource, entity);
  const screen = resource.list;
  if (!screen) throw new Error(`resources/${resource.route}.json has no list.`);
  const session = useSession();
  const facts = useFacts();
  const { pathname, search } = useLocation();
  const names = entity?.['x-record']?.name ?? { one: 'row', many: 'rows' };

  // --- columns ---
  const { all, shown: usual } = useMemo(() => columnsOf(screen, entity), [screen, entity]);
  const [preferred, prefer] = usePreference<string[]>(`columns.${resource.route}`);
  const shownNames = list.state.columns ?? preferred ?? usual;
  const columns = useMemo(() => {
    const found = all.filter(column => shownNames.includes(column.field));
    return found.length ? found : all.filter(column => usual.includes(column.field));
  }, [all, usual, shownNames.join()]); // eslint-disable-line react-hooks/exhaustive-deps -- the names, not the array, decide
  const showColumns = (fields: string[] | undefined): void => {
    if (list.state.view || list.state.columns) list.change({ columns: fields, page: list.state.page } as never, { replace: true });
    else prefer(fields && fields.join() !== usual.join() ? fields : undefined);
  };

  // --- selection ---
  const bulk = useMemo(() => (screen.bulk ?? []).filter(action => holds(action.when, { facts })), [screen.bulk, facts]);
  const { selected, selection, setSelected, allMatching, setAllMatching } = useSelection(list);
  const [job, setJob] = useState<{ action: Action; rows: JsonObject[] | 'all'; total: number }>();
  const [exporting, setExporting] = useState(false);

  // --- rows ---
  const rowTo = screen.rowTo ?? (definitions.resources[`${resource.route}/[id]`] ? `/${resource.route}/{id}` : undefined);
  const hrefOf = useMemo(() => rowTo ? (row: RaRecord) => rowTo.replace(/\{([\w.]+)\}/g, (_, field: string) => encodeURIComponent(template(`{${field}}`, row))) : undefined, [rowTo]);
  const nameOf = useCallback((row: RaRecord) => template(entity?.['x-record']?.label ?? '#{id}', row) || `#${row.id}`, [entity]);
  const { tail, lead, wrapRow, area } = useRowParts(list, screen.rowActions ?? [], nameOf);
  const more = useChunk(job !== undefined || exporting ? extras : undefined);
  useEffect(() => {
    if (list.rows === undefined) return;
    const detail = hrefOf && list.rows[0] ? codeFor(hrefOf(list.rows[0])) : undefined;
    warm(...[floatChunk, extras, detail].filter(one => one !== undefined));
  }, [list.rows === undefined, hrefOf]); // eslint-disable-line react-hooks/exhaustive-deps -- once the first rows are there

  const exportCall = screen.export ? definitions.calls[`${resource.calls}.export`] : undefined;
  const exportVerdict = exportCall ? allowsCall(exportCall, session) : undefined;
  const isEmpty = list.rows?.length === 0 && !list.error;
  const context = useListContextValue(list, selected, selection);

  return (
    <ResourceContextProvider value={list.call.of}>
      <ListContextProvider value={context}>
        <div className="p-page l-page">
          <div className="p-page-head">
            <h1 className="p-page-title">{resource.title}</h1>
            <div className="p-page-actions">
              {exportVerdict && (
                <button type="button" className="p-btn" aria-disabled={!exportVerdict.ok} {...(exportVerdict.ok ? {} : { 'data-tip': exportVerdict.message })} onClick={() => { if (exportVerdict.ok) setExporting(true); }}><Download aria-hidden="true" />Export</button>
              )}
              {(resource.actions ?? []).filter(action => holds(action.when, { facts })).map(action => <PageAction key={action.id} action={action} table={resource.calls} />)}
            </div>
          </div>
          <section className="p-card l-card" aria-label={resource.title}>
            <Tabs list={list} />
            <div className="l-tools">
              <SearchField list={list} />
              <FilterButton list={list} />
              <span className="l-tools-end">
                <SortMenu list={list} columns={all} />
                <PopoverButton label="Columns" className="p-btn l-columns-btn" align="end" button={<><Columns3 aria-hidden="true" /><span>Columns</span></>}>
                  {() => <Extra>{parts => <parts.ColumnChooser all={all} shown={columns.map(column => column.field)} onChange={showColumns} onReset={list.state.columns || preferred ? () => showColumns(undefined) : undefined} />}</Extra>}
                </PopoverButton>
              </span>
            </div>
            <FilterChips list={list} />
            {selected.size > 0 && (
              <div className="l-bulk" role="region" aria-label="Selection">
                <span className="p-strong" role="status">{allMatching ? `All ${count(list.total ?? 0)}${list.isCapped ? '+' : ''} ${names.many}` : counted(selected.size, names)} selected</span>
                {!allMatching && list.rows !== undefined && selected.size === list.rows.length && (list.total ?? 0) > list.rows.length && <button type="button" className="p-link" onClick={() => setAllMatching(true)}>Select all {count(list.total ?? 0)}{list.isCapped ? '+' : ''} that match</button>}
                <span className="l-bulk-actions">
                  {bulk.map(action => {
                    const call = definitions.calls[fullName(action.call, resource.calls)];
                    const verdict = call ? allowsCall(call, session) : { ok: true as const };
                    return <button key={action.id} type="button" className={`p-btn p-btn-s${action.tone === 'critical' ? ' p-btn-danger-plain' : ''}`} aria-disabled={!verdict.ok} {...(verdict.ok ? {} : { 'data-tip': verdict.message })}
                      onClick={() => { if (verdict.ok) setJob({ action: { ...action, call: fullName(action.call, resource.calls) }, rows: allMatching ? 'all' : [...selected.values()], total: allMatching ? list.total ?? 0 : selected.size }); }}>{action.icon && <Icon name={action.icon} />}{action.title}</button>;
                  })}
                  <button type="button" className="p-btn p-btn-s p-btn-plain" onClick={selection.clear}>Clear</button>
                </span>
              </div>
            )}
            {list.error && list.rows === undefined ? <ErrorState error={list.error} what={resource.title} onRetry={list.refetch} />
              : list.rows === undefined ? <TableSkeleton columns={columns} rows={Math.min(list.state.size, 12)} select={bulk.length > 0} />
                : isEmpty ? <Empty list={list} names={names} />
                  : area(<Table label={resource.title} columns={columns} rows={list.rows} hrefOf={hrefOf} nameOf={nameOf} sort={list.state.sort} busy={list.isStale} place={pathname + search}
                    onSort={field => list.change({ sort: { field, order: list.state.sort?.field === field && list.state.sort.order === 'ASC' ? 'DESC' : list.state.sort?.field === field ? 'ASC' : firstOrder(columns, field) } })}
                    selection={bulk.length > 0 ? selection : undefined} {...(tail ? { tail } : {})} {...(lead ? { lead } : {})} {...(wrapRow ? { wrapRow } : {})} />)}
            {Boolean(list.error) && list.rows !== undefined && <p className="p-banner l-banner" data-tone="critical" role="alert">These rows may be out of date: {list.error instanceof Error ? list.error.message : String(list.error)}<button type="button" className="p-link" onClick={list.refetch}>Try again</button></p>}
            <Pager list={list} />
          </section>
          {more && job && <more.BulkRun list={list} {...job} onClose={() => setJob(undefined)} onDone={left => setSelected(new Map(left.filter(row => row.id !== undefined).map(row => [row.id as RaRecord['id'], row])))} />}
          {more && exporting && <more.ExportRun list={list} columns={columns.map(column => column.field)} onClose={() => setExporting(false)} />}
        </div>
      </ListContextProvider>
    </ResourceContextProvider>
  );
}

/** Newest and largest first, names from A. */
const firstOrder = (columns: FullColumn[], field: string): 'ASC' | 'DESC' => {
  const name = columns.find(column => column.field === field)?.cellName;
  return name === 'date' && !/^next/i.test(field) ? 'DESC' : name === 'money' || name === 'number' ? 'DESC' : 'ASC';
};

const Extra = ({ children }: { children: (parts: NonNullable<ReturnType<typeof extras.get>>) => ReactNode }): ReactElement | null => {
  const parts = useChunk(extras);
  return parts ? <>{children(parts)}</> : null;
};

/** On small screens there are no headers to press. */
function SortMenu({ list, columns }: { list: ListOf; columns: FullColumn[] }): ReactElement | null {
  const sortable = columns.filter(column => column.sortable);
  if (sortable.length === 0) return null;
  return (
    <MenuButton label="Sort" className="p-btn l-sort-btn" align="end" items={sortable.flatMap(column => (['ASC', 'DESC'] as const).map(order => ({
      title: `${column.title}, ${order === 'ASC' ? (column.cellName === 'date' ? 'oldest first' : column.end ? 'lowest first' : 'A to Z') : column.cellName === 'date' ? 'newest first' : column.end ? 'highest first' : 'Z to A'}`,
      checked: list.state.sort?.field === column.field && list.state.sort.order === order, onSelect: () => list.change({ sort: { field: column.field, order } }),
    })))}><ArrowUpDown aria-hidden="true" /></MenuButton>
  );
}

function PageAction({ action, table }: { action: Action; table: string | undefined }): ReactElement {
  const session = useSession();
  const call = definitions.calls[fullName(action.call, table)];
  const verdict = call ? allowsCall(call, session) : { ok: true as const };
  const face = <>{action.icon && <Icon name={action.icon} />}{action.title}</>;
  const className = `p-btn${action.primary ? ' p-btn-primary' : ''}`;
  if (action.to && verdict.ok) return <Link className={className} to={action.to}>{face}</Link>;
  const run = (): void => {
    if (!verdict.ok) return;
    runCall(fullName(action.call, table), fill(action.with, {})).then(() => notify(action.done ?? `${action.title}: done.`), notifyError);
  };
  return <button type="button" className={className} aria-disabled={!verdict.ok} {...(verdict.ok ? {} : { 'data-tip': verdict.message })} onClick={run}>{face}</button>;
}

/** Nothing to show: because nothing matches, because this page lies beyond the end, or because there is nothing yet. */
function Empty({ list, names }: { list: ListOf; names: { one: string; many: string } }): ReactElement {
  const empty = list.resource.list?.empty;
  if (list.state.page > 1) {
    return <div className="p-empty"><SearchX aria-hidden="true" /><h2>This page is empty</h2><p>The list has become shorter since this link was made.</p><button type="button" className="p-btn" onClick={() => list.change({ page: 1 })}>Go to the first page</button></div>;
  }
  if (list.isNarrowed && (list.state.q || Object.keys(list.state.filters).length > 0)) {
    return <div className="p-empty"><SearchX aria-hidden="true" /><h2>No {names.many} match</h2><p>{list.state.q ? `Nothing was found for “${list.state.q}”${Object.keys(list.state.filters).length ? ' with these filters' : ''}.` : 'No row meets all of these filters.'}</p><button type="button" className="p-btn" onClick={() => list.change({ q: '', filters: {} })}>{list.state.q && Object.keys(list.state.filters).length === 0 ? 'Clear search' : 'Clear filters'}</button></div>;
  }
  if (list.isNarrowed) return <div className="p-empty"><Inbox aria-hidden="true" /><h2>No {names.many} here</h2><p>Nothing is in this tab now.</p><button type="button" className="p-btn" onClick={() => list.change({ tab: list.head.tabs[0]?.id ?? '' })}>Show all {names.many}</button></div>;
  const action = list.resource.actions?.find(one => one.id === empty?.action);
  return <div className="p-empty"><Inbox aria-hidden="true" /><h2>{empty?.title ?? `No ${names.many} yet`}</h2>{empty?.text && <p>{empty.text}</p>}{action && <PageAction action={{ ...action, primary: true }} table={list.resource.calls} />}</div>;
}

interface Selection { ids: ReadonlySet<RaRecord['id']>; toggle: (id: RaRecord['id'], range: boolean) => void; page: (on: boolean) => void; clear: () => void }
/** The rows chosen, kept while one pages; gone when what the list shows changes. Shift takes everything between. */
function useSelection(list: ListOf): { selected: Map<RaRecord['id'], JsonObject>; selection: Selection; setSelected: (rows: Map<RaRecord['id'], JsonObject>) => void; allMatching: boolean; setAllMatching: (all: boolean) => void } {
  const [selected, setRows] = useState<Map<RaRecord['id'], JsonObject>>(new Map());
  const [allMatching, setAllMatching] = useState(false);
  const [anchor, setAnchor] = useState<RaRecord['id']>();
  const { page: _page, after: _after, before: _before, ...shown } = list.input;
  const key = JSON.stringify(shown);
  const [last, setLast] = useState(key);
  if (last !== key) { setLast(key); setRows(new Map()); setAllMatching(false); }
  const setSelected = useCallback((rows: Map<RaRecord['id'], JsonObject>) => { setRows(rows); setAllMatching(false); }, []);
  const rows = list.rows;
  const toggle = useCallback((id: RaRecord['id'], range: boolean) => {
    setAllMatching(false);
    setAnchor(id);
    setRows(before => {
      const next = new Map(before);
      const all = rows ?? [];
      const on = !before.has(id);
      const [a, b] = [all.findIndex(row => row.id === anchor), all.findIndex(row => row.id === id)];
      const between = range && a >= 0 && b >= 0 ? all.slice(Math.min(a, b), Math.max(a, b) + 1) : all.slice(b, b + 1);
      for (const row of between) if (on) next.set(row.id, row as JsonObject); else next.delete(row.id);
      return next;
    });
  }, [rows, anchor]);
  const selection = useMemo<Selection>(() => ({
    ids: new Set(selected.keys()), toggle,
    page: on => setSelected(new Map([...selected].filter(([id]) => !rows?.some(row => row.id === id)).concat(on ? (rows ?? []).map(row => [row.id, row as JsonObject]) : []))),
    clear: () => setSelected(new Map()),
  }), [selected, toggle, rows, setSelected]);
  return { selected, selection, setSelected, allMatching, setAllMatching };
}

/** The grip in front of a row that can be moved, and the menu after it. */
function useRowParts(list: ListOf, actions: Action[], nameOf: (row: RaRecord) => string) {
  const client = useQueryClient();
  const { resource } = list;
  const orderCall = resource.list?.order ? callFor(definitions, resource, 'order') : undefined;
  // Only a list that is whole and in its own order can be put in another.
  const canOrder = orderCall !== undefined && !list.isNarrowed && (list.total ?? 0) <= (list.rows?.length ?? 0) && (list.state.sort === undefined || list.state.sort.field === list.head.sort?.field);
  const dnd = useChunk(canOrder ? order : undefined);
  const Menu = useMemo(() => actions.length ? (row: RaRecord) => <RowMenu row={row} actions={actions} table={resource.calls} name={nameOf(row)} /> : undefined, [actions, resource.calls, nameOf]);
  const lead = useMemo(() => dnd && ((row: RaRecord) => <dnd.Grip name={nameOf(row)} />), [dnd, nameOf]);
  const wrapRow = useMemo(() => dnd && ((row: RaRecord, props: Parameters<typeof dnd.OrderRow>[0]['props'], children: ReactNode) => <dnd.OrderRow key={row.id} row={row} props={props}>{children}</dnd.OrderRow>), [dnd]);
  const area = (table: ReactElement): ReactElement => {
    if (!dnd || !orderCall || !list.rows) return table;
    const save = (ids: RaRecord['id'][]): void => {
      // The new order is shown at once; a refusal brings the old one back.
      client.setQueriesData<{ data: RaRecord[] }>({ queryKey: [list.call.of, 'getList', { call: list.call.name, input: list.input }] }, before => before && { ...before, data: ids.flatMap(id => before.data.find(row => row.id === id) ?? []) });
      runCall(orderCall.name, { ids: ids as JsonObject[string] }).then(() => notify('Order saved.'), (error: unknown) => { notifyError(error, 'The order was not saved.'); list.refetch(); });
    };
    return <dnd.OrderArea ids={list.rows.map(row => row.id)} onOrder={save}>{table}</dnd.OrderArea>;
  };
  return { tail: Menu, lead, wrapRow, area };
}

function RowMenu({ row, actions, table, name }: { row: RaRecord; actions: Action[]; table: string | undefined; name: string }): ReactElement {
  const session = useSession();
  const facts = useFacts();
  const items = () => actions.filter(action => holds(action.when, { siblings: row, root: row, facts })).map(action => {
    const full = fullName(action.call, table);
    const call = definitions.calls[full];
    const verdict = call ? allowsCall(call, session) : { ok: true as const };
    const input = (): JsonObject => fill(action.with ?? { id: '{id}' }, { record: row, row, root: row, facts });
    const run = async (): Promise<void> => {
      if (action.confirm && !(await (await import('../float/dialog.tsx')).confirm({ title: action.confirmTitle ?? `${action.title} ${name}?`, text: action.confirm, submit: action.submit ?? action.title, ...(action.tone === 'critical' ? { tone: 'critical' as const } : {}), run: () => runCall(full, input()) }))) return;
      if (!action.confirm) await runCall(full, input());
      notify(action.done ?? `${action.title}: done.`, action.undo ? { undo: () => void runCall(fullName(action.undo ?? '', table), fill(action.undoWith ?? action.with ?? { id: '{id}' }, { record: row, row, root: row, facts })).catch(notifyError) } : {});
    };
    return {
      title: action.title, ...(action.icon ? { icon: action.icon } : {}), ...(action.tone === 'critical' ? { tone: 'critical' as const } : {}), ...(verdict.ok ? {} : { disabled: verdict.message }),
      ...(action.to ? { to: template(action.to, row) } : { onSelect: () => void run().catch(notifyError) }),
    };
  });
  return <MenuButton label={`Actions for ${name}`} className="p-icon-btn p-icon-btn-s" align="end" tabIndex={-1} items={items}><Ellipsis aria-hidden="true" /></MenuButton>;
}

/** The list as react-admin's ListContext, for anything below that uses its hooks. */
function useListContextValue(list: ListOf, selected: Map<RaRecord['id'], JsonObject>, selection: Selection): ListControllerResult {
  return useMemo(() => ({
    data: list.rows, total: list.total, meta: list.info, error: list.error, isPending: list.rows === undefined && !list.error, isLoading: list.rows === undefined && list.isFetching, isFetching: list.isFetching, isPlaceholderData: list.isStale,
    resource: list.call.of, defaultTitle: list.resource.title, sort: list.state.sort ?? { field: 'id', order: 'ASC' }, page: list.state.page, perPage: list.state.size,
    filterValues: { ...list.input.filter, ...(list.state.q ? { q: list.state.q } : {}) }, displayedFilters: {}, hasNextPage: list.info?.hasNextPage ?? false, hasPreviousPage: list.state.page > 1,
    setPage: (page: number) => list.change({ page }), setPerPage: (size: number) => list.change({ size }), setSort: (sort: { field: string; order: 'ASC' | 'DESC' }) => list.change({ sort }),
    setFilters: () => undefined, hideFilter: () => undefined, showFilter: () => undefined, exporter: false,
    selectedIds: [...selected.keys()], onSelect: () => undefined, onToggleItem: (id: RaRecord['id']) => selection.toggle(id, false), onUnselectItems: selection.clear, onSelectAll: () => selection.page(true), refetch: list.refetch,
  }) as unknown as ListControllerResult, [list, selected, selection]); // the controller's own type ties in react-query's whole result, of which only this is used
}
