// What the terminal shows when a server has started: its address, and a link that signs in the owner of the first store.
import type { FastifyInstance } from 'fastify';
import { setTimeout as pause } from 'node:timers/promises';
import { LINK_MINUTES, makeLoginLink } from './platform/auth/login-links.ts';
import type { Config } from './platform/config.ts';
import { outboxPath } from './platform/mail/outbox-page.ts';
import type { Services } from './platform/services.ts';

/** How long one attempt to make the link may wait for the database (ms). */
const DATABASE_WAIT_MS = 60_000;

interface Attempts {
  /** How often making the link is tried. */
  count: number;
  /** The pause after a failed try (ms). */
  pauseMs: number;
}
/** Before the greeting is printed: few, because the person who started the server is waiting. */
const BEFORE_GREETING: Attempts = { count: 3, pauseMs: 0 };
/** After a greeting without a link, while the server already answers. */
const AFTER_GREETING: Attempts = { count: 100, pauseMs: 5000 };

/** The address of a listening server ("http://localhost:3000"): the host of the configuration, and the port that it really got. */
export function addressOf(app: FastifyInstance, config: Config): string {
  const bound = app.server.address();
  const port = bound !== null && typeof bound === 'object' ? bound.port : config.port;
  const listensEverywhere = config.host === '0.0.0.0' || config.host === '::';
  const isIPv6 = config.host.includes(':');
  const host = listensEverywhere ? 'localhost' : isIPv6 ? `[${config.host}]` : config.host;
  return `http://${host}:${port}`;
}

/**
 * Prints the greeting to standard output: the address, the sign-in link, and where the mails of a demo can be read. Never fails: if the
 * database is too busy to make the link, the greeting appears without it, and the link is printed later.
 */
export async function greet(services: Services, address: string): Promise<void> {
  const signInLine = (link: string): string => `Sign in as the owner (once, within ${LINK_MINUTES} minutes):  ${link}`;
  const link = await trySignInLink(services, address, BEFORE_GREETING);
  const lines = [
    `Perennial listens on ${services.config.publicUrl ?? address}`,
    ...(link ? [signInLine(link)] : []),
    ...(services.config.demo && !services.config.smtpUrl ? [`Mail can be read at  ${address}${outboxPath(services)}`] : []),
  ];
  process.stdout.write(`\n  ${lines.join('\n  ')}\n\n`);
  if (link === undefined && services.db.kind === 'embedded')
    void trySignInLink(services, address, AFTER_GREETING).then(lateLink => {
      if (lateLink) process.stdout.write(`  ${signInLine(lateLink)}\n\n`);
    });
}

/** The sign-in link; undefined if there is none to make, if every attempt failed, or if the server stops meanwhile. Failures are logged. */
async function trySignInLink(services: Services, address: string, { count, pauseMs }: Attempts): Promise<string | undefined> {
  for (let attempt = 1; attempt <= count && services.state !== 'closing'; attempt++) {
    try {
      return await signInLink(services, address);
    } catch (error) {
      services.log.warn({ error: error instanceof Error ? error.message : String(error) }, 'The sign-in link could not be made yet.');
      if (pauseMs > 0) await pause(pauseMs);
    }
  }
  return undefined;
}

/**
 * A link that signs in the owner of the first store, once and within LINK_MINUTES. Only with the embedded database: there, the person who
 * reads the terminal owns all the data anyway. Undefined with any other database, and when no store has an owner yet.
 */
async function signInLink(services: Services, address: string): Promise<string | undefined> {
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
    },
    // The embedded database does one thing at a time, and a job that the last process left unfinished may be using it.
    { timeoutMs: DATABASE_WAIT_MS },
  );
}
