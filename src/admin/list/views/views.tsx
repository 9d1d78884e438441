// Tabs over a list: those of the resource with their counts, then the person's saved views; and the way to save what is shown.
import { useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { at } from '../../../contract/paths.ts';
import type { JsonObject } from '../../../contract/types.ts';
import { allowsCall } from '../../../contract/access.ts';
import { runCall, useAsk } from '../../platform/transport/calls.ts';
import { useChunk } from '../../platform/chunk.ts';
import { definitions } from '../../platform/definitions.ts';
import { confirm } from '../../ui/overlays/dialog.tsx';
import { MenuButton } from '../../ui/overlays/menu.tsx';
import { count, short } from '../../platform/format.ts';
import { notify, notifyError } from '../../ui/notices/notices.tsx';
import { useSession } from '../../platform/session/session.tsx';
import { extras } from '../extras-chunk.ts';
import { tabId } from '../list-head.ts';
import { useAfterFirstPaint } from '../../platform/start/after-first-paint.ts';
import { readState, writeState } from '../../platform/list-query.ts';
import { type ListOf, viewCountQuery } from '../use-list.ts';
import type { ViewFields } from './view-dialogs.tsx';
import { t } from '../../../domain/text/t.ts';

/** Views that are counted unasked: each is one question to the server. */
const COUNTED = 8;

interface View {
  id: number;
  version?: number;
  name: string;
  query: string;
  isShared: boolean;
  isMine: boolean;
}

export function useViews(list: ListOf): {
  views: View[];
  active: View | undefined;
  isChanged: boolean;
  canSave: boolean;
  isPainted: boolean;
} {
  const session = useSession();
  const call = definitions.calls['saved-views.list'];
  const isPainted = useAfterFirstPaint(list.rows !== undefined || list.error !== null);
  const canSave = list.resource.list?.views !== false && call !== undefined && allowsCall(call, session).ok;
  const { data } = useAsk<View[]>('saved-views.list', { route: list.resource.route }, { enabled: canSave && isPainted, staleTime: 60_000 });
  const views = Array.isArray(data) ? data : [];
  const active = views.find(view => String(view.id) === list.state.view);
  // What the address would say without page and view: the same text means the same list.
  const plain = (search: string): string => {
    const { view: _view, after: _after, before: _before, ...state } = readState(search, list.head);
    return writeState({ ...state, page: 1 }, list.head);
  };
  const now = plain(writeState(list.state, list.head));
  return {
    views,
    active,
    isChanged: now !== plain(active ? `?${active.query}` : list.state.tab ? `?tab=${list.state.tab}` : ''),
    canSave,
    isPainted,
  };
}

/** The number of a tab counts all of its rows: where search or filters leave some out, it says so. */
function TabCount({ number, isNarrowed }: { number: number | undefined; isNarrowed: boolean }): ReactElement {
  const isLong = number !== undefined && number > 99_999;
  const tip =
    number === undefined
      ? undefined
      : isNarrowed
        ? t`${count(number)} in all, without search and filters`
        : isLong
          ? count(number)
          : undefined;
  return (
    <span className="p-count" {...(tip ? { 'data-tip': tip } : {})} {...(isNarrowed ? { 'data-all': '' } : {})}>
      {number === undefined ? '\u2007' : isLong ? short(number) : count(number)}
      {isNarrowed && <span className="p-sr"> {t`in all`}</span>}
    </span>
  );
}

/** The rows of a saved view; nothing while they are not counted. Views beyond the first are counted once they are looked at. */
function ViewCount({ list, view, isCounted }: { list: ListOf; view: View; isCounted: boolean }): ReactElement | null {
  const { data } = useQuery({ ...viewCountQuery(list, view.query), enabled: isCounted });
  if (!data) return null;
  const isLong = data.total > 99_999;
  return (
    <span className="p-count" {...(isLong ? { 'data-tip': count(data.total) } : {})}>
      {isLong ? short(data.total) : count(data.total)}
      {data.meta.totalIsCapped ? '+' : ''}
    </span>
  );
}

export function Tabs({ list }: { list: ListOf }): ReactElement | null {
  const { pathname } = useLocation();
  const tabs = list.resource.list?.tabs ?? [];
  const countsCall = `${list.resource.calls}.counts`;
  const counted = tabs.some(tab => tab.count) && definitions.calls[countsCall] !== undefined;
  const { views, active, isChanged, canSave, isPainted } = useViews(list);
  const { data: counts, error, refetch } = useAsk(countsCall, counted && isPainted ? {} : undefined, { staleTime: 15_000 });
  // Rows that change by themselves move from tab to tab.
  const isLive = counted && list.resource.list?.refreshWhile !== undefined;
  const before = useRef(list.rows);
  useEffect(() => {
    if (isLive && before.current && list.rows !== before.current) void refetch();
    before.current = list.rows;
  }, [isLive, list.rows, refetch]);
  const more = useChunk(canSave && (isChanged || active !== undefined) ? extras : undefined);
  const [dialog, setDialog] = useState<'save' | 'rename'>();
  const isNarrowed = Boolean(list.state.q) || Object.keys(list.state.filters).length > 0;
  if (tabs.length < 2 && views.length === 0 && !(canSave && isChanged)) return null;

  const query = (): string => {
    const { view: _view, after: _after, before: _before, ...state } = list.state;
    return writeState({ ...state, page: 1 }, list.head).replace(/^\?/, '');
  };
  const create = async ({ name, isShared }: ViewFields): Promise<void> => {
    const { data } = await runCall('saved-views.create', { route: list.resource.route, name, isShared, query: query() });
    const id = at(data, 'id');
    if (id !== undefined) list.change({ view: String(id) }, { replace: true });
    notify(t`View "${name}" saved.`);
  };
  const update = async (view: View, fields: JsonObject, doneText: string): Promise<void> => {
    await runCall(
      'saved-views.update',
      { id: view.id, route: list.resource.route, name: view.name, query: view.query, isShared: view.isShared, ...fields },
      view.version === undefined ? {} : { version: view.version },
    );
    notify(doneText);
  };
  const remove = async (view: View): Promise<void> => {
    const yes = await confirm({
      title: t`Delete view "${view.name}"?`,
      text: view.isShared
        ? t`It is shared: it disappears for all users of the store. The rows themselves stay.`
        : t`The rows themselves stay.`,
      submit: t`Delete view`,
      tone: 'critical',
      run: () => runCall('saved-views.delete', { id: view.id }),
    });
    if (!yes) return;
    list.change({ view: undefined, filters: {}, q: '', tab: list.head.tabs[0]?.id ?? '', columns: undefined });
    notify(t`View "${view.name}" deleted.`);
  };
  return (
    <div className="l-tabs">
      <nav className="p-tabs" aria-label={t`Views`}>
        {tabs.map((tab, i) => {
          const id = tabId(tab);
          const current = list.state.tab === id && !active;
          const number = tab.count ? at(counts ?? null, tab.count) : undefined;
          return (
            <Link key={id} className="p-tab" to={pathname + (i === 0 ? '' : `?tab=${id}`)} aria-current={current ? 'page' : undefined}>
              {tab.title}
              {tab.count && (number !== undefined || !error) && (
                <TabCount number={typeof number === 'number' ? number : undefined} isNarrowed={isNarrowed} />
              )}
            </Link>
          );
        })}
        {views.map((view, place) => (
          <Link
            key={view.id}
            className="p-tab"
            to={`${pathname}?${new URLSearchParams([...new URLSearchParams(view.query), ['view', String(view.id)]])}`}
            aria-current={active?.id === view.id ? 'page' : undefined}
          >
            {view.name}
            <ViewCount list={list} view={view} isCounted={isPainted && (place < COUNTED || active?.id === view.id)} />
          </Link>
        ))}
      </nav>
      {canSave && (
        <span className="l-view-actions">
          {active && (
            <MenuButton
              label={t`View ${active.name}`}
              className="p-icon-btn p-icon-btn-s"
              align="end"
              items={[
                ...(active.isMine
                  ? [
                      { title: t`Rename and share`, icon: 'pencil', onSelect: () => setDialog('rename') },
                      { title: t`Save as a new view`, icon: 'plus', onSelect: () => setDialog('save') },
                      { kind: 'separator' as const },
                      {
                        title: t`Delete view`,
                        icon: 'trash',
                        tone: 'critical' as const,
                        onSelect: () => void remove(active).catch(notifyError),
                      },
                    ]
                  : [{ title: t`Save as a new view`, icon: 'plus', onSelect: () => setDialog('save') }]),
              ]}
            >
              <ChevronDown aria-hidden="true" />
            </MenuButton>
          )}
          {isChanged && active?.isMine && (
            <button
              type="button"
              className="p-btn p-btn-s"
              onClick={() => void update(active, { query: query() }, `View "${active.name}" updated.`).catch(notifyError)}
            >
              {t`Update view`}
            </button>
          )}
          {isChanged && !active?.isMine && (
            <button type="button" className="p-btn p-btn-s" onClick={() => setDialog('save')}>
              {t`Save view`}
            </button>
          )}
        </span>
      )}
      {more && dialog === 'save' && <more.SaveViewDialog onSave={create} onClose={() => setDialog(undefined)} />}
      {more && dialog === 'rename' && active && (
        <more.RenameViewDialog
          first={active}
          onClose={() => setDialog(undefined)}
          onSave={({ name, isShared }) => update(active, { name, isShared }, t`View saved.`)}
        />
      )}
    </div>
  );
}
