// The data of a section: one answer, or pages of rows that grow with "Show more". Cached under the call's entity, so that writes that touch it fetch it anew.
import { type InfiniteData, infiniteQueryOptions, type QueryClient, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { isRead } from '../../contract/request.ts';
import type { Call, JsonObject, JsonValue, PageInfo } from '../../contract/types.ts';
import { type Ran, runCall } from '../calls.ts';
import { definitions } from '../definitions.ts';
import type { CallError } from '../transport.ts';

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

/** The input of the next page, from where the last one ended. */
export function nextInput(call: Call, pages: readonly Pick<Ran, 'data' | 'pageInfo'>[]): JsonObject | undefined {
  const pager = definitions.hosts[call.host]?.pagers[call.page ?? 'whole'];
  const last = pages.at(-1);
  if (!pager || !last?.pageInfo?.hasNextPage) return undefined;
  if (pager.after && last.pageInfo.nextCursor) return { [pager.after]: last.pageInfo.nextCursor };
  if (pager.offset) return { [pager.offset]: pages.reduce((sum, page) => sum + (Array.isArray(page.data) ? page.data.length : 0), 0) };
  return pager.page ? { [pager.page]: pages.length + 1 } : undefined;
}

const keyOf = (call: Call | undefined, input: JsonObject): unknown[] => (call ? [call.of, 'call', call.name, input] : ['none']);
const single = (call: Call | undefined, input: JsonObject) => queryOptions<Ran, CallError>({ queryKey: keyOf(call, input), queryFn: ({ signal }) => runCall(call?.name ?? '', input, { signal }) });
const inPages = (call: Call | undefined, input: JsonObject) => infiniteQueryOptions<Ran, CallError, InfiniteData<Ran, JsonObject>, readonly unknown[], JsonObject>({
  queryKey: [...keyOf(call, input), 'pages'], queryFn: ({ signal, pageParam }) => runCall(call?.name ?? '', { ...input, ...pageParam }, { signal }), initialPageParam: {},
  getNextPageParam: (_last, all) => (call ? nextInput(call, all) : undefined),
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
  if (!paged) return { data: once.data?.data, pageInfo: once.data?.pageInfo, error: once.error, isFetching: once.isFetching, refetch: () => void once.refetch(), more: undefined, isLoadingMore: false };
  const rows = pages.data?.pages.flatMap(page => (Array.isArray(page.data) ? page.data : []));
  return {
    data: rows, pageInfo: pages.data?.pages.at(-1)?.pageInfo, error: pages.error, isFetching: pages.isFetching, refetch: () => void pages.refetch(),
    more: pages.hasNextPage ? () => void pages.fetchNextPage() : undefined, isLoadingMore: pages.isFetchingNextPage,
  };
}

/** Cached answers of calls with each row changed by `patch`: single answers and pages alike. */
export function patchRows(data: unknown, patch: (row: JsonValue) => JsonValue): unknown {
  const one = (ran: Ran): Ran => (Array.isArray(ran.data) ? { ...ran, data: ran.data.map(patch) } : ran);
  if (data !== null && typeof data === 'object' && 'pages' in data) return { ...data, pages: (data as InfiniteData<Ran>).pages.map(one) };
  return data !== null && typeof data === 'object' && 'data' in data ? one(data as Ran) : data;
}
