// How data is loaded and kept: three retries of reads, doubling from one second, kept five minutes, never
// fetched for a mere focus (D286 to D290, S321).
import { QueryClient } from '@tanstack/react-query';
import { CallError, TIMEOUT, watchConnection } from './transport.ts';

/**
 * Whether asking again can help: the server was not reached, is busy, or failed; never for a refusal, and
 * not when the person has waited long enough.
 */
export const worthRetrying = (error: unknown): boolean =>
  error instanceof CallError && error.code !== TIMEOUT && (error.status === 0 || error.status === 429 || error.status >= 500);
/** Milliseconds before retry number `tries` (0 first): 1 s, 2 s, 4 s … at most 30 s (D288, D289), or what the server asks for. */
export const retryDelay = (tries: number, error?: unknown): number =>
  Math.min(Math.max(1000 * 2 ** tries, (error instanceof CallError ? (error.retryAfter ?? 0) : 0) * 1000), 30_000);

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      retry: (tries, error) => tries < 3 && worthRetrying(error),
      retryDelay,
      gcTime: 5 * 60_000,
      staleTime: 5_000,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      networkMode: 'always',
    },
    mutations: { retry: false, networkMode: 'always' },
  },
});

// When the server is back, what failed meanwhile is fetched again by itself.
watchConnection(reachable => {
  if (reachable)
    void queryClient.refetchQueries({
      type: 'active',
      predicate: query => query.state.status === 'error' || query.state.fetchFailureCount > 0,
    });
});
