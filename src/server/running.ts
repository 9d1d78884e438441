// A running server, as people meet it: where it is, how to sign in, and how it stops.
import type { FastifyInstance } from 'fastify';
import { LINK_MINUTES, makeLoginLink } from './platform/auth/login-links.ts';
import type { Config } from './platform/config.ts';
import { outboxPath } from './platform/mail/outbox-page.ts';
import type { Services } from './platform/services.ts';

/** How long running requests may take to finish when the server stops (ms). */
const GRACE = 10_000;

/** Where people reach the server: the configured address, else the one it listens on. */
export function addressOf(app: FastifyInstance, config: Config): string {
  const bound = app.server.address();
  const port = bound !== null && typeof bound === 'object' ? bound.port : config.port;
  const host =
    config.host === '0.0.0.0' || config.host === '::' ? 'localhost' : config.host.includes(':') ? `[${config.host}]` : config.host;
  return `http://${host}:${port}`;
}

/** The longest (ms) that the start waits for its turn at the database. */
const START_MS = 60_000;

/** A link that signs in the owner of the first store once, soon; only printed where the reader of the terminal owns the database anyway. */
export async function signInLink(services: Services, address: string): Promise<string | undefined> {
  if (services.db.kind !== 'embedded') return undefined;
  return services.db.asSystem(
    async trx => {
      const owner = await trx
        .selectFrom('users')
        .select(['store_id', 'id'])
        .where('type', '=', 'OWNER')
        .where('removed_at', 'is', null)
        .orderBy('store_id')
        .executeTakeFirst();
      if (!owner) return undefined;
      return makeLoginLink(trx, owner.store_id, owner.id, services.config.publicUrl ?? address);
      // A job that was under way when the last process died may hold the embedded database at this very moment.
    },
    { timeoutMs: START_MS },
  );
}

const pause = (ms: number): Promise<void> =>
  new Promise(resolve => {
    setTimeout(resolve, ms);
  });
/** How often the database is asked for a link at the start, and again while it is too busy with work that was left (ms). */
const LINK_TRIES = 3;
const LINK_AGAIN = 5000;

/** The link, however busy the database is: a server that can't greet yet still serves. Undefined as well when it stops meanwhile. */
async function linkSoon(services: Services, address: string, tries: number): Promise<string | undefined> {
  for (let left = tries; left > 0 && services.state !== 'closing'; left--) {
    try {
      return await signInLink(services, address);
    } catch (error) {
      services.log.warn({ error: error instanceof Error ? error.message : String(error) }, 'The sign-in link could not be made yet.');
      if (tries > LINK_TRIES) await pause(LINK_AGAIN);
    }
  }
  return undefined;
}

/** Says where the server is, for people. */
export async function greet(services: Services, address: string): Promise<void> {
  const signInLine = (link: string): string => `Sign in as the owner (once, within ${LINK_MINUTES} minutes):  ${link}`;
  const link = await linkSoon(services, address, LINK_TRIES);
  const lines = [
    `Perennial listens on ${services.config.publicUrl ?? address}`,
    ...(link ? [signInLine(link)] : []),
    ...(services.config.demo && !services.config.smtpUrl ? [`Mail can be read at  ${address}${outboxPath(services)}`] : []),
  ];
  process.stdout.write(`\n  ${lines.join('\n  ')}\n\n`);
  if (link === undefined && services.db.kind === 'embedded')
    void linkSoon(services, address, 100).then(late => {
      if (late) process.stdout.write(`  ${signInLine(late)}\n\n`);
    });
}

/**
 * While clients hear "connection: close" and let go, others may be about to ask: so many looks (each TURN ms after the last) without one
 * that let go are enough.
 */
const CALM = 20;
const TURN = 50;
/** The longest (ms) that clients are waited for to let go. */
const DRAIN = 5000;

/**
 * Waits until clients have let go of their connections, or those that are left have nothing to say: none of their requests may meet a
 * closed one.
 */
async function drain(connections: () => Promise<number>): Promise<void> {
  const until = Date.now() + DRAIN;
  let last = await connections();
  // Counted in turns, not by the clock: a busy process has read nothing while time went by.
  for (let calm = 0; last > 0 && calm < CALM && Date.now() < until;) {
    await pause(TURN);
    const now = await connections();
    calm = now < last ? 0 : calm + 1;
    last = now;
  }
}

/** Stops once: says that it is not ready, lets clients go, finishes running requests, hands jobs back, closes the database. */
export function stopOnSignals(services: Services, connections: () => Promise<number>, close: () => Promise<void>): void {
  let stopping = false;
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    services.log.info({ signal }, 'Stopping.');
    services.state = 'closing';
    let code = 0;
    try {
      await drain(connections);
      await Promise.race([close(), pause(GRACE).then(() => services.log.warn({}, 'Some requests did not finish in time.'))]);
    } catch (error) {
      services.log.error({ err: error }, 'Stopping failed.');
      code = 1;
    }
    try {
      await Promise.race([
        services.close(),
        pause(GRACE + 5000).then(() => {
          throw new Error('Closing took too long.');
        }),
      ]);
    } catch (error) {
      services.log.error({ err: error }, 'Closing failed.');
      code = 1;
    }
    process.exit(code);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal));
}

/** How many connections a server has open. */
export const countConnections = (server: {
  getConnections(done: (error: Error | null, count: number) => void): unknown;
}): Promise<number> =>
  new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
  });
