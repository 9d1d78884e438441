// How a server stops on a signal without breaking off requests: clients close their connections, requests finish, jobs go back.
import { setTimeout as pause } from 'node:timers/promises';
import type { Services } from './platform/services.ts';

/** How long running requests may take to finish (ms). */
const REQUESTS_MS = 10_000;
/** How long jobs and the database may take to close (ms). */
const SERVICES_MS = 15_000;
/** How long clients may take to close their connections (ms). */
const CONNECTIONS_MS = 5000;
/** The pause between two counts of the open connections (ms). */
const COUNT_EVERY_MS = 50;
/** After this many counts in a row that did not go down, the connections that are left are taken to be idle. */
const IDLE_COUNTS = 20;

/**
 * Ends this process on SIGTERM or SIGINT; further signals are ignored. In order: the server reports that it is not ready, clients close
 * their connections, running requests finish, jobs are handed back, the database is closed. The exit code is 1 if a step failed or the
 * services took longer than SERVICES_MS, else 0.
 * @param openConnections how many connections clients have open now
 * @param closeServer stops listening, and resolves when running requests have finished
 */
export function stopOnSignals(services: Services, openConnections: () => Promise<number>, closeServer: () => Promise<void>): void {
  let isStopping = false;
  const stop = async (signal: string): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    services.log.info({ signal }, 'Stopping.');
    services.state = 'closing';
    let exitCode = 0;
    try {
      await waitForClients(openConnections);
      const warnWhenLate = pause(REQUESTS_MS).then(() => services.log.warn({}, 'Some requests did not finish in time.'));
      await Promise.race([closeServer(), warnWhenLate]);
    } catch (error) {
      services.log.error({ err: error }, 'Stopping failed.');
      exitCode = 1;
    }
    try {
      const failWhenLate = pause(SERVICES_MS).then(() => {
        throw new Error('Closing took too long.');
      });
      await Promise.race([services.close(), failWhenLate]);
    } catch (error) {
      services.log.error({ err: error }, 'Closing failed.');
      exitCode = 1;
    }
    process.exit(exitCode);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal));
}

/** How many connections a Node server has open. Rejects with the server's own error. */
export const countConnections = (server: {
  getConnections(done: (error: Error | null, count: number) => void): unknown;
}): Promise<number> =>
  new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });

/**
 * Waits until clients have closed their connections, or until those that are left seem idle, at most CONNECTIONS_MS. While the server is
 * closing, each answer says "connection: close"; a client that was about to send a request must not find its connection cut.
 */
async function waitForClients(openConnections: () => Promise<number>): Promise<void> {
  const deadline = Date.now() + CONNECTIONS_MS;
  let before = await openConnections();
  // Idleness is measured in counts, not in time: a process that was too busy to read from its sockets learned nothing while time went by.
  for (let idleCounts = 0; before > 0 && idleCounts < IDLE_COUNTS && Date.now() < deadline;) {
    await pause(COUNT_EVERY_MS);
    const now = await openConnections();
    idleCounts = now < before ? 0 : idleCounts + 1;
    before = now;
  }
}
