// Whether something that is waited for is being asked again: the server failed once and what stands there is still a skeleton (D287, D288).
// One place for all screens.
import { useSyncExternalStore } from 'react';
import { queryClient } from './query-client.ts';
import { isReachable, watchConnection } from './transport.ts';

/** A read of the open page that has nothing to show yet and is tried again after a failure. */
export const isRetried = (): boolean =>
  queryClient
    .getQueryCache()
    .getAll()
    .some(
      query =>
        query.state.status === 'pending' && query.state.fetchStatus !== 'idle' && query.state.fetchFailureCount > 0 && query.isActive(),
    );

/** Where the server can't be reached at all, the banner says so already. */
const retrying = (): boolean => isReachable() && isRetried();

function watch(then: () => void): () => void {
  const ends = [queryClient.getQueryCache().subscribe(then), watchConnection(then)];
  return () => {
    for (const end of ends) end();
  };
}

/** True from the first failure of a read whose skeleton is on the page until it is there, or until it is given up on. */
export const useRetrying = (): boolean => useSyncExternalStore(watch, retrying);
