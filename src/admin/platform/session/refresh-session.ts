// Reads the session again while the admin is open: the person's rights changed, or they look at the admin as another role.
import type { Session } from '../../../contract/types.ts';
import { runCall } from '../transport/calls.ts';
import { queryClient } from '../transport/query-client.ts';
import { whenRightsChanged } from '../transport/transport.ts';
import { currentSession, setSession } from './session.tsx';

let under: Promise<void> | undefined;

/** Navigation, buttons and data follow the rights as they are now. Several who ask at once wait for one answer. */
export function refreshSession(): Promise<void> {
  under ??= (async () => {
    try {
      setSession((await runCall('start-up.session')).data as Session);
      // What was read with the former rights may hold what is not to be seen any more, or lack what is.
      await queryClient.resetQueries();
    } finally {
      under = undefined;
    }
  })();
  return under;
}

/** Follows changes of rights that others make: every answer names the rights that it was given by. */
export function followRights(): void {
  whenRightsChanged(() => {
    if (currentSession()) void refreshSession().catch(() => undefined);
  });
}
