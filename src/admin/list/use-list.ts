// What a list shows: the address says it, the list call answers it, react-admin's ListContext carries it to the components below.
// (ListBase itself is not used: its address knows no cursors, and it leaves pages beyond a capped total. The context is the same.)
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import type { RaRecord } from 'react-admin';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { holds } from '../../contract/validation/condition.ts';
import { callFor, callNamed } from '../../contract/find.ts';
import type { Call, JsonObject, PageInfo, Resource, Schema } from '../../contract/types.ts';
import { dataProvider } from '../platform/transport/data-provider.ts';
import { definitions } from '../platform/definitions.ts';
import { storeZone } from '../platform/format.ts';
import { queryClient } from '../platform/transport/query-client.ts';
import { useFacts } from '../platform/session/session.tsx';
import { storeNow } from '../platform/store-clock.ts';
import { CallError } from '../platform/transport/transport.ts';
import { type Filter, filtersOf, headOf } from './list-head.ts';
import { type ListHead, type ListInput, type ListState, readState, toInput, writeState } from '../platform/list-query.ts';

/** Between two readings of a list with rows that change by themselves (`live`). */
const LIVE_MS = 4000;

/** What to change; undefined takes a value away. */
export type ListPatch = { [K in keyof ListState]?: ListState[K] | undefined };

export interface ListOf {
  resource: Resource;
  entity: Schema | undefined;
  call: Call;
  head: ListHead;
  filters: Filter[];
  state: ListState;
  input: ListInput;
  /** Changes what is shown; anything but the page itself goes back to the first page. `replace` leaves no step in the history. */
  change: (patch: ListPatch, options?: { replace?: boolean }) => void;
  rows: RaRecord[] | undefined;
  info: PageInfo | undefined;
  total: number | undefined;
  isCapped: boolean;
  error: unknown;
  isFetching: boolean;
  isStale: boolean;
  refetch: () => void;
  /** Whether search, filters or a tab narrow the list. */
  isNarrowed: boolean;
}

/** What the search and the filters of a list need of it: elsewhere than on a list's page, their parent holds the state. */
export type Narrowing = Pick<ListOf, 'resource' | 'filters' | 'head' | 'state' | 'change'>;

/** The list call of a resource; throws where there is none (check says so before). */
export function listCall(resource: Resource): Call {
  const call = resource.list?.call ? callNamed(definitions, resource.list.call, resource) : callFor(definitions, resource, 'list');
  if (!call)
    throw new Error(`resources/${resource.route}.json has a list, but "${resource.calls}" has no call that lists "${resource.of}".`);
  return call;
}

interface ListAnswer {
  data: RaRecord[];
  total: number;
  meta: Partial<PageInfo>;
}

const inputOf = (state: ListState, head: ListHead): ListInput =>
  toInput(state, head, { zone: storeZone(), at: storeNow() }) ?? { pageSize: state.size };
const listQuery = (call: Call, input: ListInput) =>
  queryOptions<ListAnswer, Error, ListAnswer, readonly unknown[]>({
    queryKey: [call.of, 'getList', { call: call.name, input }],
    queryFn: ({ signal }) => dataProvider.getList(call.of, { meta: { call: call.name, input }, signal }) as Promise<ListAnswer>,
  });

/** How many rows a saved view has: asked like the list itself, for one row. `query`: the view's part of the address. */
export const viewCountQuery = (list: Pick<ListOf, 'call' | 'head'>, query: string) => ({
  ...listQuery(list.call, { ...inputOf(readState(`?${query}`, list.head), list.head), pageSize: 1 }),
  staleTime: 60_000,
});

export function useList(resource: Resource, entity: Schema | undefined): ListOf {
  const call = listCall(resource);
  const list = resource.list;
  if (!list) throw new Error(`resources/${resource.route}.json has no list.`);
  const head = useMemo(() => headOf(list, entity), [list, entity]);
  const filters = useMemo(() => filtersOf(list, entity), [list, entity]);
  const facts = useFacts();
  const { search, pathname } = useLocation();
  const navigate = useNavigate();
  const state = useMemo(() => readState(search, head), [search, head]);
  const latest = useRef(state);
  latest.current = state;
  const input = useMemo(() => inputOf(state, head), [state, head]);

  const query = useQuery<ListAnswer>({
    ...listQuery(call, input),
    placeholderData: keepPreviousData,
    ...(list.refreshWhile
      ? {
          refetchInterval: ({ state: { data } }) =>
            data?.data.some(row => holds(list.refreshWhile, { siblings: row as JsonObject, root: row as JsonObject, facts }))
              ? LIVE_MS
              : false,
        }
      : {}),
  });

  const change = useCallback(
    (patch: ListPatch, options: { replace?: boolean } = {}) => {
      const { after: _after, before: _before, ...rest } = latest.current;
      const next = { ...rest, page: 1, ...patch } as ListState; // what a patch sets to undefined, the address leaves out
      latest.current = next;
      // The question is on its way while the page is redrawn, and the page is drawn at once instead of when there is time.
      void queryClient.prefetchQuery(listQuery(call, inputOf(next, head)));
      void navigate({ pathname, search: writeState(next, head) }, { replace: options.replace ?? false, flushSync: true });
    },
    [navigate, pathname, head, call],
  );

  // A link to a page that is damaged, or was made in another order, opens the first one.
  const isLost =
    state.page > 1 &&
    query.error instanceof CallError &&
    query.error.errors.some(({ pointer }) => pointer === '/after' || pointer === '/before' || pointer === '/page');
  useEffect(() => {
    if (isLost) change({ page: 1 }, { replace: true });
  }, [isLost, change]);

  const { refetch } = query;
  const info = query.data?.meta as PageInfo | undefined;
  return {
    resource,
    entity,
    call,
    head,
    filters,
    state,
    input,
    change,
    rows: query.data?.data,
    info,
    total: query.data?.total,
    isCapped: info?.totalIsCapped === true,
    error: query.error,
    isFetching: query.isFetching,
    isStale: query.isPlaceholderData || (query.isFetching && query.data !== undefined),
    refetch: useCallback(() => void refetch(), [refetch]),
    isNarrowed: state.q !== '' || Object.keys(state.filters).length > 0 || state.tab !== (head.tabs[0]?.id ?? ''),
  };
}
