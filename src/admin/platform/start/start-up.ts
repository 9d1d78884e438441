// The start: who is here and in which store.
import type { Session } from '../../../contract/types.ts';
import { runCall } from '../transport/calls.ts';
import { report } from '../transport/error-report.ts';
import { CallError } from '../transport/transport.ts';

/**
 * The session. Our own server answers it in one call, which the HTML's head has sent already. A back end that has only the
 * specification's calls (another address for the host group "user") is asked by those.
 */
export async function loadSession(): Promise<Session> {
  try {
    return (await runCall('start-up.session', {}, { early: 'session' })).data as Session;
  } catch (error) {
    if (!(error instanceof CallError) || error.status !== 404) throw error;
    const { assembleSession } = await import('../session/assemble-session.ts');
    return assembleSession(
      async (name, input) => (await runCall(name, input)).data,
      (failure, source) => report(failure, { source, file: 'start-up.ts' }),
    );
  }
}
