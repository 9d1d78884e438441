// The data of a section: one answer, or pages of rows that grow with "Show more". Cached under the call's entity, so
// that writes that touch it fetch it again.
import { type InfiniteData, infiniteQueryOptions, type QueryClient, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { isRead } from '../../contract/request.ts';
import type { Call, JsonObject, JsonValue, PageInfo } from '../../contract/types.ts';
import { type Ran, runCall } from '../platform/transport/calls.ts';
import { definitions } from '../platform/definitions.ts';
import type { CallError } from '../platform/transport/transport.ts';
import { nextInput } from '../form/actions/row-pages.ts';

export interface Fetched {
  data: JsonValue | undefined;
  pageInfo: PageInfo | undefined;
  error: CallError | null;
  isFetching: boolean;
  refetch: () => void;
  /** Fetches the next rows; undefined where all are there. */
  more: (() => void) | undefined;
  isLoadingMore: boolean;
}

/** Whether a call's answer comes in pages. */
export const isPaged = (call: Call): boolean => (call.page ?? 'whole') !== 'whole';

const keyOf = (call: Call | undefined, input: JsonObject): unknown[] => (call ? [call.of, 'call', call.name, input] : ['none']);
const single = (call: Call | undefined, input: JsonObject) =>
  queryOptions<Ran, CallError>({ queryKey: keyOf(call, input), queryFn: ({ signal }) => runCall(call?.name ?? '', input, { signal }) });
const inPages = (call: Call | undefined, input: JsonObject) =>
  infiniteQueryOptions<Ran, CallError, InfiniteData<Ran, JsonObject>, readonly unknown[], JsonObject>({
    queryKey: [...keyOf(call, input), 'pages'],
    queryFn: ({ signal, pageParam }) => runCall(call?.name ?? '', { ...input, ...pageParam }, { signal }),
    initialPageParam: {},
    getNextPageParam: (_last, all) => nextInput(call && definitions.hosts[call.host]?.pagers[call.page ?? 'whole'], all),
  });

/** Asks ahead of the component that will show it. */
export function prefetch(client: QueryClient, call: Call, input: JsonObject): void {
  if (isPaged(call)) void client.prefetchInfiniteQuery(inPages(call, input));
  else if (isRead(call)) void client.prefetchQuery(single(call, input));
}

/** One answer of a read, kept on screen while it is fetched again. `call` undefined: nothing is asked. */
export function useAnswer(call: Call | undefined, input: JsonObject): Fetched {
  const paged = call !== undefined && isPaged(call);
  const once = useQuery<Ran, CallError>({ ...single(call, input), enabled: call !== undefined && !paged && isRead(call) });
  const pages = useInfiniteQuery({ ...inPages(call, input), enabled: paged });
  if (!paged)
    return {
      data: once.data?.data,
      pageInfo: once.data?.pageInfo,
      error: once.error,
      isFetching: once.isFetching,
      refetch: () => void once.refetch(),
      more: undefined,
      isLoadingMore: false,
    };
  const rows = pages.data?.pages.flatMap(page => (Array.isArray(page.data) ? page.data : []));
  return {
    data: rows,
    pageInfo: pages.data?.pages.at(-1)?.pageInfo,
    error: pages.error,
    isFetching: pages.isFetching,
    refetch: () => void pages.refetch(),
    more: pages.hasNextPage ? () => void pages.fetchNextPage() : undefined,
    isLoadingMore: pages.isFetchingNextPage,
  };
}
